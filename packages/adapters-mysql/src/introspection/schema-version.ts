/** @module A version of the schema, in one query: introspection needs seven, and looks at rows. */
import type { MysqlSession } from '../driver/session.ts'
import type { Flavor } from '../server/flavor.ts'
import { checksOf } from './catalog-queries.ts'

/** For each kind of object, the sum of checksums: every part that introspection reads is in one of them. */
const versionQuery = (flavor: Flavor) => `
  select concat_ws(' ',
    (select concat(count(*), '.', coalesce(sum(crc32(concat_ws('|', t.table_name, t.table_type, t.table_comment))), 0))
      from information_schema.tables t where t.table_schema = d.name),
    (select coalesce(sum(crc32(concat_ws('|', c.table_name, c.column_name, c.ordinal_position, c.column_type,
        c.is_nullable, c.collation_name, coalesce(c.column_default, '?'), c.extra, c.column_comment,
        c.generation_expression))), 0)
      from information_schema.columns c where c.table_schema = d.name),
    (select coalesce(sum(crc32(concat_ws('|', s.table_name, s.index_name, s.seq_in_index, s.column_name, s.sub_part,
        s.non_unique, s.index_type))), 0)
      from information_schema.statistics s where s.table_schema = d.name),
    (select coalesce(sum(crc32(concat_ws('|', k.table_name, k.constraint_name, k.ordinal_position, k.column_name,
        k.referenced_table_name, k.referenced_column_name))), 0)
      from information_schema.key_column_usage k where k.table_schema = d.name),
    (select coalesce(sum(crc32(concat_ws('|', r.table_name, r.constraint_name, r.delete_rule, r.update_rule))), 0)
      from information_schema.referential_constraints r where r.constraint_schema = d.name),
    (select coalesce(sum(crc32(concat_ws('|', g.event_object_table, g.trigger_name, g.action_timing, g.event_manipulation,
        g.action_statement))), 0)
      from information_schema.triggers g where g.event_object_schema = d.name)
    , (select coalesce(sum(crc32(concat_ws('|', c.table_name, c.constraint_name, c.check_clause))), 0)
      from ${checksOf(flavor)} c where c.constraint_schema = d.name)
  ) as version
  from (select ? as name) d`

/** Reads the version of a schema as it is now. */
export async function readSchemaVersion(session: MysqlSession, schema: string): Promise<string> {
  const [row] = await session.rows(versionQuery(session.flavor), [schema])
  return String(row?.[0])
}

/** Counters of all databases of the server: they show a change that was undone again, which a version does not. */
const changesQuery = `
  show global status where variable_name in (
    'Com_create_table', 'Com_alter_table', 'Com_drop_table', 'Com_rename_table', 'Com_create_view', 'Com_drop_view',
    'Com_create_index', 'Com_drop_index', 'Com_create_trigger', 'Com_drop_trigger', 'Com_create_db', 'Com_drop_db')`

/** Reads a text that differs after every statement that may change a schema. */
export async function readSchemaChanges(session: MysqlSession): Promise<string> {
  return (await session.rows(changesQuery, []))
    .map((cells) => cells.map(String).join('='))
    .join(' ')
}
