import { type Adapter, GatewayError, oids, type TransactionOptions } from '@engine/core'
import { createMysqlDatabase, describeMysql } from '@engine/test-databases/vitest'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { mysqlAdapter } from '../src/index.ts'
import { openClient, type TestClient } from './support/client.ts'
import { executionOf, type StatementOptions, statementOf } from './support/statements.ts'

const options: TransactionOptions = { timeoutMs: 30_000, readOnly: false, signal: undefined }

describeMysql('transactions', () => {
  let adapter: Adapter
  let client: TestClient

  beforeAll(async () => {
    const url = await createMysqlDatabase('transactions')
    client = await openClient(url)
    await client.run('create table accounts (id int primary key, balance int unsigned not null)')
    adapter = mysqlAdapter({ url, pool: { max: 4 } })
  })
  afterAll(async () => {
    await adapter?.close()
    await client?.close()
  })
  beforeEach(() =>
    client.run('delete from accounts', 'insert into accounts values (1, 100), (2, 100)'),
  )

  const execution = (sql: string, statement: StatementOptions = {}) =>
    executionOf(statementOf(sql, { isWrite: true, ...statement }))
  const take = execution('update accounts set balance = balance - 10 where id = 1')
  const give = execution('update accounts set balance = balance + 10 where id = 2')
  const broken = execution('update accounts set balance = -1')
  const balances = async () => {
    const rows = await client.rows('select balance from accounts order by id')
    return rows.map(({ balance }) => balance as unknown)
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

    await expect(failed).rejects.toMatchObject({ sqlState: '22003' })
    expect(await balances()).toEqual([100, 100])
  })

  test('cannot be saved by a body that ignores an error', async () => {
    const failed = adapter.transaction(options, async (session) => {
      await session.execute(take)
      await session.execute(broken).catch(() => undefined)
      await session.execute(give).catch(() => undefined)
    })

    await expect(failed).rejects.toMatchObject({ sqlState: '22003' })
    expect(await balances()).toEqual([100, 100])
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

  test('see their own writes, which nobody else sees, and what others have committed', async () => {
    const read = executionOf(
      statementOf('select id, balance from accounts order by id', {
        columns: [oids.int4, oids.int4],
      }),
    )
    const seen = await adapter.transaction(options, async (session) => {
      await session.execute(take)
      const mine = (await session.execute(read)).rows
      await client.run('update accounts set balance = 7 where id = 2')
      return [mine, (await adapter.execute(read)).rows, (await session.execute(read)).rows]
    })

    expect(seen).toEqual(['[1,90],[2,100]', '[1,100],[2,7]', '[1,90],[2,7]'])
  })

  test('leave no session behind in a transaction', async () => {
    for (let round = 0; round < 12; round += 1) {
      await adapter
        .transaction(options, (session) => session.execute(round % 2 === 0 ? broken : take))
        .catch((error: unknown) => expect(error).toBeInstanceOf(GatewayError))
    }

    expect(
      await client.rows(
        `select t.trx_id from information_schema.innodb_trx t
         join information_schema.processlist p on p.id = t.trx_mysql_thread_id
         where p.db = database()`,
      ),
    ).toEqual([])
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
    expect(failures[0]?.reason).toMatchObject({ problem: 'conflict', sqlState: '40001' })
    expect(await balances()).toEqual([90, 110])
  })
})
