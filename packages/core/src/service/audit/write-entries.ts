/** @module Writes entries to the database, each exactly once. */
import { type Compilable, type CompiledQuery, type Kysely, sql } from 'kysely'
import { GatewayError } from '../../foundation/errors.ts'
import type { Store, StoreValue } from '../store/store.ts'
import { batchRowOf, packEntries } from './audit-batches.ts'
import type { FinishedEntry } from './audit-entry.ts'
import { type AuditBatchRow, type AuditRow, type AuditTables, toRow } from './audit-tables.ts'
import { jsonTableColumns } from './entries-view.ts'

export interface Written {
  /** Entries that are not in the database: it cannot be reached, or accepts no writes at present. */
  readonly left: readonly FinishedEntry[]
  /** Entries that it refuses because of their content. */
  readonly refused: readonly RefusedEntry[]
  /** The error because of which entries are left. */
  readonly error: unknown
}

export interface RefusedEntry {
  readonly entry: FinishedEntry
  readonly error: unknown
}

/** Rows that one statement inserts. */
interface Part {
  readonly entries: readonly FinishedEntry[]
  readonly insert: () => Promise<void>
}

/** Writes many at a time, and one by one when one is refused, so that it does not block the others. Never rejects. */
export async function writeEntries(
  store: Store,
  entries: readonly FinishedEntry[],
): Promise<Written> {
  const refused: RefusedEntry[] = []
  const parts = partsOf(store, entries)
  for (const [i, part] of parts.entries()) {
    const left = () => parts.slice(i + 1).flatMap((later) => later.entries)
    try {
      await part.insert()
    } catch (error) {
      if (isAway(error)) return { left: [...part.entries, ...left()], refused, error }
      const written = await oneByOne(store, part.entries)
      refused.push(...written.refused)
      if (written.left.length > 0) {
        return { left: [...written.left, ...left()], refused, error: written.error }
      }
    }
  }
  return { left: [], refused, error: undefined }
}

/** Entries that are left by an attempt make the same parts in the next one: then none of them is stored twice. */
function partsOf(store: Store, entries: readonly FinishedEntry[]): readonly Part[] {
  const { single, batches } = packEntries(entries)
  const parts = batches.map(
    (own): Part => ({ entries: own, insert: () => insertBatch(store, batchRowOf(own)) }),
  )
  if (single.length === 0) return parts
  return [{ entries: single, insert: () => insert(store, single.map(toRow)) }, ...parts]
}

async function oneByOne(store: Store, entries: readonly FinishedEntry[]): Promise<Written> {
  const refused: RefusedEntry[] = []
  for (const [i, entry] of entries.entries()) {
    try {
      await insert(store, [toRow(entry)])
    } catch (error) {
      if (isAway(error)) return { left: entries.slice(i), refused, error }
      refused.push({ entry, error })
    }
  }
  return { left: [], refused, error: undefined }
}

function isAway(error: unknown): boolean {
  return error instanceof GatewayError && error.problem === 'unavailable'
}

/** An entry that already exists is left unchanged: its first attempt may have succeeded without an answer. */
async function insert(store: Store, rows: readonly AuditRow[]): Promise<void> {
  const database = store.withTables<AuditTables>()
  if (store.kind === 'postgres') {
    return store.runInBackground(insertionOfJson(store, database, rows, insertionIntoPostgres))
  }
  if (store.kind === 'mysql') {
    return store.runInBackground(insertionOfJson(store, database, rows, insertionIntoMysql))
  }
  const insertion = database.insertInto('engine_audit')
  const inserting = (values: readonly AuditRow[]) =>
    insertion.values(values).onConflict((conflict) => conflict.doNothing())
  if (store.runManyInBackground === undefined) return store.runInBackground(inserting(rows))
  const lists = rows.map((row): readonly StoreValue[] => Object.values(row))
  return store.runManyInBackground(inserting(rows.slice(0, 1)), lists)
}

const insertionsOfBatches = new WeakMap<Store, CompiledQuery>()

function insertBatch(store: Store, row: AuditBatchRow): Promise<void> {
  // Parameters of a statement of Kysely are in the order of the keys.
  const parameters = Object.values(row)
  const known = insertionsOfBatches.get(store) ?? insertionOfBatch(store, row)
  insertionsOfBatches.set(store, known)
  return store.runInBackground({ compile: () => ({ ...known, parameters }) })
}

function insertionOfBatch(store: Store, row: AuditBatchRow): CompiledQuery {
  const insertion = store.withTables<AuditTables>().insertInto('engine_audit_batch').values(row)
  return store.kind === 'mysql'
    ? insertion.onDuplicateKeyUpdate({ id: sql.ref('engine_audit_batch.id') }).compile()
    : insertion.onConflict((conflict) => conflict.doNothing()).compile()
}

const insertions = new WeakMap<Store, CompiledQuery>()

/** One parameter for all rows: thousands of them cost more than everything else about an audit. The text is always the same. */
function insertionOfJson(
  store: Store,
  database: Kysely<AuditTables>,
  rows: readonly AuditRow[],
  make: (database: Kysely<AuditTables>, names: readonly string[], rows: string) => CompiledQuery,
): Compilable {
  const json = JSON.stringify(store.kind === 'mysql' ? rows.map(Object.values) : rows)
  const known = insertions.get(store) ?? make(database, Object.keys(rows[0] ?? {}), json)
  insertions.set(store, known)
  return { compile: () => ({ ...known, parameters: [json] }) }
}

/** Texts have any length there, so that one that is too long is refused by the table instead of left out. */
function insertionIntoMysql(
  database: Kysely<AuditTables>,
  names: readonly string[],
  rows: string,
): CompiledQuery {
  const columnList = sql.join(names.map((name) => sql.ref(name)))
  return sql`
    insert into engine_audit (${columnList})
    select ${columnList} from json_table(${rows}, '$[*]' columns (${jsonTableColumns(names)})) as entries
    on duplicate key update ${sql.ref('id')} = engine_audit.id
  `.compile(database)
}

function insertionIntoPostgres(
  database: Kysely<AuditTables>,
  names: readonly string[],
  rows: string,
): CompiledQuery {
  const columnList = sql.join(names.map((name) => sql.ref(name)))
  return sql`
    insert into engine_audit (${columnList})
    select ${columnList} from json_populate_recordset(null::engine_audit, ${rows}::json)
    on conflict do nothing
  `.compile(database)
}
