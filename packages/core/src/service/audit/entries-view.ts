/** @module The view of all entries, those in batches included: for SQL that reads the audit. */
import { type RawBuilder, sql } from 'kysely'
import type { StoreKind } from '../store/store.ts'
import {
  type AuditRow,
  auditColumns,
  contextColumns,
  numberColumns,
  ownColumns,
} from './audit-tables.ts'

/** The statement that makes the view `engine_audit_entries`, with the columns of `engine_audit`. */
export function entriesView(kind: StoreKind): RawBuilder<unknown> {
  const columns = sql.join(auditColumns.map((name) => sql.ref(name)))
  const selection = sql`select ${columns} from engine_audit union all select ${selected[kind]}`
  const create = kind === 'sqlite' || kind === 'libsql' ? 'view if not exists' : 'or replace view'
  return sql`create ${sql.raw(create)} engine_audit_entries (${columns}) as ${selection}`
}

/** Where a column is within its JSON: `own` is an entry's array, which begins with the number of its context. */
function placeOf(name: keyof AuditRow): { readonly of: 'own' | 'context'; readonly at: number } {
  const at = contextColumns.indexOf(name)
  if (at >= 0) return { of: 'context', at }
  return { of: 'own', at: 1 + ownColumns.indexOf(name) }
}

const ofSqlite = sql`${sql.join(
  auditColumns.map((name) => {
    const { of, at } = placeOf(name)
    return sql`json_extract(${sql.ref(of)}.value, ${sql.lit(`$[${at}]`)})`
  }),
)} from engine_audit_batch as batch, json_each(batch.entries) as own, json_each(batch.contexts) as context
  where context.key = json_extract(own.value, '$[0]')`

const ofPostgres = sql`${sql.join(
  auditColumns.map((name) => {
    const { of, at } = placeOf(name)
    const value = sql`${sql.ref(of)}.value ->> ${sql.lit(at)}`
    return numberColumns.has(name) ? sql`(${value})::bigint` : value
  }),
)} from engine_audit_batch as batch, json_array_elements(batch.entries::json) as own,
  json_array_elements(batch.contexts::json) with ordinality as context (value, number)
  where context.number = (own.value ->> 0)::int + 1`

const ofMysql = sql`${sql.join(
  auditColumns.map((name) => sql`${sql.ref(placeOf(name).of)}.${sql.ref(name)}`),
)} from engine_audit_batch as batch,
  json_table(batch.entries, '$[*]' columns (context int path '$[0]', ${jsonTableColumns(ownColumns, 1)})) as own,
  json_table(batch.contexts, '$[*]' columns (number for ordinality, ${jsonTableColumns(contextColumns)})) as context
  where context.number = own.context + 1`

const selected: Readonly<Record<StoreKind, RawBuilder<unknown>>> = {
  sqlite: ofSqlite,
  libsql: ofSqlite,
  postgres: ofPostgres,
  mysql: ofMysql,
}

/**
 * Columns for JSON_TABLE of MySQL, whose values are in an array, in this order. Texts have any length.
 *
 * @param first the number of the first one in the array.
 */
export function jsonTableColumns(names: readonly string[], first = 0): RawBuilder<unknown> {
  return sql.join(
    names.map((name, i) => {
      const type = numberColumns.has(name) ? sql`bigint` : sql`longtext character set utf8mb4`
      return sql`${sql.ref(name)} ${type} path ${sql.lit(`$[${first + i}]`)}`
    }),
  )
}
