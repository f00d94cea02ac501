/** @module Writes entries to the database, each exactly once. */
import { type Compilable, type ExpressionBuilder, type Kysely, sql } from 'kysely'
import { GatewayError } from '../../foundation/errors.ts'
import type { Store, StoreValue } from '../store/store.ts'
import type { AuditEntry } from './audit-entry.ts'
import { type AuditRow, type AuditTables, toRow } from './audit-tables.ts'

export interface Written {
  /** Entries that are not in the database: it cannot be reached, or accepts no writes at present. */
  readonly left: readonly AuditEntry[]
  /** Entries that it refuses because of their content. */
  readonly refused: readonly RefusedEntry[]
  /** The error because of which entries are left. */
  readonly error: unknown
}

export interface RefusedEntry {
  readonly entry: AuditEntry
  readonly error: unknown
}

/** Writes many at a time, and one by one when one is refused, so that it does not block the others. Never rejects. */
export async function writeEntries(store: Store, entries: readonly AuditEntry[]): Promise<Written> {
  try {
    await insert(store, entries)
    return { left: [], refused: [], error: undefined }
  } catch (error) {
    if (isAway(error)) return { left: entries, refused: [], error }
    return oneByOne(store, entries)
  }
}

async function oneByOne(store: Store, entries: readonly AuditEntry[]): Promise<Written> {
  const refused: RefusedEntry[] = []
  for (const [i, entry] of entries.entries()) {
    try {
      await insert(store, [entry])
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
async function insert(store: Store, entries: readonly AuditEntry[]): Promise<void> {
  const rows = entries.map(toRow)
  const database = store.withTables<AuditTables>()
  if (store.kind === 'postgres') {
    return store.runInBackground(insertionIntoPostgres(database, rows))
  }
  const insertion = database.insertInto('engine_audit')
  if (store.kind === 'mysql') {
    const id = ({ ref }: ExpressionBuilder<AuditTables, 'engine_audit'>) => ref('engine_audit.id')
    return store.runInBackground(insertion.values(rows).onDuplicateKeyUpdate({ id }))
  }
  const inserting = (values: readonly AuditRow[]) =>
    insertion.values(values).onConflict((conflict) => conflict.doNothing())
  if (store.runManyInBackground === undefined) return store.runInBackground(inserting(rows))
  // The parameters of a statement of Kysely are in the order of the keys.
  const lists = rows.map((row): readonly StoreValue[] => Object.values(row))
  return store.runManyInBackground(inserting(rows.slice(0, 1)), lists)
}

/** One parameter for all rows: thousands of them cost more than everything else about an audit. */
function insertionIntoPostgres(
  database: Kysely<AuditTables>,
  rows: readonly AuditRow[],
): Compilable {
  const [first = {}] = rows
  const columnList = sql.join(Object.keys(first).map((name) => sql.ref(name)))
  const insertion = sql`
    insert into engine_audit (${columnList})
    select ${columnList} from json_populate_recordset(null::engine_audit, ${JSON.stringify(rows)}::json)
    on conflict do nothing
  `
  return { compile: () => insertion.compile(database) }
}
