import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.Types;
import java.util.List;

/** What BI tools ask of the catalog. */
final class MetadataChecks {
  interface Question {
    void ask(DatabaseMetaData meta) throws Exception;
  }

  private MetadataChecks() {}

  static void ask(Question question) throws Exception {
    try (Connection connection = Checks.connect()) {
      question.ask(connection.getMetaData());
    }
  }

  static void run() {
    Checks.check("JDBC metadata names product, driver and limits", () -> ask(meta -> {
      Checks.equal(meta.getDatabaseProductName(), "PostgreSQL");
      Checks.holds(meta.getDatabaseMajorVersion() >= 15, meta.getDatabaseMajorVersion());
      Checks.equal(meta.getUserName(), Checks.USER);
      Checks.equal(meta.getMaxColumnNameLength(), 63);
      Checks.equal(meta.getIdentifierQuoteString(), "\"");
      Checks.equal(meta.getMaxColumnsInIndex(), 32);
    }));

    Checks.check("JDBC metadata lists schemas", () -> ask(meta -> {
      List<String> found = Checks.texts(meta.getSchemas(), "TABLE_SCHEM");
      Checks.holds(found.contains("main") && found.contains("pg_catalog") && found.contains("information_schema"), found);
      Checks.equal(Checks.texts(meta.getSchemas(null, "ma%"), "TABLE_SCHEM"), List.of("main"));
    }));

    Checks.check("JDBC metadata lists catalogs", () -> ask(meta -> {
      Checks.holds(Checks.texts(meta.getCatalogs(), "TABLE_CAT").contains(Checks.DATABASE), "the database");
    }));

    Checks.check("JDBC metadata lists tables and views", () -> ask(meta -> {
      List<String> tables = Checks.texts(meta.getTables(null, "main", "%", new String[] {"TABLE"}), "TABLE_NAME");
      Checks.holds(tables.contains("orders") && tables.contains("odd names") && !tables.contains("open_orders"), tables);
      List<String> views = Checks.texts(meta.getTables(null, "main", "%", new String[] {"VIEW"}), "TABLE_NAME");
      Checks.holds(views.contains("open_orders") && !views.contains("orders"), views);
      Checks.equal(Checks.texts(meta.getTables(null, "main", "order\\_items", null), "TABLE_NAME"), List.of("order_items"));
      Checks.holds(!Checks.texts(meta.getTables(null, null, "%", new String[] {"SYSTEM TABLE"}), "TABLE_NAME").isEmpty(), "system tables");
    }));

    Checks.check("JDBC metadata lists kinds of tables", () -> ask(meta -> {
      Checks.holds(Checks.texts(meta.getTableTypes(), "TABLE_TYPE").contains("VIEW"), "VIEW");
    }));

    Checks.check("JDBC metadata lists columns", () -> ask(meta -> {
      ResultSet rows = meta.getColumns(null, "main", "orders", "%");
      StringBuilder found = new StringBuilder();
      while (rows.next()) {
        found.append(rows.getString("COLUMN_NAME")).append(' ').append(rows.getString("TYPE_NAME")).append(' ')
            .append(rows.getString("IS_NULLABLE")).append(' ').append(rows.getInt("ORDINAL_POSITION")).append('\n');
      }
      String text = found.toString();
      Checks.holds(text.contains("customer_id int4 NO 2\n") && text.contains("freight numeric YES 5\n"), text);
      Checks.holds(text.contains("paid_at timestamptz YES 8\n"), text);
    }));

    Checks.check("JDBC metadata tells sizes and codes of columns", () -> ask(meta -> {
      ResultSet rows = meta.getColumns(null, "main", "products", "cost");
      Checks.holds(rows.next(), "a column");
      Checks.equal(rows.getInt("COLUMN_SIZE") + "," + rows.getInt("DECIMAL_DIGITS"), "12,4");
      Checks.equal(rows.getInt("DATA_TYPE"), Types.NUMERIC);
      rows = meta.getColumns(null, "main", "products", "sku");
      Checks.holds(rows.next(), "a column");
      Checks.equal(rows.getInt("COLUMN_SIZE"), 20);
    }));

    Checks.check("JDBC metadata tells defaults and numbered columns", "postgres", () -> ask(meta -> {
      ResultSet rows = meta.getColumns(null, "main", "orders", "status");
      rows.next();
      Checks.equal(rows.getString("COLUMN_DEF"), "'new'::text");
      rows = meta.getColumns(null, "main", "orders", "id");
      rows.next();
      Checks.equal(rows.getString("IS_AUTOINCREMENT"), "YES");
    }));

    Checks.check("JDBC metadata tells comments", "postgres", () -> ask(meta -> {
      Checks.equal(Checks.texts(meta.getTables(null, "main", "orders", null), "REMARKS"), List.of("What customers ordered"));
      Checks.equal(Checks.texts(meta.getColumns(null, "main", "orders", "freight"), "REMARKS"), List.of("In euros"));
    }));

    Checks.check("JDBC metadata finds primary keys", () -> ask(meta -> {
      Checks.equal(Checks.texts(meta.getPrimaryKeys(null, "main", "order_items"), "COLUMN_NAME"), List.of("order_id", "product_id"));
      Checks.equal(Checks.texts(meta.getPrimaryKeys(null, "main", "orders"), "COLUMN_NAME"), List.of("id"));
    }));

    Checks.check("JDBC metadata finds foreign keys both ways", () -> ask(meta -> {
      List<String> imported = Checks.texts(meta.getImportedKeys(null, "main", "orders"), "PKTABLE_NAME");
      Checks.equal(imported, List.of("customers", "employees"));
      List<String> exported = Checks.texts(meta.getExportedKeys(null, "main", "customers"), "FKTABLE_NAME");
      Checks.holds(exported.containsAll(List.of("orders", "reviews", "customer_profiles")), exported);
      Checks.equal(Checks.texts(meta.getCrossReference(null, "main", "customers", null, "main", "orders"), "FKCOLUMN_NAME"), List.of("customer_id"));
    }));

    Checks.check("JDBC metadata finds indexes", () -> ask(meta -> {
      List<String> unique = Checks.texts(meta.getIndexInfo(null, "main", "products", true, false), "COLUMN_NAME");
      Checks.holds(unique.containsAll(List.of("id", "sku")), unique);
    }));

    Checks.check("JDBC metadata finds indexes that are not unique", "postgres", () -> ask(meta -> {
      List<String> found = Checks.texts(meta.getIndexInfo(null, "main", "orders", false, false), "INDEX_NAME");
      Checks.holds(found.contains("orders_customer_id_idx"), found);
    }));

    Checks.check("JDBC metadata finds the best key of a row", () -> ask(meta -> {
      Checks.equal(Checks.texts(meta.getBestRowIdentifier(null, "main", "orders", DatabaseMetaData.bestRowSession, true), "COLUMN_NAME"), List.of("id"));
    }));

    Checks.check("JDBC metadata lists types", () -> ask(meta -> {
      List<String> found = Checks.texts(meta.getTypeInfo(), "TYPE_NAME");
      Checks.holds(found.containsAll(List.of("int4", "text", "numeric", "timestamptz", "uuid", "jsonb")), found);
    }));

    Checks.check("JDBC metadata lists functions and procedures", () -> ask(meta -> {
      Checks.holds(Checks.texts(meta.getFunctions(null, "pg_catalog", "lower"), "FUNCTION_NAME").contains("lower"), "lower");
      Checks.holds(!Checks.texts(meta.getFunctionColumns(null, "pg_catalog", "lower", null), "FUNCTION_NAME").isEmpty(), "columns");
      meta.getProcedures(null, "main", "%").close();
    }));

    Checks.check("JDBC metadata tells privileges", () -> ask(meta -> {
      meta.getTablePrivileges(null, "main", "orders").close();
      meta.getColumnPrivileges(null, "main", "orders", "id").close();
      meta.getUDTs(null, "main", "%", null).close();
    }));

    Checks.check("JDBC metadata lists key words and functions of the server", () -> ask(meta -> {
      Checks.holds(meta.getSQLKeywords().contains("ilike"), meta.getSQLKeywords());
      Checks.holds(meta.getStringFunctions().contains("ucase"), meta.getStringFunctions());
    }));

    Checks.check("JDBC asks what BI tools ask", () -> {
      try (Connection connection = Checks.connect()) {
        Checks.value(connection, "select current_user, session_user, current_schema(), version()");
        Checks.value(connection, "select count(*) from information_schema.tables where table_schema = 'main'");
        Checks.value(connection, "select n.nspname from pg_catalog.pg_namespace n where n.oid = (select relnamespace from pg_class where relname = 'orders' limit 1)");
        Checks.equal(Checks.value(connection, "select has_table_privilege('main.orders', 'select')"), true);
        Checks.equal(Checks.value(connection, "select quote_ident('Odd Name')"), "\"Odd Name\"");
        Checks.value(connection, "select current_setting('search_path')");
        Checks.value(connection, "select count(*) from pg_catalog.pg_settings");
        Checks.value(connection, "select count(*) from pg_catalog.pg_stat_activity");
        Checks.value(connection, "select datname from pg_catalog.pg_database order by 1");
        Checks.value(connection, "select count(*) from pg_catalog.pg_extension");
        Checks.value(connection, "select pg_catalog.pg_get_expr(d.adbin, d.adrelid) from pg_catalog.pg_attrdef d limit 1");
      }
    });
  }
}
