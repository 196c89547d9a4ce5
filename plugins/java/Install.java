import java.io.File;
import java.io.FileInputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Install PREFIX GROUP:ARTIFACT[:VERSION[:CLASSIFIER]]...: puts jars, and those that they need, into PREFIX/lib. */
class Install {
  public static void main(String[] arguments) throws Exception {
    String prefix = arguments[0];
    useProxy();
    trust(System.getenv("SSL_CERT_FILE"));
    Path work = Files.createDirectories(Path.of(prefix, ".tmp", "ivy"));
    StringBuilder dependencies = new StringBuilder();
    for (int i = 1; i < arguments.length; i++) dependencies.append(dependency(arguments[i]));
    Path module = work.resolve("ivy.xml"), settings = work.resolve("settings.xml");
    Files.writeString(module, "<ivy-module version='2.0' xmlns:m='http://ant.apache.org/ivy/maven'>"
        + "<info organisation='codebox' module='program'/>"
        + "<dependencies>" + dependencies + "</dependencies></ivy-module>");
    Files.writeString(settings, "<ivysettings><settings defaultResolver='index'/><resolvers>"
        + "<ibiblio name='index' m2compatible='true' root='" + index() + "'/></resolvers></ivysettings>");
    org.apache.ivy.Main.main(new String[] {"-warn", "-settings", settings.toString(), "-ivy", module.toString(),
        "-cache", work.resolve("cache").toString(), "-types", "jar", "bundle", "maven-plugin", "eclipse-plugin",
        "-retrieve", prefix + "/lib/[organisation].[artifact]-[revision](-[classifier]).jar"});
    File[] jars = new File(prefix, "lib").listFiles();
    if (jars == null || jars.length == 0) throw new Exception("no jar was found for what was named");
  }

  static String dependency(String coordinates) throws Exception {
    String[] parts = coordinates.split(":");
    if (parts.length < 2 || parts.length > 4)
      throw new Exception(coordinates + " is not of the form group:artifact:version");
    String version = parts.length > 2 ? parts[2] : "latest.release";
    String text = "<dependency org='" + parts[0] + "' name='" + parts[1] + "' rev='" + version
        + "' conf='default->master,runtime'>";
    if (parts.length == 4)
      text += "<artifact name='" + parts[1] + "' type='jar' ext='jar' m:classifier='" + parts[3] + "'/>";
    return text + "</dependency>";
  }

  static String index() {
    String own = System.getenv("MAVEN_INDEX_URL");
    return own == null ? "https://repo1.maven.org/maven2/" : own.replace("&", "&amp;").replace("'", "&apos;");
  }

  // Java looks at no variable for its proxy.
  static void useProxy() {
    String proxy = System.getenv("HTTPS_PROXY");
    if (proxy == null) return;
    URI uri = URI.create(proxy);
    for (String scheme : List.of("http", "https")) {
      System.setProperty(scheme + ".proxyHost", uri.getHost());
      System.setProperty(scheme + ".proxyPort", Integer.toString(uri.getPort()));
    }
  }

  // Nor for the authorities that it trusts.
  static void trust(String bundle) throws Exception {
    if (bundle == null || !Files.isReadable(Path.of(bundle))) return;
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (FileInputStream in = new FileInputStream(bundle)) {
      int number = 0;
      for (var one : new ArrayList<>(CertificateFactory.getInstance("X.509").generateCertificates(in)))
        store.setCertificateEntry("authority-" + number++, one);
    }
    TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    HttpsURLConnection.setDefaultSSLSocketFactory(context.getSocketFactory());
  }
}
