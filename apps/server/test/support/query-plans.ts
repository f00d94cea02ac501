/** @module The plans of each kind of database for a statement. */
import type { SqlValue } from '@engine/core/adapter'
import { describeEachMysql, describePostgres, type MysqlOfRun } from '@engine/test-databases/vitest'
import Database from 'better-sqlite3'
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise'
import pg from 'pg'
import { afterAll, beforeAll, describe } from 'vitest'
import { openPostgres, openSqlite, type TestDatabase } from './databases.ts'

/** A database with 10 000 documents of 50 tenants. */
export interface PlanDatabase {
  readonly adapterPackage: string
  readonly url: string
  /** A text that the adapter's barriers contain. */
  readonly barrier: string
  /** The step of a plan that finds a document by its key. */
  readonly byPrimaryKey: string
  /** The steps that read tables, without the names of FROM items. */
  planOf(sql: string, values: readonly SqlValue[]): Promise<readonly string[]>
}

/** The same tests on each kind of database. */
export function describePlans(setUp: string, tests: (database: () => PlanDatabase) => void): void {
  describePostgres('rows are found by keys, on PostgreSQL', () => run(openOnPostgres, setUp, tests))
  describeEachMysql('rows are found by keys,', (server) =>
    run((statements) => openOnMysql(server, statements), setUp, tests),
  )
  describe('rows are found by keys, on SQLite', () => run(openOnSqlite, setUp, tests))
}

interface OpenPlans extends PlanDatabase {
  remove(): Promise<void>
}

function run(
  open: (setUp: string) => Promise<OpenPlans>,
  setUp: string,
  tests: (database: () => PlanDatabase) => void,
): void {
  let database: OpenPlans | undefined
  beforeAll(async () => {
    database = await open(setUp)
  })
  afterAll(() => database?.remove())
  tests(() => {
    if (database === undefined) throw new Error('the database is not open')
    return database
  })
}

/** Rows for the tables, in statements that every database takes. */
function* rows(): Generator<string> {
  const batch = 1000
  for (let first = 1; first <= 10_000; first += batch) {
    const ids = Array.from({ length: batch }, (_, index) => first + index)
    const documents = ids.map((i) => `(${i}, 't${i % 50}', ${i % 500}, 'title ${i}', ${i})`)
    yield `insert into documents values ${documents.join(', ')}`
    yield `insert into notes values ${ids.map((i) => `(${i}, ${i}, 'note')`).join(', ')}`
  }
  yield "insert into members values ('t0', 'ada'), ('t1', 'ada'), ('t2', 'ada'), ('t3', 'ada')"
}

async function openOnPostgres(setUp: string): Promise<OpenPlans> {
  const database = await openPostgres(setUp)
  await fill(database, 'analyze')
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  return {
    adapterPackage: '@engine/adapters-postgres',
    url: database.url,
    barrier: 'offset 0',
    byPrimaryKey: 'Index Scan using documents_pkey on documents',
    planOf: async (sql, values) => {
      await client.query('begin')
      try {
        // For any values.
        await client.query("set local plan_cache_mode = 'force_generic_plan'")
        await client.query(`prepare p as ${sql}`)
        const list = values.map(() => 'null').join(', ')
        const { rows: lines } = await client.query<{ 'QUERY PLAN': string }>(
          `explain (costs off) execute p${values.length === 0 ? '' : `(${list})`}`,
        )
        const text = lines.map((line) => line['QUERY PLAN']).join('\n')
        return [...text.matchAll(/(?:Index|Bitmap|Seq)[ \w]* Scan .*/g)].map(([step]) =>
          step.replace(/( on \w+) \w+$/, '$1'),
        )
      } finally {
        await client.query('rollback')
        await client.query('deallocate all')
      }
    },
    remove: async () => {
      await client.end()
      await database.remove()
    },
  }
}

async function fill(database: TestDatabase, analyze: string): Promise<void> {
  for (const statement of rows()) await database.run(statement)
  await database.run(analyze)
}

async function openOnSqlite(setUp: string): Promise<OpenPlans> {
  const database = await openSqlite(setUp)
  await fill(database, 'analyze')
  const reader = new Database(database.url)
  return {
    adapterPackage: '@engine/adapters-sqlite',
    url: database.url,
    barrier: 'limit -1',
    byPrimaryKey: 'SEARCH USING INTEGER PRIMARY KEY (rowid=?)',
    planOf: async (sql, values) => {
      const plan = prepared(reader, `explain query plan ${sql}`)
      const given = Object.fromEntries(values.map((value, index) => [index + 1, String(value)]))
      const lines = plan.all(given) as { detail: string }[]
      return lines
        .map(({ detail }) => detail.replace(/^(SEARCH|SCAN) \w+/, '$1'))
        .filter((detail) => /^(SEARCH|SCAN)/.test(detail))
    },
    remove: async () => {
      reader.close()
      await database.remove()
    },
  }
}

/** Functions of the adapter only need to exist. */
function prepared(database: Database.Database, sql: string): Database.Statement {
  try {
    return database.prepare(sql)
  } catch (error) {
    const name = /no such function: (\w+)/.exec(String(error))?.[1]
    if (name === undefined) throw error
    database.function(name, { varargs: true }, () => 1)
    return prepared(database, sql)
  }
}

async function openOnMysql(server: MysqlOfRun, setUp: string): Promise<OpenPlans> {
  const url = await server.createDatabase('plans')
  const connection = await createConnection({ uri: url, multipleStatements: true })
  await connection.query(setUp)
  for (const statement of rows()) await connection.query(statement)
  await connection.query('analyze table documents, members, notes')
  return {
    adapterPackage: '@engine/adapters-mysql',
    url,
    barrier: 'limit 18446744073709551615',
    byPrimaryKey: 'const PRIMARY',
    planOf: (sql, values) => planOnMysql(connection, sql, values),
    remove: () => connection.end(),
  }
}

async function planOnMysql(
  connection: Connection,
  sql: string,
  values: readonly SqlValue[],
): Promise<readonly string[]> {
  const [lines] = await connection.execute<RowDataPacket[]>(
    `explain format=traditional ${sql}`,
    values.map((value) => String(value)),
  )
  return lines.map((line) => `${line['type']} ${line['key']}`)
}
