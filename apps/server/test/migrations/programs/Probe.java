import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;

/** Sends probes by pgjdbc, as probe.py does by psycopg; statements are prepared by the server from their first execution on. */
public final class Probe {
  private static final Map<String, PreparedStatement> STATEMENTS = new HashMap<>();

  private Probe() {}

  public static void main(String[] words) throws Exception {
    var properties = new Properties();
    properties.setProperty("user", "anyone");
    properties.setProperty("password", System.getenv("WIRE_PASSWORD"));
    properties.setProperty("prepareThreshold", "1");
    var url = "jdbc:postgresql://" + System.getenv("WIRE_HOST") + ":" + System.getenv("WIRE_PORT") + "/engine";
    var lines = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
    var out = new PrintStream(System.out, true, "UTF-8");
    try (var connection = DriverManager.getConnection(url, properties)) {
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        out.println(answer(connection, line.split("\t", -1)));
      }
    }
  }

  private static String answer(Connection connection, String[] parts) {
    try {
      var statement = STATEMENTS.get(parts[0]);
      if (statement == null) {
        statement = connection.prepareStatement(parts[0].replaceAll("\\$\\d+", "?"));
        STATEMENTS.put(parts[0], statement);
      }
      for (int i = 1; i < parts.length; i++) statement.setObject(i, parts[i], Types.OTHER);
      return statement.execute() ? "rows\t" + rows(statement.getResultSet()) : "rows\t";
    } catch (SQLException error) {
      return "error\t" + error.getSQLState() + "\t" + error.getMessage().replaceAll("[\n\t]", " ");
    }
  }

  private static String rows(ResultSet result) throws SQLException {
    var text = new StringBuilder();
    int count = result.getMetaData().getColumnCount();
    while (result.next()) {
      text.append('\u001e');
      for (int i = 1; i <= count; i++) {
        var cell = result.getString(i);
        text.append(i == 1 ? "" : "\u001f").append(cell == null ? "\0" : cell);
      }
    }
    return text.toString();
  }
}
