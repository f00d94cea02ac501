import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;

/** A session of pgjdbc, which keeps the types that it has met: for each line it reads, it uses the enum and prints what it got. */
public final class EnumSession {
    private EnumSession() {}

    public static void main(String[] words) throws Exception {
        String url = "jdbc:postgresql://" + System.getenv("WIRE_HOST") + ":" + System.getenv("WIRE_PORT")
                + "/" + System.getenv("WIRE_DATABASE") + "?prepareThreshold=1";
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        try (Connection connection =
                        DriverManager.getConnection(url, System.getenv("WIRE_USER"), System.getenv("WIRE_PASSWORD"));
                PreparedStatement select = connection.prepareStatement("select m, ms from t1 where id = 1");
                PreparedStatement find = connection.prepareStatement("select id from t1 where m = ?::mood");
                PreparedStatement insert = connection.prepareStatement("insert into t1 (id, ms) values (?, ?)")) {
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                StringBuilder answer = new StringBuilder();
                try (ResultSet row = select.executeQuery()) {
                    row.next();
                    Object[] moods = (Object[]) row.getArray(2).getArray();
                    answer.append("{\"mood\":\"").append(row.getString(1)).append("\",\"moods\":[\"")
                            .append(moods[0]).append("\",\"").append(moods[1]).append("\"],\"found\":[");
                }
                find.setString(1, "ok");
                try (ResultSet row = find.executeQuery()) {
                    for (String separator = ""; row.next(); separator = ",") {
                        answer.append(separator).append(row.getInt(1));
                    }
                }
                insert.setInt(1, Integer.parseInt(line));
                insert.setArray(2, connection.createArrayOf("mood", new Object[] {"sad"}));
                insert.executeUpdate();
                System.out.println(answer.append("]}"));
                System.out.flush();
            }
        }
    }
}
