/** @module The view of all entries, those in batches included: for SQL that reads the audit. */
import { type RawBuilder, sql } from 'kysely'
import type { StoreKind } from '../store/store.ts'
import { auditColumns, numberColumns } from './audit-tables.ts'

/** The statement that makes the view `engine_audit_entries`, with the columns of `engine_audit`. */
export function entriesView(kind: StoreKind): RawBuilder<unknown> {
  const columns = sql.join(auditColumns.map((name) => sql.ref(name)))
  const selection = sql`select ${columns} from engine_audit union all select ${selected[kind]}`
  const create = kind === 'sqlite' || kind === 'libsql' ? 'view if not exists' : 'or replace view'
  return sql`create ${sql.raw(create)} engine_audit_entries (${columns}) as ${selection}`
}

const fromJson = sql`${sql.join(
  auditColumns.map((_, i) => sql`json_extract(entry.value, ${sql.lit(`$[${i}]`)})`),
)} from engine_audit_batch, json_each(engine_audit_batch.entries) as entry`

const selected: Readonly<Record<StoreKind, RawBuilder<unknown>>> = {
  sqlite: fromJson,
  libsql: fromJson,
  postgres: sql`${sql.join(
    auditColumns.map((name, i) => {
      const value = sql`entry ->> ${sql.lit(i)}`
      return numberColumns.has(name) ? sql`(${value})::bigint` : value
    }),
  )} from engine_audit_batch, json_array_elements(entries::json) as entry`,
  mysql: sql`${sql.join(auditColumns.map((name) => sql`entry.${sql.ref(name)}`))}
    from engine_audit_batch, json_table(engine_audit_batch.entries, ${jsonTableColumns()}) as entry`,
}

/** For JSON_TABLE of MySQL: the rows of a JSON array of arrays. Texts have any length. */
export function jsonTableColumns(): RawBuilder<unknown> {
  const declared = auditColumns.map((name, i) => {
    const type = numberColumns.has(name) ? sql`bigint` : sql`longtext character set utf8mb4`
    return sql`${sql.ref(name)} ${type} path ${sql.lit(`$[${i}]`)}`
  })
  return sql`'$[*]' columns (${sql.join(declared)})`
}
