import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.Properties;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.jdbc.PreferQueryMode;

/** Startup, transactions, cancelling. */
final class SessionChecks {
  private SessionChecks() {}

  static void run() {
    Checks.check("JDBC connects with a URL", () -> {
      String words = "?user=" + Checks.USER + "&password=" + java.net.URLEncoder.encode(Checks.PASSWORD, "UTF-8") + "&ApplicationName=wire";
      try (Connection connection = DriverManager.getConnection(Checks.URL + words)) {
        Checks.equal(Checks.value(connection, "show application_name"), "wire");
        Checks.holds(connection.isValid(5), "isValid");
      }
    });

    Checks.check("JDBC connects from a data source", () -> {
      PGSimpleDataSource source = new PGSimpleDataSource();
      source.setUrl(Checks.URL);
      source.setUser(Checks.USER);
      source.setPassword(Checks.PASSWORD);
      try (Connection connection = source.getConnection()) {
        Checks.equal(Checks.value(connection, "select count(*) from main.orders"), 300L);
      }
    });

    Checks.check("JDBC is refused with a wrong password", () -> {
      SQLException error = Checks.raised(() -> Checks.connect("password", "wrong").close());
      Checks.equal(error.getSQLState(), "28P01");
    });

    Checks.check("JDBC connects without a database of that name being asked for", "engine", () -> {
      Properties properties = new Properties();
      properties.setProperty("user", Checks.USER);
      properties.setProperty("password", Checks.PASSWORD);
      String url = "jdbc:postgresql://" + Checks.HOST + ":" + Checks.PORT + "/";
      DriverManager.getConnection(url, properties).close();
    });

    Checks.check("JDBC works with the simple protocol alone", () -> {
      try (Connection connection = Checks.connect("preferQueryMode", "simple");
          var statement = connection.prepareStatement("select name from main.folders where id = ?")) {
        Checks.equal(connection.unwrap(PGConnection.class).getPreferQueryMode(), PreferQueryMode.SIMPLE);
        statement.setInt(1, 2);
        var rows = statement.executeQuery();
        rows.next();
        Checks.equal(rows.getString(1), "docs");
      }
    });

    Checks.check("JDBC works with cached statements for everything", () -> {
      try (Connection connection = Checks.connect("preferQueryMode", "extendedCacheEverything");
          Statement statement = connection.createStatement()) {
        for (int run = 0; run < 8; run++) {
          var rows = statement.executeQuery("select count(*) from main.orders");
          rows.next();
          Checks.equal(rows.getInt(1), 300);
        }
      }
    });

    Checks.check("JDBC asks for a primary server", () -> {
      try (Connection connection = Checks.connect("targetServerType", "primary")) {
        Checks.equal(Checks.value(connection, "select 1"), 1);
      }
    });

    Checks.check("JDBC sends texts whose type the server is to find", () -> {
      try (Connection connection = Checks.connect("stringtype", "unspecified");
          var statement = connection.prepareStatement("select count(*) from main.orders where id = ? and order_date > ?")) {
        for (int run = 0; run < 7; run++) {
          statement.setString(1, "5");
          statement.setString(2, "2000-01-01");
          var rows = statement.executeQuery();
          rows.next();
          Checks.equal(rows.getInt(1), 1);
        }
      }
    });

    Checks.check("JDBC calls a function", () -> {
      try (Connection connection = Checks.connect(); var call = connection.prepareCall("{? = call upper(?)}")) {
        call.registerOutParameter(1, java.sql.Types.VARCHAR);
        call.setString(2, "é");
        call.execute();
        Checks.equal(call.getString(1), "É");
      }
    });

    Checks.check("JDBC keeps the time zone of its machine", () -> {
      try (Connection connection = Checks.connect()) {
        Checks.equal(Checks.value(connection, "show timezone"), java.util.TimeZone.getDefault().getID());
      }
    });

    Checks.check("JDBC sets options of the startup packet", () -> {
      try (Connection connection = Checks.connect("options", "-c statement_timeout=90000")) {
        Checks.equal(Checks.value(connection, "show statement_timeout"), "90s");
      }
    });

    Checks.check("JDBC commits and rolls back", () -> {
      int kept = Checks.freshId();
      int lost = Checks.freshId();
      try (Connection connection = Checks.connect(); Statement statement = connection.createStatement()) {
        connection.setAutoCommit(false);
        statement.executeUpdate("insert into main.scratch (id, name) values (" + kept + ", 'x')");
        connection.commit();
        statement.executeUpdate("insert into main.scratch (id, name) values (" + lost + ", 'x')");
        connection.rollback();
        Checks.equal(Checks.value(connection, "select count(*) from main.scratch where id in (" + kept + ", " + lost + ")"), 1L);
        connection.commit();
      }
    });

    Checks.check("JDBC goes back to savepoints", () -> {
      int id = Checks.freshId();
      try (Connection connection = Checks.connect(); Statement statement = connection.createStatement()) {
        connection.setAutoCommit(false);
        Savepoint unnamed = connection.setSavepoint();
        statement.executeUpdate("insert into main.scratch (id, name) values (" + id + ", 'x')");
        Savepoint named = connection.setSavepoint("named");
        Checks.raised(() -> statement.execute("select nothing"));
        connection.rollback(named);
        Checks.equal(Checks.value(connection, "select count(*) from main.scratch where id = " + id), 1L);
        connection.releaseSavepoint(named);
        connection.rollback(unnamed);
        Checks.equal(Checks.value(connection, "select count(*) from main.scratch where id = " + id), 0L);
        connection.rollback();
      }
    });

    Checks.check("JDBC goes on after an error with autosave", () -> {
      try (Connection connection = Checks.connect("autosave", "always"); Statement statement = connection.createStatement()) {
        connection.setAutoCommit(false);
        Checks.equal(Checks.value(connection, "select count(*) from main.orders"), 300L);
        Checks.raised(() -> statement.execute("select nothing from main.orders"));
        Checks.equal(Checks.value(connection, "select count(*) from main.orders"), 300L);
        connection.commit();
      }
    });

    Checks.check("JDBC must roll back after an error", () -> {
      try (Connection connection = Checks.connect(); Statement statement = connection.createStatement()) {
        connection.setAutoCommit(false);
        Checks.raised(() -> statement.execute("select 1 / 0"));
        Checks.equal(Checks.raised(() -> statement.execute("select 1")).getSQLState(), "25P02");
        connection.rollback();
        statement.execute("select 1");
      }
    });

    Checks.check("JDBC chooses the isolation", () -> {
      try (Connection connection = Checks.connect()) {
        Checks.equal(connection.getTransactionIsolation(), Connection.TRANSACTION_READ_COMMITTED);
        connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        Checks.equal(connection.getTransactionIsolation(), Connection.TRANSACTION_SERIALIZABLE);
        connection.setAutoCommit(false);
        Checks.equal(Checks.value(connection, "select count(*) from main.orders"), 300L);
        connection.commit();
      }
    });

    Checks.check("JDBC may not write in a read only connection", () -> {
      try (Connection connection = Checks.connect(); Statement statement = connection.createStatement()) {
        connection.setReadOnly(true);
        connection.setAutoCommit(false);
        SQLException error = Checks.raised(() -> statement.executeUpdate("insert into main.folders (name) values ('x')"));
        Checks.equal(error.getSQLState(), "25006");
        connection.rollback();
      }
    });

    Checks.check("JDBC cancels a statement", () -> {
      try (Connection connection = Checks.connect(); Statement statement = connection.createStatement()) {
        Thread canceller = new Thread(() -> {
          try {
            Thread.sleep(300);
            statement.cancel();
          } catch (InterruptedException | SQLException error) {
            throw new IllegalStateException(error);
          }
        });
        canceller.start();
        Checks.equal(Checks.raised(() -> statement.executeQuery(Checks.SLOW)).getSQLState(), "57014");
        canceller.join();
        Checks.equal(Checks.value(connection, "select 1"), 1);
      }
    });

    Checks.check("JDBC stops a statement after its timeout", () -> {
      try (Connection connection = Checks.connect(); Statement statement = connection.createStatement()) {
        statement.setQueryTimeout(1);
        Checks.equal(Checks.raised(() -> statement.executeQuery(Checks.SLOW)).getSQLState(), "57014");
        Checks.equal(Checks.value(connection, "select 1"), 1);
      }
    });

    Checks.check("JDBC hears of warnings", () -> {
      try (Connection connection = Checks.connect(); Statement statement = connection.createStatement()) {
        statement.execute("rollback");
        Checks.equal(statement.getWarnings().getSQLState(), "25P01");
      }
    });

    Checks.check("JDBC chooses a schema", () -> {
      try (Connection connection = Checks.connect("currentSchema", "main")) {
        Checks.equal(connection.getSchema(), "main");
        Checks.equal(Checks.value(connection, "select count(*) from orders"), 300L);
        connection.setSchema("pg_catalog");
        Checks.equal(connection.getSchema(), "pg_catalog");
        Checks.equal(Checks.raised(() -> Checks.value(connection, "select count(*) from orders")).getSQLState(), "42P01");
      }
    });

    Checks.check("JDBC names the catalog and the client", () -> {
      try (Connection connection = Checks.connect()) {
        Checks.equal(connection.getCatalog(), Checks.DATABASE);
        connection.setClientInfo("ApplicationName", "other");
        Checks.equal(Checks.value(connection, "show application_name"), "other");
      }
    });

    Checks.check("JDBC places errors", () -> {
      try (Connection connection = Checks.connect(); var statement = connection.prepareStatement("select nothing from main.orders where id = ?")) {
        statement.setInt(1, 1);
        SQLException error = Checks.raised(statement::executeQuery);
        var told = ((org.postgresql.util.PSQLException) error).getServerErrorMessage();
        Checks.equal(told.getSQLState(), "42703");
        Checks.equal(told.getPosition(), 8);
        Checks.equal(told.getSeverity(), "ERROR");
      }
    });

    Checks.check("JDBC hears which constraint is violated", () -> {
      try (Connection connection = Checks.connect(); Statement statement = connection.createStatement()) {
        SQLException error = Checks.raised(() -> statement.executeUpdate("insert into main.tags values (1, 'x')"));
        Checks.equal(error.getSQLState(), "23505");
        var told = ((org.postgresql.util.PSQLException) error).getServerErrorMessage();
        Checks.equal(told.getSchema() + "." + told.getTable(), "main.tags");
      }
    });
  }
}
