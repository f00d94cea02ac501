import java.io.ByteArrayOutputStream;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/** COPY with CopyManager. */
final class CopyChecks {
  private CopyChecks() {}

  static CopyManager copies(Connection connection) throws SQLException {
    return connection.unwrap(PGConnection.class).getCopyAPI();
  }

  static void run() {
    Checks.check("JDBC copies out", () -> {
      try (Connection connection = Checks.connect(); StringWriter target = new StringWriter()) {
        long count = copies(connection).copyOut("copy (select id, name from main.folders where id <= 2 order by id) to stdout with csv header", target);
        Checks.equal(count + target.toString(), "2id,name\n1,root\n2,docs\n");
      }
    });

    Checks.check("JDBC copies in", () -> {
      int id = Checks.freshId();
      try (Connection connection = Checks.connect()) {
        long count = copies(connection).copyIn("copy main.scratch (id, name) from stdin", new StringReader(id + "\tcopied é\n"));
        Checks.equal(count, 1L);
        Checks.equal(Checks.value(connection, "select name from main.scratch where id = " + id), "copied é");
      }
    });

    Checks.check("JDBC copies 100 000 rows out as binary", () -> {
      try (Connection connection = Checks.connect(); ByteArrayOutputStream target = new ByteArrayOutputStream()) {
        Checks.equal(copies(connection).copyOut("copy main.numbers to stdout (format binary)", target), 100_000L);
        Checks.equal(new String(target.toByteArray(), 0, 6, StandardCharsets.ISO_8859_1), "PGCOPY");
      }
    });

    Checks.check("JDBC cancels a copy", () -> {
      int id = Checks.freshId();
      try (Connection connection = Checks.connect()) {
        var copy = copies(connection).copyIn("copy main.scratch (id, name) from stdin");
        byte[] line = (id + "\tx\n").getBytes(StandardCharsets.UTF_8);
        copy.writeToCopy(line, 0, line.length);
        copy.cancelCopy();
        Checks.equal(Checks.value(connection, "select count(*) from main.scratch where id = " + id), 0L);
      }
    });

    Checks.check("JDBC hears of a wrong row in a copy", () -> {
      try (Connection connection = Checks.connect()) {
        SQLException error = Checks.raised(() -> copies(connection).copyIn("copy main.scratch (id, name) from stdin", new StringReader("x\ty\n")));
        Checks.equal(error.getSQLState(), "22P02");
        Checks.equal(Checks.value(connection, "select 1"), 1);
      }
    });
  }
}
