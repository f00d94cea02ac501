/**
 * @module Triggers that advance the change counter when somebody else than the service changes a counted table: an operator who
 * deletes an account by hand. The service counts its own changes itself, at the end of a transaction; see `store-dialect.ts`.
 */
import { hash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { advanceSql } from './change-counter.ts'
import type { CountedTable, Migration, StoreKind } from './store.ts'

/**
 * A step that makes the triggers of tables that exist. It runs at every start, since the rights that it needs may come later, and
 * the triggers may be lost when a backup is restored.
 */
export function changeTriggers(tables: readonly CountedTable[]): Migration {
  return {
    name: 'core/triggers-0001',
    failureWarning:
      'rows that are changed by hand in the service database count after half a minute: its triggers cannot be made',
    up: async (database, kind) => {
      const found = await installedTriggers(database, kind)
      for (const table of tables) await prepare(database, kind, table, found)
    },
  }
}

/** A trigger in a database. */
interface Installed {
  readonly name: string
  readonly table: string
  /** Made by the account of this service; others may be gone, and then MySQL refuses every change of the table. */
  readonly isOwn: boolean
}

interface Trigger {
  readonly name: string
  readonly sql: string
}

// biome-ignore lint/suspicious/noExplicitAny: catalogs of every kind
type Database = Kysely<any>

async function prepare(
  database: Database,
  kind: StoreKind,
  table: CountedTable,
  found: readonly Installed[],
): Promise<void> {
  const columns = await countedColumns(database, kind, table)
  const wanted = triggersOf(kind, table, columns)
  const present = found.filter((trigger) => trigger.table === table.name)
  const isKept = ({ name, isOwn }: Installed) => isOwn && wanted.some((each) => each.name === name)
  const missing = wanted.filter(
    ({ name }) => !present.some((each) => each.name === name && isKept(each)),
  )
  for (const trigger of present.filter((each) => !isKept(each))) {
    await sql.raw(dropSql(kind, trigger)).execute(database)
  }
  if (missing.length === 0) return
  if (kind === 'postgres') await sql.raw(postgresFunction).execute(database)
  for (const trigger of missing) await sql.raw(trigger.sql).execute(database)
}

async function countedColumns(
  database: Database,
  kind: StoreKind,
  { name, ignoredColumns = [] }: CountedTable,
): Promise<readonly string[]> {
  const { rows } = await sql.raw<{ name: string }>(columnsSql(kind, name)).execute(database)
  return rows.map((row) => row.name).filter((column) => !ignoredColumns.includes(column))
}

function columnsSql(kind: StoreKind, table: string): string {
  const standard = (schema: string) =>
    `select column_name as name from information_schema.columns where table_schema = ${schema} and table_name = '${table}' order by ordinal_position`
  switch (kind) {
    case 'sqlite':
    case 'libsql':
      return `select name from pragma_table_info('${table}') order by cid`
    case 'postgres':
      return standard('current_schema()')
    case 'mysql':
      return standard('database()')
  }
}

const marker = '_counted_'

/** A query of the service database: `name`, `table` and `own` (0 or 1) of the triggers that count changes made by hand. */
export function installedTriggersSql(kind: StoreKind): string {
  switch (kind) {
    case 'sqlite':
    case 'libsql':
      return `
        select name, tbl_name as "table", 1 as own from sqlite_schema
        where type = 'trigger' and instr(name, '${marker}') > 0`
    case 'postgres':
      return `
        select t.tgname::text as name, c.relname::text as "table", 1 as own
        from pg_catalog.pg_trigger t
        join pg_catalog.pg_class c on c.oid = t.tgrelid
        join pg_catalog.pg_namespace n on n.oid = c.relnamespace
        where n.nspname = current_schema() and not t.tgisinternal and strpos(t.tgname, '${marker}') > 0`
    case 'mysql':
      return `
        select trigger_name as name, event_object_table as "table",
          case when definer = current_user() then 1 else 0 end as own
        from information_schema.triggers
        where trigger_schema = database() and instr(trigger_name, '${marker}') > 0`
  }
}

async function installedTriggers(
  database: Database,
  kind: StoreKind,
): Promise<readonly Installed[]> {
  const { rows } = await sql
    .raw<{ name: string; table: string; own: number }>(installedTriggersSql(kind))
    .execute(database)
  return rows.map(({ name, table, own }) => ({ name, table, isOwn: own === 1 }))
}

/** The name contains a digest of the definition: what differs is replaced. */
function named(table: string, event: string, define: (name: string) => string): Trigger {
  const digest = hash('sha256', define('')).slice(0, 8)
  const name = `${table}${marker}${event}_${digest}`
  return { name, sql: define(name) }
}

function triggersOf(
  kind: StoreKind,
  { name, ignoresInserts = false }: CountedTable,
  columns: readonly string[],
): readonly Trigger[] {
  const events = ['delete', 'update', ...(ignoresInserts ? [] : ['insert'])]
  switch (kind) {
    case 'sqlite':
    case 'libsql':
      return events.map((event) =>
        named(name, event, (trigger) => {
          const when = event === 'update' ? `update of ${columns.join(', ')}` : event
          return `create trigger "${trigger}" after ${when} on ${name} begin ${advanceSql(kind)}; end`
        }),
      )
    case 'postgres':
      return [...events, 'truncate'].map((event) =>
        named(name, event, (trigger) => {
          const when = event === 'update' ? `update of ${columns.join(', ')}` : event
          return `create trigger "${trigger}" after ${when} on ${name} for each statement execute function ${functionName}()`
        }),
      )
    case 'mysql':
      return events.map((event) =>
        named(name, event, (trigger) => {
          const isEqual = columns.map((column) => `old.${column} <=> new.${column}`)
          const isCounted = event === 'update' ? ` and not (${isEqual.join(' and ')})` : ''
          return `create trigger "${trigger}" after ${event} on ${name} for each row begin if @engine_counts is null${isCounted} then ${advanceSql(kind)}; end if; end`
        }),
      )
  }
}

function dropSql(kind: StoreKind, { name, table }: Installed): string {
  return kind === 'postgres' ? `drop trigger "${name}" on ${table}` : `drop trigger "${name}"`
}

const functionName = 'engine_count_change'

/**
 * Connections of the service are known by their name. Its owner advances the counter: an operator may have no right to, and another
 * search path.
 */
const postgresFunction = `
create or replace function ${functionName}() returns trigger
language plpgsql security definer set search_path = pg_catalog as $$
begin
  if current_setting('application_name') <> 'engine-service' then
    execute format('${advanceSql('postgres').replace('engine_changes', '%I.engine_changes')}', tg_table_schema);
  end if;
  return null;
end
$$`
