package codebox;

import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.lang.instrument.Instrumentation;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * An agent of Java that keeps its start, with a compiler that has warmed up, until there is a program. Java then compiles and
 * runs the file as it does without: no frame of this class is below the program's.
 */
public class Wait {
  private static final int CONTROL = 3;

  /** The option is the path of the program, where an empty file stands in for Java to find. */
  public static void premain(String source, Instrumentation java) throws Exception {
    Files.delete(Path.of(source));
    // The first round loads the compiler, the second finds much of it compiled; more would cost more memory than time.
    for (int round = 0; round < 2; round++) compile();
    System.gc();
    FileDescriptor control = control(java);
    new FileOutputStream(control).write('\n');
    boolean asked = false;
    try (var in = new FileInputStream(control)) {
      // What it is told is what it was started with.
      for (byte[] part = new byte[8192]; in.read(part) > 0;) asked = true;
    }
    if (!asked) Runtime.getRuntime().halt(0);
  }

  private static FileDescriptor control(Instrumentation java) throws ReflectiveOperationException {
    var toUs = Map.of("java.io", Set.of(Wait.class.getModule()));
    java.redefineModule(Object.class.getModule(), Set.of(), Map.of(), toUs, Set.of(), Map.of());
    var constructor = FileDescriptor.class.getDeclaredConstructor(int.class);
    constructor.setAccessible(true);
    return constructor.newInstance(CONTROL);
  }

  private static void compile() throws Exception {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (var files = new Nowhere(compiler.getStandardFileManager(null, null, null))) {
      compiler.getTask(null, files, null, null, null, List.of(new Usual())).call();
    }
  }

  /** A program that uses what most programs use. */
  private static class Usual extends SimpleJavaFileObject {
    private final String text;

    Usual() throws Exception {
      super(URI.create("string:///Main.java"), Kind.SOURCE);
      try (var in = Wait.class.getResourceAsStream("Main.java")) {
        text = new String(in.readAllBytes());
      }
    }

    @Override
    public CharSequence getCharContent(boolean ignored) {
      return text;
    }
  }

  /** Throws compiled classes away. */
  private static class Nowhere extends ForwardingJavaFileManager<JavaFileManager> {
    Nowhere(JavaFileManager files) {
      super(files);
    }

    @Override
    public JavaFileObject getJavaFileForOutput(Location at, String name, JavaFileObject.Kind kind, FileObject from) {
      return new SimpleJavaFileObject(URI.create("memory:///" + name), kind) {
        @Override
        public OutputStream openOutputStream() {
          return new ByteArrayOutputStream();
        }
      };
    }
  }
}
