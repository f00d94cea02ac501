/** pgjdbc: Java's driver, which BI tools use. */
public final class Main {
  private Main() {}

  public static void main(String[] words) {
    SessionChecks.run();
    StatementChecks.run();
    ValueChecks.run();
    MetadataChecks.run();
    CopyChecks.run();
  }
}
