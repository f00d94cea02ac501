import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;

/** Named checks against one server: each prints one line of JSON with its name and whether it held. */
final class Checks {
  interface Work {
    void run() throws Exception;
  }

  static final String HOST = System.getenv("WIRE_HOST");
  static final String PORT = System.getenv("WIRE_PORT");
  static final String USER = System.getenv("WIRE_USER");
  static final String PASSWORD = System.getenv("WIRE_PASSWORD");
  static final String DATABASE = System.getenv("WIRE_DATABASE");
  static final String URL = "jdbc:postgresql://" + HOST + ":" + PORT + "/" + DATABASE;
  static final String SLOW = "select count(*) from main.numbers a, main.numbers b where a.n + b.n < 0";
  private static final PrintStream OUTPUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);
  private static int nextId = Integer.parseInt(System.getenv("WIRE_FIRST_ID"));

  private Checks() {}

  static void check(String name, Work work) {
    check(name, null, work);
  }

  /** `needs`: "postgres" (the rows are in one), "engine" (what only we do). */
  static void check(String name, String needs, Work work) {
    boolean applies = needs == null || needs.equals(System.getenv("WIRE_SERVER")) || needs.equals(System.getenv("WIRE_KIND"));
    if (!applies) return;
    String detail = "";
    try {
      work.run();
    } catch (Throwable error) {
      detail = error + place(error);
    }
    OUTPUT.println("{\"name\": " + quoted(name) + ", \"ok\": " + detail.isEmpty() + ", \"detail\": " + quoted(detail) + "}");
  }

  private static String place(Throwable error) {
    for (StackTraceElement frame : error.getStackTrace()) {
      boolean isOurs = !frame.getClassName().contains(".") && !frame.getClassName().equals("Checks");
      if (isOurs) return " (" + frame.getFileName() + ":" + frame.getLineNumber() + ")";
    }
    return "";
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (char character : text.toCharArray()) {
      if (character == '"' || character == '\\') quoted.append('\\').append(character);
      else if (character < ' ') quoted.append(String.format("\\u%04x", (int) character));
      else quoted.append(character);
    }
    return quoted.append('"').toString();
  }

  /** Properties as pairs of name and value. */
  static Connection connect(String... options) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", USER);
    properties.setProperty("password", PASSWORD);
    for (int index = 0; index < options.length; index += 2) properties.setProperty(options[index], options[index + 1]);
    return DriverManager.getConnection(URL, properties);
  }

  /** A key that no other check of this program uses. */
  static int freshId() {
    return nextId++;
  }

  static void equal(Object actual, Object expected) {
    if (!Objects.equals(actual, expected)) throw new AssertionError("expected " + expected + ", got " + actual);
  }

  static void holds(boolean condition, Object detail) {
    if (!condition) throw new AssertionError("does not hold: " + detail);
  }

  static SQLException raised(Work work) throws Exception {
    try {
      work.run();
    } catch (SQLException error) {
      return error;
    }
    throw new AssertionError("nothing was raised");
  }

  /** All values of one column. */
  static List<String> texts(ResultSet rows, String column) throws SQLException {
    List<String> found = new ArrayList<>();
    while (rows.next()) found.add(rows.getString(column));
    return found;
  }

  /** The first column of the first row. */
  static Object value(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getObject(1);
    }
  }
}
