import { type Adapter, GatewayError, oids, type TransactionOptions } from '@engine/core'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { postgresAdapter } from '../src/index.ts'
import { executionOf, type StatementOptions, statementOf } from './support/statements.ts'

const options: TransactionOptions = { timeoutMs: 30_000, readOnly: false, signal: undefined }

describePostgres('transactions', () => {
  let adapter: Adapter
  let client: Client

  beforeAll(async () => {
    const url = await createDatabase('transactions')
    client = new Client({ connectionString: url })
    await client.connect()
    await client.query(`
      create table accounts (id int primary key, balance int not null);
      create table transfers (
        id int primary key, account int references accounts deferrable initially deferred
      );
    `)
    adapter = postgresAdapter({ url, pool: { max: 4 } })
  })
  afterAll(async () => {
    await adapter.close()
    await client.end()
  })
  beforeEach(async () => {
    await client.query('truncate transfers, accounts')
    await client.query('insert into accounts values (1, 100), (2, 100)')
  })

  const execution = (sql: string, statement: StatementOptions = {}) =>
    executionOf(statementOf(sql, { isWrite: true, ...statement }))
  const take = execution('update public.accounts set balance = balance - 10 where id = 1')
  const give = execution('update public.accounts set balance = balance + 10 where id = 2')
  const broken = execution('update public.accounts set balance = 1 / 0')
  const balances = async () => {
    const { rows } = await client.query<{ balance: number }>(
      'select balance from accounts order by id',
    )
    return rows.map(({ balance }) => balance)
  }

  test('commit what their body did', async () => {
    const result = await adapter.transaction(options, async (session) => {
      await session.execute(take)
      await session.execute(give)
      return 'done'
    })

    expect(result).toBe('done')
    expect(await balances()).toEqual([90, 110])
  })

  test('roll back when their body fails', async () => {
    const failed = adapter.transaction(options, async (session) => {
      await session.execute(take)
      throw new Error('changed my mind')
    })

    await expect(failed).rejects.toThrow('changed my mind')
    expect(await balances()).toEqual([100, 100])
  })

  test('roll back when a statement fails', async () => {
    const failed = adapter.transaction(options, async (session) => {
      await session.execute(take)
      await session.execute(broken)
    })

    await expect(failed).rejects.toMatchObject({ sqlState: '22012' })
    expect(await balances()).toEqual([100, 100])
  })

  test('cannot be saved by a body that ignores an error', async () => {
    const failed = adapter.transaction(options, async (session) => {
      await session.execute(take)
      await session.execute(broken).catch(() => undefined)
      await session.execute(give).catch(() => undefined)
    })

    await expect(failed).rejects.toMatchObject({ sqlState: '22012' })
    expect(await balances()).toEqual([100, 100])
  })

  test('cannot be saved by a body that ignores a failed check', async () => {
    const checked = execution('update public.accounts set balance = 0 returning id, false', {
      columns: [oids.int4],
      yields: 'result',
      checkColumn: 1,
    })
    const failed = adapter.transaction(options, async (session) => {
      await session.execute(checked).catch(() => undefined)
    })

    await expect(failed).rejects.toMatchObject({ problem: 'checkFailed' })
    expect(await balances()).toEqual([100, 100])
  })

  test('report what only COMMIT finds out', async () => {
    const failed = adapter.transaction(options, (session) =>
      session.execute(execution('insert into public.transfers values (1, 999)')),
    )

    await expect(failed).rejects.toMatchObject({ problem: 'conflict', sqlState: '23503' })
    const { rows } = await client.query('select from transfers')
    expect(rows).toEqual([])
  })

  test('may be without any statement', async () => {
    expect(await adapter.transaction(options, async () => 7)).toBe(7)
  })

  test('may be read-only', async () => {
    const failed = adapter.transaction({ ...options, readOnly: true }, (session) =>
      session.execute(take),
    )

    await expect(failed).rejects.toMatchObject({ sqlState: '25006' })
    expect(await balances()).toEqual([100, 100])
  })

  test('see their own writes, which nobody else sees', async () => {
    const read = executionOf(
      statementOf('select balance from public.accounts where id = 1', { columns: [oids.int4] }),
    )
    const seen = await adapter.transaction(options, async (session) => {
      await session.execute(take)
      return [(await session.execute(read)).rows, (await adapter.execute(read)).rows]
    })

    expect(seen).toEqual(['[90]', '[100]'])
  })

  test('leave no session behind in a transaction', async () => {
    for (let round = 0; round < 12; round += 1) {
      await adapter
        .transaction(options, (session) => session.execute(round % 2 === 0 ? broken : take))
        .catch((error: unknown) => expect(error).toBeInstanceOf(GatewayError))
    }
    const { rows } = await client.query(
      `select state from pg_stat_activity
       where datname = current_database() and state like '%in transaction%'`,
    )

    expect(rows).toEqual([])
  })

  test('of two that wait for each other, one is told to try again', async () => {
    const first = Promise.withResolvers<void>()
    const second = Promise.withResolvers<void>()
    const one = adapter.transaction(options, async (session) => {
      await session.execute(take)
      first.resolve()
      await second.promise
      await session.execute(give)
    })
    const other = adapter.transaction(options, async (session) => {
      await session.execute(give)
      second.resolve()
      await first.promise
      await session.execute(take)
    })
    const outcomes = await Promise.allSettled([one, other])

    const failures = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(failures).toHaveLength(1)
    expect(failures[0]?.reason).toMatchObject({ problem: 'conflict', sqlState: '40P01' })
    expect(await balances()).toEqual([90, 110])
  })
})
