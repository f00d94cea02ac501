/**
 * @module The cost of the rewriting in the database: our SQL compared with the query that a careful programmer writes.
 */
import { connect as connectMysql } from '@engine/adapters-mysql'
import { connect as connectPostgres } from '@engine/adapters-postgres'
import { connect as connectSqlite } from '@engine/adapters-sqlite'
import { createEngine, type Engine } from '@engine/core'
import {
  type BareDatabase,
  type BareValue,
  openMysql,
  openPostgres,
  openSqlite,
} from './databases.ts'
import { type Comparison, clerk, comparisons, permissions } from './tables.ts'

/** Number of runs of each query, in turn. */
const rounds = 400

const adapters = {
  '@engine/adapters-postgres': connectPostgres,
  '@engine/adapters-mysql': connectMysql,
  '@engine/adapters-sqlite': connectSqlite,
}

/** Prints the median time of each query as a ratio. */
export async function compareOverhead(): Promise<void> {
  const onMysql = (['mariadb', 'mysql'] as const).map((vendor) => () => openMysql(vendor))
  for (const open of [openPostgres, ...onMysql, openSqlite]) {
    const database = await open()
    const engine = await createEngine(
      {
        connections: { main: database.url },
        auth: { secret: 'at least thirty-two bytes of secret' },
        permissions,
      },
      { adapters },
    )
    try {
      for (const comparison of comparisons) await compare(database, engine, comparison)
    } finally {
      await engine.close()
      await database.close()
    }
  }
}

interface Query {
  readonly sql: string
  readonly values: readonly BareValue[]
}

async function compare(
  database: BareDatabase,
  engine: Engine,
  comparison: Comparison,
): Promise<void> {
  const ours = await rewritten(engine, database, comparison)
  const byHand = handWritten(database, comparison)
  const [found, expected] = [
    await database.run(ours.sql, ours.values),
    await database.run(byHand.sql, byHand.values),
  ]
  if (found !== expected) throw new Error(`${comparison.name}: ${found} rows, not ${expected}`)
  const times = { ours: [] as number[], byHand: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    const isFirst = round % 2 === 0
    if (isFirst) times.ours.push(await timed(database, ours))
    times.byHand.push(await timed(database, byHand))
    if (!isFirst) times.ours.push(await timed(database, ours))
  }
  const [mine, theirs] = [median(times.ours), median(times.byHand)]
  process.stdout.write(
    `${database.name}, ${comparison.name}: x${(mine / theirs).toFixed(3)} (${theirs.toFixed(3)} ms by hand)\n`,
  )
}

async function rewritten(
  engine: Engine,
  database: BareDatabase,
  { sql, params }: Comparison,
): Promise<Query> {
  const { statements } = await engine.explain({ sql, params }, clerk)
  const [statement] = statements
  if (statement === undefined || statements.length > 1) throw new Error(`no single query: ${sql}`)
  const isSqlite = database.name === 'SQLite'
  return {
    sql: statement.sql,
    values: statement.parameters.map(({ value = null, type }) => {
      if (typeof value === 'object') return null
      return isSqlite && /^(?:integer|bigint|smallint)$/.test(type) ? BigInt(value) : value
    }),
  }
}

function handWritten(database: BareDatabase, { byHand, values }: Comparison): Query {
  let n = 0
  return {
    sql: byHand.replaceAll('?', () => database.placeholder(++n)),
    values: database.name === 'SQLite' ? values.map(BigInt) : values,
  }
}

async function timed(database: BareDatabase, { sql, values }: Query): Promise<number> {
  const start = performance.now()
  await database.run(sql, values)
  return performance.now() - start
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN
}
