/**
 * Statements whose plans would be exponentially large: each is planned or refused within its budget, and the server
 * continues to answer.
 */
import { silentLog } from '@engine/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningServer, serve } from '../../src/serve.ts'
import { describeDatabases, type TestDatabase } from '../support/databases.ts'

function nested(seed: string, depth: number, wrap: (inner: string) => string): string {
  let expression = seed
  for (let level = 0; level < depth; level += 1) expression = wrap(expression)
  return expression
}

const sets = Array.from({ length: 3_000 }, (_, i) => (i % 2 === 0 ? '(n)' : '(n, id)')).join(', ')
const columns = [
  'id',
  'n',
  'price',
  'id + 1',
  'n + 1',
  'id + 2',
  'n + 2',
  'id + 3',
  'n + 3',
  'id + 4',
  'n + 4',
]

const statements: readonly string[] = [
  `select ${nested('n', 30, (x) => `nullif(${x}, 4)`)} from counters`,
  `select ${nested('price', 30, (x) => `coalesce(nullif(${x}, 1.5), 2)`)} from counters`,
  `select ${nested('n', 30, (x) => `(${x} / nullif(n, 0))`)} from counters`,
  `select ${nested('n::float8', 30, (x) => `sin(power(${x}, 2))`)} from counters`,
  `select ${nested('n', 30, (x) => `case when ${x} between 1 and n then n end`)} from counters`,
  `select ${nested('n > 0', 30, (x) => `(${x}) = all(array[n > 0, n > 1])`)} from counters`,
  `select ${nested('n', 30, (x) => `(select max(${x}) from counters as c)`)} from counters`,
  `select count(*), max(n) from counters group by grouping sets (${sets})`,
  `select count(*), sum(n) filter (where id > 1) from counters group by cube (${columns.join(', ')})`,
]

describeDatabases('statements that would be too large to be planned', (open) => {
  let database: TestDatabase
  let server: RunningServer

  beforeAll(async () => {
    database = await open(
      `create table counters (id integer primary key, n integer, price numeric(10, 2));
       insert into counters values (1, 0, 1.5), (2, 4, 2.5)`,
    )
    server = await serve({
      config: {
        connections: { main: { url: database.url } },
        limits: {
          maxFilterConditions: 100_000,
          maxFilterNesting: 1_000,
          maxRelationDepth: 1_000,
          // A planned statement may take long in the database.
          queryTimeout: 5_000,
        },
      },
      port: 0,
      host: '127.0.0.1',
      isDevelopment: true,
      log: silentLog,
    })
  })
  afterAll(async () => {
    await server?.stop(1_000)
    await database?.remove()
  })

  test('statements that would be too large to be planned are answered or refused, and the server is alive meanwhile', async () => {
    let isOver = false
    const answers = Promise.all(
      statements.map(async (sql) => {
        const response = await fetch(`${server.url}/data`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ sql, params: [], method: 'all' }),
        })
        return { status: response.status, body: await response.text(), sql: sql.slice(0, 60) }
      }),
    ).finally(() => {
      isOver = true
    })
    const waits: number[] = []
    do {
      const begunMs = performance.now()
      const response = await fetch(`${server.url}/health/live`)
      expect(response.status).toBe(200)
      waits.push(Math.round(performance.now() - begunMs))
    } while (!isOver)
    for (const { status, body, sql } of await answers) {
      expect([200, 400, 408], `${sql}: ${body.slice(0, 200)}`).toContain(status)
    }
    console.info(
      `/health/live: ${waits.length} answers, the slowest after ${Math.max(...waits)} ms`,
    )
  }, 120_000)
})
