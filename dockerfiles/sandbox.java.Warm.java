import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Uses what most programs use, so that the classes behind it lie in the archive. */
public class Main {
  record Point(int x, int y) {}

  sealed interface Shape permits Circle, Square {}

  record Circle(double radius) implements Shape {}

  record Square(double side) implements Shape {}

  static double area(Shape shape) {
    return switch (shape) {
      case Circle circle -> Math.PI * circle.radius() * circle.radius();
      case Square square -> square.side() * square.side();
    };
  }

  public static void main(String[] arguments) throws Exception {
    List<Point> points = new ArrayList<>();
    IntStream.range(0, 10).forEach(i -> points.add(new Point(i, i * i)));
    Map<Integer, List<Point>> groups = points.stream().collect(Collectors.groupingBy(p -> p.x() % 3));
    Map<String, Integer> counts = new HashMap<>();
    var input = new BufferedReader(new InputStreamReader(System.in));
    for (String line; (line = input.readLine()) != null;) counts.merge(line, 1, Integer::sum);
    System.out.printf("%s %.2f %s%n", groups, area(new Circle(1)) + area(new Square(2)), counts);
    System.out.println(Optional.of("done").map(String::toUpperCase).orElse(""));
  }
}
