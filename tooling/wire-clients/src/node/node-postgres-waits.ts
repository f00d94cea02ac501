import { deepEqual, equal, rejects } from 'node:assert/strict'
import pg from 'pg'
import Cursor from 'pg-cursor'
import { check, type OwnCheck } from '../own-client.ts'
import { urlOf, type WireTarget } from '../wire-target.ts'

async function connected<Result>(
  target: WireTarget,
  work: (client: pg.Client) => Promise<Result>,
  options: pg.ClientConfig = {},
): Promise<Result> {
  const client = new pg.Client({ connectionString: urlOf(target), ...options })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** `select pg_sleep(…)`, which suites of drivers use to test time limits and cancellation. */
export const nodePostgresWaits: readonly OwnCheck[] = [
  check('node-postgres waits', async ({ target }) => {
    await connected(target, async (client) => {
      const { rows, fields, command, rowCount } = await client.query('select pg_sleep(0.01)')
      deepEqual(
        [rows, fields[0]?.dataTypeID, command, rowCount],
        [[{ pg_sleep: '' }], 2278, 'SELECT', 1],
      )
      deepEqual((await client.query('select pg_sleep($1)', [0.01])).rows, [{ pg_sleep: '' }])
      deepEqual((await client.query('select pg_sleep($1)', [null])).rows, [{ pg_sleep: null }])
      const named = { name: 'nap', text: 'select pg_sleep($1) as nap', values: ['0.01'] }
      deepEqual((await client.query(named)).rows, [{ nap: '' }])
      const binary = { ...named, binary: true }
      deepEqual((await client.query(binary)).rows, [{ nap: '' }])
    })
  }),
  check('node-postgres waits in a cursor', async ({ target }) => {
    await connected(target, async (client) => {
      const cursor = client.query(new Cursor('select pg_sleep($1)', ['0.01']))
      deepEqual(await cursor.read(5), [{ pg_sleep: '' }])
      deepEqual(await cursor.read(5), [])
      await cursor.close()
      deepEqual((await client.query('select 1 as one')).rows, [{ one: 1 }])
    })
  }),
  check('node-postgres stops waiting at the statement timeout', async ({ target }) => {
    await connected(
      target,
      async (client) => {
        const error = { code: '57014', message: 'canceling statement due to statement timeout' }
        await rejects(client.query('select pg_sleep(60)'), error)
        await rejects(client.query('select pg_sleep($1)', [60]), error)
        deepEqual((await client.query('select 1 as one')).rows, [{ one: 1 }])
      },
      { statement_timeout: 500 },
    )
  }),
  check('node-postgres gives up a wait at its own timeout', async ({ target }) => {
    const client = new pg.Client({ connectionString: urlOf(target) })
    client.on('error', () => undefined)
    await client.connect()
    const slow = { text: 'select pg_sleep(60)', query_timeout: 50 }
    await rejects(client.query(slow), /Query read timeout/)
    const { processID } = client as unknown as { readonly processID: number }
    await connected(target, async (other) => {
      equal(
        (await other.query('select pg_cancel_backend($1) as sent', [processID])).rows[0].sent,
        true,
      )
    })
    await client.end()
  }),
  check('node-postgres waits that another session cancels', async ({ target }) => {
    await connected(target, async (client) => {
      const { rows } = await client.query('select pg_backend_pid() as pid')
      const waiting = client.query('select pg_sleep(60)')
      const cancelled = rejects(waiting, {
        code: '57014',
        message: 'canceling statement due to user request',
      })
      await connected(target, async (other) => {
        const cancel = () => other.query('select pg_cancel_backend($1) as sent', [rows[0].pid])
        equal((await cancel()).rows[0].sent, true)
        // A request that came before the statement has no effect.
        const again = setInterval(() => void cancel(), 50)
        await cancelled
        clearInterval(again)
      })
      deepEqual((await client.query('select 1 as one')).rows, [{ one: 1 }])
    })
  }),
  check('node-postgres loses its connection while it waits', async ({ target }) => {
    const client = new pg.Client({ connectionString: urlOf(target) })
    const errors: Error[] = []
    client.on('error', (error) => void errors.push(error))
    await client.connect()
    const { rows } = await client.query('select pg_backend_pid() as pid')
    const ended = rejects(client.query('select pg_sleep($1)', [60]), { code: '57P01' })
    await connected(target, (other) =>
      other.query('select pg_terminate_backend($1)', [rows[0].pid]),
    )
    await ended
  }),
]
