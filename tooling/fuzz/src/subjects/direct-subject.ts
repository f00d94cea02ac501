/** @module PostgreSQL itself, which gives the right answers. */
import { type DirectConnection, openDirect, queryDirect, sqlstateOf } from '@engine/corpus'
import pg from 'pg'
import type { PrintedStatement } from '../tree/tree.ts'
import type { JsonRows, Outcome } from './subject.ts'

export interface DirectSubject {
  readonly client: pg.Client
  /** Writes are rolled back; `tables` of their outcome has the tables before that. */
  readonly run: (statement: PrintedStatement, isWrite: boolean) => Promise<Outcome>
  /** Qualified names of the tables that are read after a write. */
  lookAt(tables: readonly string[]): void
  /** The content of the tables, in the form of `tables` of an outcome. */
  readonly dump: () => Promise<string>
  /** Rows of a query of our own. */
  readonly rows: (sql: string) => Promise<JsonRows>
  readonly close: () => Promise<void>
}

/** @param settings statements for the session. */
export async function openDirectSubject(url: string, settings = ''): Promise<DirectSubject> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const direct = await openDirect(client)
  // The enum of the worlds exists.
  await client.query(`set statement_timeout = '5s'; set search_path = public; ${settings}`)
  let tables: readonly string[] = []
  return {
    client,
    lookAt: (names) => {
      tables = names
    },
    dump: () => dump(direct, tables),
    rows: async (sql) => (await queryDirect(direct, sql)).rows,
    run: async (statement, isWrite) =>
      isWrite ? write(direct, statement, tables) : read(direct, statement),
    close: () => client.end(),
  }
}

async function read(direct: DirectConnection, { sql, params }: PrintedStatement): Promise<Outcome> {
  try {
    const { rows } = await queryDirect(direct, sql, params)
    return { kind: 'rows', rows, tables: undefined }
  } catch (error) {
    return refusal(error)
  }
}

async function write(
  direct: DirectConnection,
  statement: PrintedStatement,
  tables: readonly string[],
): Promise<Outcome> {
  await direct.client.query('begin')
  try {
    const outcome = await read(direct, statement)
    if (outcome.kind !== 'rows') return outcome
    return { ...outcome, tables: await dump(direct, tables) }
  } finally {
    await direct.client.query('rollback')
  }
}

async function dump(direct: DirectConnection, tables: readonly string[]): Promise<string> {
  const after: JsonRows[] = []
  for (const table of tables) {
    after.push((await queryDirect(direct, `select * from ${table} order by 1`)).rows)
  }
  return JSON.stringify(after)
}

/** @throws an error that is not a refusal of the statement: a lost connection, for example. */
function refusal(error: unknown): Outcome {
  const sqlState = sqlstateOf(error)
  const message = error instanceof Error ? error.message : String(error)
  return { kind: 'refused', status: 0, message, sqlState }
}
