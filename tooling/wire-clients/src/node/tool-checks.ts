import { ok } from 'node:assert/strict'
import pg from 'pg'
import { check, type OwnCheck } from '../own-client.ts'
import { urlOf, type WireTarget } from '../wire-target.ts'

/** Catalog queries of tools when they connect, by tool. */
export const toolChecks: readonly OwnCheck[] = [
  asks(
    'DBeaver lists databases',
    `SELECT db.oid, db.* FROM pg_catalog.pg_database db
      WHERE datallowconn AND NOT datistemplate OR db.datname = $1 ORDER BY db.datname`,
    ({ database }) => [database],
    ({ database }) => database,
  ),
  asks(
    'DBeaver lists schemas',
    `SELECT n.oid, n.*, d.description FROM pg_catalog.pg_namespace n
      LEFT OUTER JOIN pg_catalog.pg_description d
        ON d.objoid = n.oid AND d.objsubid = 0 AND d.classoid = 'pg_namespace'::regclass
      ORDER BY nspname`,
    () => [],
    () => 'main',
  ),
  asks(
    'DBeaver lists tables',
    `SELECT c.oid, c.*, d.description, pg_catalog.pg_get_expr(c.relpartbound, c.oid) as partition_expr,
        pg_catalog.pg_get_partkeydef(c.oid) as partition_key
      FROM pg_catalog.pg_class c
      LEFT OUTER JOIN pg_catalog.pg_description d
        ON d.objoid = c.oid AND d.objsubid = 0 AND d.classoid = 'pg_class'::regclass
      WHERE c.relnamespace = $1::regnamespace AND c.relkind not in ('i', 'I', 'c')`,
    () => ['main'],
    () => 'order_items',
  ),
  asks(
    'DBeaver lists columns',
    `SELECT c.relname, a.*, pg_catalog.pg_get_expr(ad.adbin, ad.adrelid, true) as def_value, dsc.description, dep.objid
      FROM pg_catalog.pg_attribute a
      INNER JOIN pg_catalog.pg_class c ON (a.attrelid = c.oid)
      LEFT OUTER JOIN pg_catalog.pg_attrdef ad ON (a.attrelid = ad.adrelid AND a.attnum = ad.adnum)
      LEFT OUTER JOIN pg_catalog.pg_description dsc ON (c.oid = dsc.objoid AND a.attnum = dsc.objsubid)
      LEFT OUTER JOIN pg_depend dep on dep.refobjid = a.attrelid AND dep.deptype = 'i'
        and dep.refobjsubid = a.attnum and dep.classid = dep.refclassid
      WHERE NOT a.attisdropped AND c.relkind not in ('i', 'I', 'c') AND c.oid = $1::regclass ORDER BY a.attnum`,
    () => ['main.orders'],
    () => 'ship_city',
  ),
  asks(
    'DBeaver lists constraints',
    `SELECT c.oid, c.*, t.relname as tabrelname, rt.relnamespace as refnamespace, d.description,
        null as consrc_copy, pg_catalog.pg_get_constraintdef(c.oid) as definition
      FROM pg_catalog.pg_constraint c
      INNER JOIN pg_catalog.pg_class t ON t.oid = c.conrelid
      LEFT OUTER JOIN pg_catalog.pg_class rt ON rt.oid = c.confrelid
      LEFT OUTER JOIN pg_catalog.pg_description d
        ON d.objoid = c.oid AND d.objsubid = 0 AND d.classoid = 'pg_constraint'::regclass
      WHERE c.conrelid = $1::regclass ORDER BY c.oid`,
    () => ['main.orders'],
    () => 'FOREIGN KEY (customer_id)',
  ),
  asks(
    'DBeaver asks who it is',
    `SELECT session_user, current_user, current_schema(), version()`,
    () => [],
    ({ user }) => user,
  ),
  asks(
    'Grafana lists tables',
    `SELECT CASE WHEN quote_ident(table_schema) IN (
        SELECT CASE WHEN trim(s[i]) = '"$user"' THEN user ELSE trim(s[i]) END
        FROM generate_series(
          array_lower(string_to_array(current_setting('search_path'), ','), 1),
          array_upper(string_to_array(current_setting('search_path'), ','), 1)) as i,
          string_to_array(current_setting('search_path'), ',') s)
      THEN quote_ident(table_name)
      ELSE quote_ident(table_schema) || '.' || quote_ident(table_name) END AS "table"
      FROM information_schema.tables
      WHERE quote_ident(table_schema) NOT IN ('information_schema', 'pg_catalog') ORDER BY 1`,
    () => [],
    () => '"orders"',
  ),
  asks(
    'Grafana lists columns',
    `SELECT quote_ident(column_name) AS "column", data_type AS "type" FROM information_schema.columns
      WHERE quote_ident(table_name) = $1 ORDER BY ordinal_position`,
    () => ['orders'],
    () => 'timestamp with time zone',
  ),
  asks(
    'Metabase asks for rights',
    `with table_privileges as (
        select NULL as role, t.schemaname as schema, t.objectname as table,
          pg_catalog.has_table_privilege(current_user, '"' || t.schemaname || '"."' || t.objectname || '"', 'UPDATE') as update,
          pg_catalog.has_any_column_privilege(current_user, '"' || t.schemaname || '"."' || t.objectname || '"', 'SELECT') as select,
          pg_catalog.has_table_privilege(current_user, '"' || t.schemaname || '"."' || t.objectname || '"', 'INSERT') as insert
        from (
          select schemaname, tablename as objectname from pg_catalog.pg_tables
          union select schemaname, viewname as objectname from pg_catalog.pg_views
          union select schemaname, matviewname as objectname from pg_catalog.pg_matviews) t
        where t.schemaname !~ '^pg_' and t.schemaname <> 'information_schema'
          and pg_catalog.has_schema_privilege(current_user, t.schemaname, 'USAGE'))
      select t.* from table_privileges t where t.select order by 3`,
    () => [],
    () => 'orders',
  ),
  asks(
    'Metabase lists enums',
    `SELECT nspname, typname FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
      WHERE t.oid IN (SELECT DISTINCT enumtypid FROM pg_enum) union all select 'none', 'none'`,
    () => [],
    () => 'none',
  ),
  asks(
    'Rails reads columns',
    `SELECT a.attname, format_type(a.atttypid, a.atttypmod), pg_get_expr(d.adbin, d.adrelid), a.attnotnull,
        a.atttypid, a.atttypmod, c.collname, col_description(a.attrelid, a.attnum) AS comment, attidentity, attgenerated
      FROM pg_attribute a
      LEFT JOIN pg_attrdef d ON a.attrelid = d.adrelid AND a.attnum = d.adnum
      LEFT JOIN pg_type t ON a.atttypid = t.oid
      LEFT JOIN pg_collation c ON a.attcollation = c.oid AND a.attcollation <> t.typcollation
      WHERE a.attrelid = '"orders"'::regclass AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`,
    () => [],
    () => 'numeric(10,2)',
  ),
  asks(
    'Rails reads types',
    `SELECT t.oid, t.typname, t.typelem, t.typdelim, t.typinput, r.rngsubtype, t.typtype, t.typbasetype
      FROM pg_type as t LEFT JOIN pg_range as r ON oid = rngtypid
      WHERE t.typname IN ('int2', 'int4', 'int8', 'text', 'varchar', 'numeric', 'uuid', 'jsonb')`,
    () => [],
    () => 'jsonb',
  ),
  asks(
    'Django reads tables',
    `SELECT c.relname, CASE WHEN c.relispartition THEN 'p' WHEN c.relkind IN ('m', 'v') THEN 'v' ELSE 't' END,
        obj_description(c.oid, 'pg_class')
      FROM pg_catalog.pg_class c LEFT JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('f', 'm', 'p', 'r', 'v') AND n.nspname NOT IN ('pg_catalog', 'pg_toast')
        AND pg_catalog.pg_table_is_visible(c.oid)`,
    () => [],
    () => 'open_orders',
  ),
  asks(
    'Django reads constraints',
    `SELECT c.conname, array(SELECT attname FROM unnest(c.conkey) WITH ORDINALITY cols(colid, arridx)
          JOIN pg_attribute AS ca ON cols.colid = ca.attnum WHERE ca.attrelid = c.conrelid ORDER BY cols.arridx),
        c.contype, (SELECT fkc.relname || '.' || fka.attname FROM pg_attribute AS fka
          JOIN pg_class AS fkc ON fka.attrelid = fkc.oid
          WHERE fka.attrelid = c.confrelid AND fka.attnum = c.confkey[1]), cl.reloptions
      FROM pg_constraint AS c JOIN pg_class AS cl ON c.conrelid = cl.oid
      WHERE cl.relname = $1 AND pg_catalog.pg_table_is_visible(cl.oid)`,
    () => ['orders'],
    () => 'customers.id',
  ),
  asks(
    'Prisma reads foreign keys',
    `SELECT con.conname, att2.attname AS "child_column", cl.relname AS "parent_table", att.attname AS "parent_column",
        con.confdeltype, rel_ns.nspname
      FROM (SELECT unnest(con1.conkey) AS "parent", unnest(con1.confkey) AS "child", con1.confrelid, con1.conrelid,
          con1.conname, con1.confdeltype
        FROM pg_class cl JOIN pg_constraint con1 ON con1.conrelid = cl.oid WHERE con1.contype = 'f') con
      JOIN pg_attribute att ON att.attrelid = con.confrelid AND att.attnum = con.child
      JOIN pg_class cl ON cl.oid = con.confrelid
      JOIN pg_attribute att2 ON att2.attrelid = con.conrelid AND att2.attnum = con.parent
      JOIN pg_class rel ON rel.oid = con.conrelid JOIN pg_namespace rel_ns ON rel_ns.oid = rel.relnamespace
      WHERE rel_ns.nspname = ANY ($1) ORDER BY 1, 2`,
    () => [['main']],
    () => 'customer_id',
  ),
  asks(
    'Hasura and PostgREST read keys as JSON',
    `select coalesce(json_agg(row_to_json(t)), '[]') as keys from (
        select table_name, constraint_name, constraint_type from information_schema.table_constraints
        where table_schema = 'main' and constraint_type = 'PRIMARY KEY') t`,
    () => [],
    () => 'order_items',
  ),
  asks(
    'Tableau and Power BI read the information schema',
    `select TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE from INFORMATION_SCHEMA.tables
      where TABLE_SCHEMA not in ('information_schema', 'pg_catalog') order by TABLE_SCHEMA, TABLE_NAME`,
    () => [],
    () => 'BASE TABLE',
  ),
  asks(
    'Power BI reads keys',
    `select pkcol.COLUMN_NAME as PK_COLUMN_NAME, fkcol.TABLE_NAME as FK_TABLE_NAME, fkcol.COLUMN_NAME as FK_COLUMN_NAME,
        fkcol.ORDINAL_POSITION as ORDINAL, fkcon.CONSTRAINT_NAME as FK_NAME
      from (select distinct constraint_catalog, constraint_schema, unique_constraint_schema, constraint_name,
          unique_constraint_name from INFORMATION_SCHEMA.REFERENTIAL_CONSTRAINTS) fkcon
      inner join INFORMATION_SCHEMA.KEY_COLUMN_USAGE fkcol
        on fkcon.CONSTRAINT_SCHEMA = fkcol.CONSTRAINT_SCHEMA and fkcon.CONSTRAINT_NAME = fkcol.CONSTRAINT_NAME
      inner join INFORMATION_SCHEMA.KEY_COLUMN_USAGE pkcol
        on fkcon.UNIQUE_CONSTRAINT_SCHEMA = pkcol.CONSTRAINT_SCHEMA
        and fkcon.UNIQUE_CONSTRAINT_NAME = pkcol.CONSTRAINT_NAME
      where pkcol.TABLE_SCHEMA = 'main' and pkcol.TABLE_NAME = 'customers'
        and pkcol.ORDINAL_POSITION = fkcol.ORDINAL_POSITION order by FK_NAME, fkcol.ORDINAL_POSITION`,
    () => [],
    () => 'customer_id',
  ),
  asks(
    'pgAdmin asks about the server',
    `SELECT gss_authenticated, encrypted FROM pg_catalog.pg_stat_gssapi WHERE pid = pg_backend_pid()
      union all select null, null`,
    () => [],
    () => 'null',
  ),
  asks(
    'pgAdmin asks for roles and the recovery',
    `SELECT roles.oid as id, roles.rolname as name, roles.rolsuper as is_superuser,
        CASE WHEN roles.rolsuper THEN true ELSE roles.rolcreaterole END as can_create_role
      FROM pg_catalog.pg_roles as roles WHERE rolname = current_user`,
    () => [],
    ({ user }) => user,
  ),
  asks(
    'Superset and Looker count sessions and read views',
    `select (select count(*) from pg_stat_activity) as sessions, viewname, definition from pg_views where schemaname = 'main' order by 2`,
    () => [],
    () => 'customer_totals',
  ),
  asks(
    'Airbyte and Fivetran read sizes and estimates',
    `select c.relname, pg_total_relation_size(c.oid) as bytes, c.reltuples::int8 from pg_class c
      join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'main' and c.relkind = 'r' order by 1`,
    () => [],
    () => 'products',
  ),
  asks(
    'Kysely and Drizzle introspect',
    `select a.attname as column, not a.attnotnull as nullable, typ.typname as type, ns.nspname as schema, c.relname as table,
        pg_get_serial_sequence(quote_ident(ns.nspname) || '.' || quote_ident(c.relname), a.attname) as sequence
      from pg_catalog.pg_attribute a
      inner join pg_catalog.pg_class c on a.attrelid = c.oid
      inner join pg_catalog.pg_namespace ns on c.relnamespace = ns.oid
      inner join pg_catalog.pg_type typ on a.atttypid = typ.oid
      where c.relkind in ('r', 'v', 'p') and ns.nspname !~ '^pg_' and ns.nspname != 'information_schema'
        and a.attnum >= 0 and a.attisdropped != true order by ns.nspname, c.relname, a.attnum`,
    () => [],
    () => 'total_cents',
  ),
]

function asks(
  name: string,
  sql: string,
  values: (target: WireTarget) => unknown[],
  finds: (target: WireTarget) => string,
): OwnCheck {
  return check(name, async ({ target }) => {
    const client = new pg.Client({ connectionString: urlOf(target) })
    await client.connect()
    try {
      const { rows } = await client.query(sql, values(target))
      const found = JSON.stringify(rows)
      ok(rows.length > 0 && found.includes(finds(target)), found.slice(0, 2000))
    } finally {
      await client.end()
    }
  })
}
