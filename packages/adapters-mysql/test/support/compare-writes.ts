/** @module The same writes on PostgreSQL and through the engine on MariaDB or MySQL: same results, same tables afterwards. */
import { admin, createEngine, type Engine } from '@engine/core'
import { GatewayError } from '@engine/core/adapter'
import { type DirectConnection, openDirect, queryDirect, sqlstateOf } from '@engine/corpus'
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise'
import { Client } from 'pg'
import { connect } from '../../src/index.ts'

export type Value = Parameters<typeof queryDirect>[2] extends readonly (infer V)[] | undefined
  ? V
  : never

/** A statement, or one with values for `$1` and so on. */
export type Step = string | readonly [sql: string, ...values: Value[]]

/** The result of a statement: rows and their number, or the SQLSTATE of its refusal. */
export type Outcome =
  | { readonly rows: unknown; readonly rowCount: number }
  | { readonly sqlState: string | undefined }

export interface Written {
  readonly steps: readonly Outcome[]
  /** The rows of the tables afterwards. */
  readonly tables: Readonly<Record<string, unknown>>
}

export interface TableSetup {
  readonly postgres: string
  readonly mysql: string
  /** By table name: the query that shows its content. */
  readonly tables: Readonly<Record<string, string>>
  /** Statements that both databases accept; names without a schema. */
  readonly rows: string
}

export interface WriteComparison {
  /** On fresh tables each time. */
  onPostgres(steps: readonly Step[]): Promise<Written>
  onMysql(steps: readonly Step[]): Promise<Written>
  readonly engine: Engine
  /** A connection that bypasses the engine. */
  readonly connection: Connection
  close(): Promise<void>
}

/** Both databases are empty. */
export async function openComparison(
  setup: TableSetup,
  postgresUrl: string,
  mysqlUrl: string,
): Promise<WriteComparison> {
  const client = new Client({ connectionString: postgresUrl })
  await client.connect()
  const direct = await openDirect(client)
  const connection = await createConnection({ uri: mysqlUrl, multipleStatements: true })
  await createMysqlTables(connection, setup)
  const engine = await createEngine(
    { connections: { main: { url: mysqlUrl } } },
    { adapters: { '@engine/adapters-mysql': connect } },
  )
  return {
    onPostgres: (steps) => runOnPostgres(direct, setup, steps),
    onMysql: async (steps) => {
      await createMysqlTables(connection, setup)
      // It may have looked at tables that had no key yet.
      await engine.refreshCatalog()
      return runSteps(setup, steps, (sql, values) => ask(engine, sql, values))
    },
    engine,
    connection,
    close: async () => {
      await engine.close()
      await connection.end()
      await client.end()
    },
  }
}

async function createMysqlTables(connection: Connection, setup: TableSetup): Promise<void> {
  const names = Object.keys(setup.tables).join(', ')
  await connection.query(`set foreign_key_checks = 0, sql_mode = 'ANSI_QUOTES,STRICT_ALL_TABLES';
    drop table if exists ${names}; ${setup.mysql}`)
  await addGeneratedKeys(connection)
  await connection.query(`${setup.rows}; set foreign_key_checks = 1`)
}

/** On MySQL, rows of a table without a key are found by a key that the server generates: here as if a setting asked for it. */
async function addGeneratedKeys(connection: Connection): Promise<void> {
  const [tables] = await connection.query<RowDataPacket[]>(
    `select t.table_name as name from information_schema.tables as t
     where t.table_schema = database() and version() not like '%MariaDB%' and not exists (
       select 1 from information_schema.table_constraints as c where c.table_schema = t.table_schema
         and c.table_name = t.table_name and c.constraint_type = 'PRIMARY KEY')`,
  )
  for (const { name } of tables) {
    await connection.query(
      `alter table "${name}" add my_row_id bigint unsigned not null auto_increment invisible primary key first`,
    )
  }
}

async function runOnPostgres(
  direct: DirectConnection,
  setup: TableSetup,
  steps: readonly Step[],
): Promise<Written> {
  const { client } = direct
  await client.query('begin')
  try {
    await client.query('create schema main; set local search_path = main')
    await client.query(`${setup.postgres}; ${setup.rows}`)
    await client.query("set local search_path = ''")
    return await runSteps(setup, steps, async (sql, values) => {
      await client.query('savepoint step')
      try {
        const { rows, rowCount } = await queryDirect(direct, sql, values)
        return { rows, rowCount }
      } catch (error) {
        await client.query('rollback to savepoint step')
        return { sqlState: sqlstateOf(error) }
      }
    })
  } finally {
    await client.query('rollback')
  }
}

async function runSteps(
  { tables }: TableSetup,
  steps: readonly Step[],
  run: (sql: string, values: readonly Value[]) => Promise<Outcome>,
): Promise<Written> {
  const outcomes: Outcome[] = []
  for (const step of steps) {
    const [sql, ...values] = typeof step === 'string' ? [step] : step
    outcomes.push(await run(sql, values))
  }
  const found: Record<string, unknown> = {}
  for (const [name, query] of Object.entries(tables)) {
    const outcome = await run(query, [])
    found[name] = 'rows' in outcome ? outcome.rows : outcome
  }
  return { steps: outcomes, tables: found }
}

/** Runs a statement through the engine. Unexpected errors are thrown. */
export async function ask(
  engine: Engine,
  sql: string,
  values: readonly Value[] = [],
): Promise<Outcome> {
  const request = { sql, params: values, method: 'all', meta: false, signal: undefined } as const
  try {
    const { body, rowCount } = await engine.query(request, admin)
    const text = typeof body === 'string' ? body : Buffer.from(body).toString()
    return { rows: JSON.parse(text).rows, rowCount }
  } catch (error) {
    if (!(error instanceof GatewayError) || error.status >= 500) throw error
    return { sqlState: error.sqlState }
  }
}
