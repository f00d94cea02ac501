import { deepEqual, rejects } from 'node:assert/strict'
import postgres from 'postgres'
import { check, type OwnCheck } from '../own-client.ts'
import { urlOf, type WireTarget } from '../wire-target.ts'

async function connected<Result>(
  target: WireTarget,
  work: (sql: postgres.Sql) => Promise<Result>,
  options: postgres.Options<Record<string, never>> = {},
): Promise<Result> {
  const sql = postgres(urlOf(target), { max: 1, onnotice: () => undefined, ...options })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** `select pg_sleep(…)`, which suites of drivers use to test time limits and cancellation. */
export const postgresJsWaits: readonly OwnCheck[] = [
  check('postgres.js waits, beside other values', async ({ target }) => {
    await connected(target, async (sql) => {
      deepEqual([...(await sql`select pg_sleep(0.01)`)], [{ pg_sleep: '' }])
      deepEqual(
        [...(await sql`select true as x, pg_sleep(${0.01}), ${'a'}::text as a`)],
        [{ x: true, pg_sleep: '', a: 'a' }],
      )
    })
  }),
  check('postgres.js cancels a wait', async ({ target }) => {
    await connected(target, async (sql) => {
      await sql`select 1`
      const query = sql`select pg_sleep(60)`
      const cancelled = rejects(query, { code: '57014' })
      const timer = setInterval(() => query.cancel(), 50)
      await cancelled
      clearInterval(timer)
      deepEqual([...(await sql`select 1 as one`)], [{ one: 1 }])
    })
  }),
  check('postgres.js waits in pipelined statements of a transaction', async ({ target }) => {
    await connected(target, async (sql) => {
      const answers = await sql.begin((tx) => [
        tx`select true as x, pg_sleep(0.01)`,
        tx`select pg_sleep(0.01) as nap, 'text'`,
        tx`select 3 as three`,
      ])
      deepEqual(
        answers.map((rows) => [...rows]),
        [[{ x: true, pg_sleep: '' }], [{ nap: '', '?column?': 'text' }], [{ three: 3 }]],
      )
    })
  }),
  check('postgres.js closes a connection after its wait', async ({ target }) => {
    const sql = postgres(urlOf(target), { max: 1, onnotice: () => undefined })
    const waiting = sql`select pg_sleep(0.1) as waited`
    const answer = waiting.then((rows) => [...rows])
    await sql.end()
    deepEqual(await answer, [{ waited: '' }])
  }),
]
