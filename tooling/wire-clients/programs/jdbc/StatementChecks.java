import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.Statement;
import java.sql.Types;
import java.util.Arrays;
import org.postgresql.PGStatement;

/** Statements, pieces of results, batches, keys, descriptions. */
final class StatementChecks {
  private StatementChecks() {}

  static void run() {
    Checks.check("JDBC prepares on the server and turns to binary after five runs", () -> {
      String sql = "select id, freight, total_cents, order_date, paid_at, shipped_on, status from main.orders where id = ?";
      try (Connection connection = Checks.connect(); PreparedStatement statement = connection.prepareStatement(sql)) {
        String first = null;
        for (int run = 1; run <= 12; run++) {
          statement.setInt(1, 5);
          ResultSet rows = statement.executeQuery();
          rows.next();
          StringBuilder row = new StringBuilder();
          for (int column = 1; column <= 7; column++) row.append(rows.getObject(column)).append('|');
          if (first == null) first = row.toString();
          Checks.equal(row.toString(), first);
          Checks.holds(!rows.next(), "one row");
        }
        Checks.holds(statement.unwrap(PGStatement.class).isUseServerPrepare(), "prepared");
      }
    });

    Checks.check("JDBC uses binary from the first run when told to", () -> {
      try (Connection connection = Checks.connect("prepareThreshold", "-1");
          PreparedStatement statement = connection.prepareStatement("select amount, data, flag, ratio from main.scratch where id = ? and amount = ?")) {
        statement.setInt(1, 1);
        statement.setBigDecimal(2, new java.math.BigDecimal("1.1"));
        ResultSet rows = statement.executeQuery();
        rows.next();
        Checks.equal(rows.getBigDecimal(1).toString(), "1.10");
        Checks.equal(rows.getString(2), "{\"k\": 1}");
        Checks.equal(rows.getBoolean(3), true);
        Checks.equal(rows.getDouble(4), 0.5);
      }
    });

    Checks.check("JDBC fetches in pieces", () -> {
      try (Connection connection = Checks.connect()) {
        connection.setAutoCommit(false);
        try (PreparedStatement statement = connection.prepareStatement("select id from main.orders where id > ? order by id")) {
          statement.setFetchSize(70);
          statement.setInt(1, 0);
          ResultSet rows = statement.executeQuery();
          for (int id = 1; id <= 300; id++) {
            Checks.holds(rows.next(), id);
            Checks.equal(rows.getInt(1), id);
          }
          Checks.holds(!rows.next(), "the end");
        }
        connection.commit();
      }
    });

    Checks.check("JDBC fetches pieces of exactly the size of the result", () -> {
      try (Connection connection = Checks.connect(); Statement statement = connection.createStatement()) {
        connection.setAutoCommit(false);
        statement.setFetchSize(100);
        ResultSet rows = statement.executeQuery("select id from main.orders");
        int count = 0;
        while (rows.next()) count++;
        Checks.equal(count, 300);
      }
    });

    Checks.check("JDBC reads 100 000 rows in pieces, another statement between them", () -> {
      try (Connection connection = Checks.connect(); Statement statement = connection.createStatement(); Statement other = connection.createStatement()) {
        connection.setAutoCommit(false);
        statement.setFetchSize(10_000);
        ResultSet rows = statement.executeQuery("select n, label from main.numbers order by n");
        long sum = 0;
        while (rows.next()) {
          sum += rows.getInt(1);
          if (rows.getInt(1) % 25_000 == 0) other.executeQuery("select 1").close();
        }
        Checks.equal(sum, 100_000L * 100_001 / 2);
      }
    });

    Checks.check("JDBC stops reading pieces early", () -> {
      try (Connection connection = Checks.connect(); Statement statement = connection.createStatement()) {
        connection.setAutoCommit(false);
        statement.setFetchSize(10);
        ResultSet rows = statement.executeQuery("select n from main.numbers");
        rows.next();
        rows.close();
        Checks.equal(Checks.value(connection, "select count(*) from main.orders"), 300L);
        connection.commit();
      }
    });

    Checks.check("JDBC limits rows", () -> {
      try (Connection connection = Checks.connect(); Statement statement = connection.createStatement()) {
        statement.setMaxRows(7);
        ResultSet rows = statement.executeQuery("select id from main.orders");
        int count = 0;
        while (rows.next()) count++;
        Checks.equal(count, 7);
      }
    });

    Checks.check("JDBC scrolls a result", () -> {
      try (Connection connection = Checks.connect();
          Statement statement = connection.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY)) {
        ResultSet rows = statement.executeQuery("select id from main.orders order by id");
        rows.last();
        Checks.equal(rows.getRow(), 300);
        rows.absolute(10);
        Checks.equal(rows.getInt(1), 10);
      }
    });

    Checks.check("JDBC updates through a result", () -> {
      int id = Checks.freshId();
      try (Connection connection = Checks.connect();
          Statement statement = connection.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE)) {
        statement.executeUpdate("insert into main.scratch (id, name) values (" + id + ", 'before')");
        ResultSet rows = statement.executeQuery("select id, name from main.scratch where id = " + id);
        rows.next();
        rows.updateString("name", "after");
        rows.updateRow();
        Checks.equal(Checks.value(connection, "select name from main.scratch where id = " + id), "after");
      }
    });

    Checks.check("JDBC runs a batch", () -> {
      for (String rewritten : new String[] {"false", "true"}) {
        try (Connection connection = Checks.connect("reWriteBatchedInserts", rewritten);
            PreparedStatement statement = connection.prepareStatement("insert into main.scratch (id, name) values (?, ?)")) {
          for (int index = 0; index < 100; index++) {
            statement.setInt(1, Checks.freshId());
            statement.setString(2, "batch");
            statement.addBatch();
          }
          Checks.equal(statement.executeBatch().length, 100);
          Checks.equal(Checks.value(connection, "select count(*) from main.scratch where name = 'batch'"), 100L);
          try (Statement delete = connection.createStatement()) {
            Checks.equal(delete.executeUpdate("delete from main.scratch where name = 'batch'"), 100);
          }
        }
      }
    });

    Checks.check("JDBC undoes a batch that fails", () -> {
      try (Connection connection = Checks.connect(); Statement statement = connection.createStatement()) {
        int id = Checks.freshId();
        statement.addBatch("insert into main.scratch (id, name) values (" + id + ", 'x')");
        statement.addBatch("insert into main.scratch (id, name) values (" + id + ", 'x')");
        Checks.equal(Checks.raised(statement::executeBatch).getSQLState(), "23505");
        Checks.equal(Checks.value(connection, "select count(*) from main.scratch where id = " + id), 0L);
      }
    });

    Checks.check("JDBC gets generated keys", () -> {
      try (Connection connection = Checks.connect()) {
        try (PreparedStatement statement = connection.prepareStatement("insert into main.folders (name) values (?)", new String[] {"id"})) {
          statement.setString(1, "java");
          Checks.equal(statement.executeUpdate(), 1);
          ResultSet keys = statement.getGeneratedKeys();
          Checks.holds(keys.next() && keys.getInt(1) > 5, "a key");
        }
        try (Statement statement = connection.createStatement()) {
          statement.executeUpdate("insert into main.folders (name) values ('java')", Statement.RETURN_GENERATED_KEYS);
          ResultSet keys = statement.getGeneratedKeys();
          Checks.holds(keys.next() && keys.getString("name").equals("java"), "a row");
        }
      }
    });

    Checks.check("JDBC runs several statements in one text", () -> {
      try (Connection connection = Checks.connect(); Statement statement = connection.createStatement()) {
        Checks.holds(statement.execute("select 1; select count(*) from main.orders; update main.folders set name = name where id = 1"), "rows");
        Checks.holds(statement.getMoreResults(), "rows again");
        statement.getResultSet().next();
        Checks.holds(!statement.getMoreResults(), "a count");
        Checks.equal(statement.getUpdateCount(), 1);
      }
    });

    Checks.check("JDBC describes result columns", () -> {
      String sql = "select o.id, o.freight, c.email, count(*) as n, o.customer_id + 1 as sum from main.orders o"
          + " join main.customers c on c.id = o.customer_id group by o.id, c.email limit 1";
      try (Connection connection = Checks.connect(); PreparedStatement statement = connection.prepareStatement(sql)) {
        ResultSetMetaData meta = statement.getMetaData();
        Checks.equal(meta.getColumnCount(), 5);
        int[] kinds = {Types.INTEGER, Types.NUMERIC, Types.VARCHAR, Types.BIGINT, Types.INTEGER};
        for (int column = 1; column <= 5; column++) Checks.equal(meta.getColumnType(column), kinds[column - 1]);
        Checks.equal(meta.getTableName(1) + "." + meta.getTableName(3) + "." + meta.getTableName(4), "orders.customers.");
        Checks.equal(((org.postgresql.PGResultSetMetaData) meta).getBaseSchemaName(1), "main");
        Checks.equal(meta.getPrecision(2) + "," + meta.getScale(2), "10,2");
        Checks.equal(meta.getPrecision(3), 120);
        Checks.equal(meta.getColumnLabel(4), "n");
        Checks.equal(meta.isNullable(1), ResultSetMetaData.columnNoNulls);
        Checks.equal(meta.isNullable(2), ResultSetMetaData.columnNullable);
        Checks.equal(meta.isNullable(4), ResultSetMetaData.columnNullableUnknown);
      }
    });

    Checks.check("JDBC tells which columns number themselves", "postgres", () -> {
      try (Connection connection = Checks.connect(); PreparedStatement statement = connection.prepareStatement("select id, customer_id from main.orders")) {
        ResultSetMetaData meta = statement.getMetaData();
        Checks.equal(meta.isAutoIncrement(1), true);
        Checks.equal(meta.isAutoIncrement(2), false);
      }
    });

    Checks.check("JDBC describes parameters", () -> {
      String sql = "select 1 from main.orders where id = ? and status = ? and freight < ? and order_date > ? limit ?";
      try (Connection connection = Checks.connect(); PreparedStatement statement = connection.prepareStatement(sql)) {
        var meta = statement.getParameterMetaData();
        String[] names = new String[meta.getParameterCount()];
        for (int index = 0; index < names.length; index++) names[index] = meta.getParameterTypeName(index + 1);
        Checks.equal(Arrays.toString(names), "[int4, text, numeric, timestamp, int8]");
      }
    });

    Checks.check("JDBC writes JDBC escapes", () -> {
      try (Connection connection = Checks.connect(); PreparedStatement statement = connection.prepareStatement("select {fn ucase(name)}, {d '2024-02-29'} from main.folders where id = ?")) {
        statement.setInt(1, 1);
        ResultSet rows = statement.executeQuery();
        rows.next();
        Checks.equal(rows.getString(1) + rows.getDate(2), "ROOT2024-02-29");
      }
    });

    Checks.check("JDBC runs an empty statement", () -> {
      try (Connection connection = Checks.connect(); Statement statement = connection.createStatement()) {
        Checks.holds(!statement.execute(""), "no rows");
        Checks.holds(!statement.execute("-- nothing"), "no rows");
      }
    });

    Checks.check("JDBC reads a result of a named cursor", () -> {
      try (Connection connection = Checks.connect(); Statement statement = connection.createStatement()) {
        connection.setAutoCommit(false);
        statement.execute("declare c no scroll cursor for select id from main.orders order by id");
        ResultSet rows = statement.executeQuery("fetch forward 5 from c");
        int count = 0;
        while (rows.next()) count++;
        Checks.equal(count, 5);
        connection.commit();
      }
    });
  }
}
