import java.math.BigDecimal;
import java.sql.Array;
import java.sql.Connection;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Objects;
import java.util.TimeZone;
import java.util.UUID;
import org.postgresql.util.PGobject;

/** Values both ways: the first runs are text, the later ones binary. */
final class ValueChecks {
  interface Reader {
    Object read(ResultSet rows) throws Exception;
  }

  private ValueChecks() {}

  /** Writes and reads a value seven times. */
  static void keeps(String column, Object value, Reader reader) throws Exception {
    String sql = "insert into main.scratch (id, name, " + column + ") values (?, 'v', ?) returning " + column;
    try (Connection connection = Checks.connect();
        PreparedStatement insert = connection.prepareStatement(sql);
        PreparedStatement delete = connection.prepareStatement("delete from main.scratch where id = ?")) {
      for (int run = 0; run < 7; run++) {
        int id = Checks.freshId();
        insert.setInt(1, id);
        insert.setObject(2, value);
        ResultSet rows = insert.executeQuery();
        rows.next();
        Object back = reader.read(rows);
        Checks.holds(Objects.deepEquals(back, value), "run " + run + ": " + back + " is not " + value);
        delete.setInt(1, id);
        Checks.equal(delete.executeUpdate(), 1);
      }
    }
  }

  /** The driver says the zone with every value: `2024-02-29 -05`. */
  private static void keepsIn(String zone) throws Exception {
    TimeZone before = TimeZone.getDefault();
    TimeZone.setDefault(TimeZone.getTimeZone(zone));
    try {
      keeps("day", Date.valueOf("2024-02-29"), rows -> rows.getDate(1));
      keeps("day", LocalDate.of(1, 1, 1), rows -> rows.getObject(1, LocalDate.class));
      keeps("at", Timestamp.valueOf("2024-02-29 23:59:59.999"), rows -> rows.getTimestamp(1));
      keeps("seen_at", Timestamp.valueOf("2024-03-10 01:30:00"), rows -> rows.getTimestamp(1));
    } finally {
      TimeZone.setDefault(before);
    }
  }

  static void run() {
    Checks.check("JDBC keeps numbers", () -> {
      keeps("n", Integer.MIN_VALUE, rows -> rows.getInt(1));
      keeps("big", Long.MAX_VALUE, rows -> rows.getLong(1));
      keeps("amount", new BigDecimal("-99999999.99"), rows -> rows.getBigDecimal(1));
      keeps("amount", new BigDecimal("0.00"), rows -> rows.getBigDecimal(1));
      keeps("ratio", 1.7976931348623157e308, rows -> rows.getDouble(1));
      keeps("ratio", 0.1, rows -> rows.getDouble(1));
    });

    Checks.check("JDBC keeps texts, booleans and bytes", () -> {
      keeps("note", "it's \\ é 😀\t\n", rows -> rows.getString(1));
      keeps("note", "", rows -> rows.getString(1));
      keeps("flag", false, rows -> rows.getBoolean(1));
      byte[] bytes = new byte[256];
      for (int index = 0; index < 256; index++) bytes[index] = (byte) index;
      keeps("bytes", bytes, rows -> rows.getBytes(1));
    });

    Checks.check("JDBC keeps dates and times", () -> {
      keeps("day", LocalDate.of(2024, 2, 29), rows -> rows.getObject(1, LocalDate.class));
      keeps("day", Date.valueOf("1999-12-31"), rows -> rows.getDate(1));
      keeps("at", LocalDateTime.of(2024, 2, 29, 23, 59, 59, 999_999_000), rows -> rows.getObject(1, LocalDateTime.class));
      OffsetDateTime moment = OffsetDateTime.of(2024, 2, 29, 12, 0, 0, 1000, ZoneOffset.UTC);
      keeps("seen_at", moment, rows -> rows.getObject(1, OffsetDateTime.class));
    });

    Checks.check("JDBC keeps dates and times of a machine west of Greenwich", () -> keepsIn("America/New_York"));

    Checks.check("JDBC keeps dates and times of a machine east of Greenwich", () -> keepsIn("Asia/Kolkata"));

    Checks.check("JDBC keeps JSON", () -> {
      PGobject json = new PGobject();
      json.setType("jsonb");
      json.setValue("{\"a\": [1, null]}");
      keeps("data", json, rows -> rows.getObject(1));
    });

    Checks.check("JDBC keeps NULL in every column", () -> {
      String[] columns = {"note", "amount", "small", "big", "ratio", "code", "day", "at", "seen_at", "data", "bytes"};
      for (String column : columns) keeps(column, null, rows -> rows.getObject(1));
    });

    Checks.check("JDBC sets typed NULLs", () -> {
      try (Connection connection = Checks.connect(); PreparedStatement statement = connection.prepareStatement("update main.scratch set note = ?, amount = ?, day = ? where id = 3")) {
        statement.setNull(1, Types.VARCHAR);
        statement.setNull(2, Types.NUMERIC);
        statement.setNull(3, Types.DATE);
        Checks.equal(statement.executeUpdate(), 1);
      }
    });

    Checks.check("JDBC reads the same samples in text and in binary", () -> {
      String sql = "select * from main.type_samples order by id";
      try (Connection text = Checks.connect("binaryTransfer", "false");
          Connection binary = Checks.connect("prepareThreshold", "-1");
          ResultSet left = text.prepareStatement(sql).executeQuery();
          ResultSet right = binary.prepareStatement(sql).executeQuery()) {
        int count = left.getMetaData().getColumnCount();
        while (left.next()) {
          right.next();
          for (int column = 1; column <= count; column++) {
            Object here = left.getObject(column);
            Checks.holds(Objects.deepEquals(here, right.getObject(column)), column + ": " + here + ", " + right.getObject(column));
          }
        }
        Checks.holds(!right.next(), "as many rows");
      }
    });

    Checks.check("JDBC reads values as their classes", () -> {
      try (Connection connection = Checks.connect(); PreparedStatement statement = connection.prepareStatement("select * from main.type_samples where label = ?")) {
        for (int run = 0; run < 7; run++) {
          statement.setString(1, "largest");
          ResultSet rows = statement.executeQuery();
          rows.next();
          Checks.equal(rows.getObject("c_int8"), Long.MAX_VALUE);
          Checks.equal(rows.getObject("c_numeric"), new BigDecimal("99999999.9999"));
          Checks.equal(rows.getObject("c_uuid"), UUID.fromString("ffffffff-ffff-ffff-ffff-ffffffffffff"));
          Checks.equal(rows.getObject("c_time", LocalTime.class), LocalTime.of(23, 59, 59, 999_999_000));
          Checks.equal(rows.getObject("c_char"), "zzzzz");
          Checks.equal(rows.getObject("c_date", LocalDate.class), LocalDate.of(9999, 12, 31));
        }
      }
    });

    Checks.check("JDBC compares with uuids", () -> {
      try (Connection connection = Checks.connect(); PreparedStatement statement = connection.prepareStatement("select label from main.type_samples where c_uuid = ?")) {
        for (int run = 0; run < 7; run++) {
          statement.setObject(1, UUID.fromString("11111111-1111-1111-1111-111111111111"));
          ResultSet rows = statement.executeQuery();
          rows.next();
          Checks.equal(rows.getString(1), "zero");
        }
      }
    });

    Checks.check("JDBC filters by an array", () -> {
      try (Connection connection = Checks.connect(); PreparedStatement statement = connection.prepareStatement("select count(*) from main.orders where id = any(?)")) {
        for (int run = 0; run < 7; run++) {
          statement.setArray(1, connection.createArrayOf("int4", new Object[] {1, 2, 3, -1}));
          ResultSet rows = statement.executeQuery();
          rows.next();
          Checks.equal(rows.getInt(1), 3);
        }
      }
    });

    Checks.check("JDBC reads and writes arrays", "postgres", () -> {
      try (Connection connection = Checks.connect();
          PreparedStatement read = connection.prepareStatement("select numbers, names, amounts, grid from main.pg_only where id = ?");
          PreparedStatement write = connection.prepareStatement("insert into main.pg_only (label, numbers, names) values ('java', ?, ?) returning names")) {
        for (int run = 0; run < 7; run++) {
          read.setInt(1, 1);
          ResultSet rows = read.executeQuery();
          rows.next();
          Checks.equal(Arrays.toString((Object[]) rows.getArray(1).getArray()), "[1, 2, 3]");
          Checks.equal(Arrays.toString((Object[]) rows.getArray(2).getArray()), "[a, b c, d,e, null, NULL, ]");
          Checks.equal(Arrays.toString((Object[]) rows.getArray(3).getArray()), "[1.50, 2.00, null]");
          Checks.equal(Arrays.deepToString((Object[]) rows.getArray(4).getArray()), "[[1, 2], [3, 4]]");
          Array numbers = connection.createArrayOf("int4", new Object[] {1, null});
          Array names = connection.createArrayOf("text", new Object[] {"a\"b", "c,d", null, ""});
          write.setArray(1, numbers);
          write.setArray(2, names);
          ResultSet back = write.executeQuery();
          back.next();
          Checks.equal(Arrays.toString((Object[]) back.getArray(1).getArray()), "[a\"b, c,d, null, ]");
        }
      }
    });

    Checks.check("JDBC reads the types that PostgreSQL alone has", "postgres", () -> {
      try (Connection connection = Checks.connect(); PreparedStatement statement = connection.prepareStatement("select current_mood, any_numeric, f4, f8, span, spot, address from main.pg_only where id = ?")) {
        for (int run = 0; run < 7; run++) {
          statement.setInt(1, 1);
          ResultSet rows = statement.executeQuery();
          rows.next();
          Checks.equal(rows.getString(1), "happy");
          Checks.equal(rows.getBigDecimal(2), new BigDecimal("1.50"));
          Checks.equal(rows.getFloat(3), 0.1f);
          Checks.equal(rows.getDouble(4), 0.1);
          Checks.equal(((org.postgresql.util.PGInterval) rows.getObject(5)).getDays(), 1);
          Checks.equal(((org.postgresql.geometric.PGpoint) rows.getObject(6)).y, 2.0);
          Checks.equal(rows.getString(7), "10.0.0.1");
        }
      }
    });

    Checks.check("JDBC sends an enum as text that is none", "postgres", () -> {
      try (Connection connection = Checks.connect(); PreparedStatement statement = connection.prepareStatement("select count(*) from main.pg_only where current_mood = ?")) {
        statement.setObject(1, "happy", Types.OTHER);
        ResultSet rows = statement.executeQuery();
        rows.next();
        Checks.equal(rows.getInt(1), 1);
      }
    });
  }
}
