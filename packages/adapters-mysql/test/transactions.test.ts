import {
  type Adapter,
  type Execution,
  GatewayError,
  oids,
  type Session,
  type TransactionOptions,
} from '@engine/core'
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

  test('of two that wait for each other, one cannot return to a savepoint: nothing of it is left', async () => {
    const first = Promise.withResolvers<void>()
    const second = Promise.withResolvers<void>()
    const returns: unknown[] = []
    const wait = async (
      session: Session,
      [mine, others]: readonly [PromiseWithResolvers<void>, PromiseWithResolvers<void>],
      [one, other]: readonly [Execution, Execution],
    ) => {
      await session.execute(one)
      await session.savepoint?.('engine_1')
      mine.resolve()
      await others.promise
      try {
        await session.execute(other)
      } catch (error) {
        await session.rollBackTo?.('engine_1').catch((reason: unknown) => returns.push(reason))
        throw error
      }
    }
    const outcomes = await Promise.allSettled([
      adapter.transaction(options, (session) => wait(session, [first, second], [take, give])),
      adapter.transaction(options, (session) => wait(session, [second, first], [give, take])),
    ])

    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(returns).toMatchObject([{ problem: 'conflict', sqlState: '40001' }])
    expect(await balances()).toEqual([90, 110])
  })

  test('a statement that was stopped is taken back by returning to a savepoint', async () => {
    const slow = {
      ...execution('update accounts set balance = balance + sleep(30)'),
      timeoutMs: 200,
    }

    await adapter.transaction(options, async (session) => {
      await session.execute(take)
      await session.savepoint?.('engine_1')
      await expect(session.execute(slow)).rejects.toMatchObject({ problem: 'queryTimeout' })
      await session.rollBackTo?.('engine_1')
      await session.execute(give)
    })

    expect(await balances()).toEqual([90, 110])
  })

  test('see one state where they ask for it', async () => {
    const read = executionOf(
      statementOf('select balance from accounts where id = 2', { columns: [oids.int4] }),
    )
    const seen = async (isolation: TransactionOptions['isolation']) =>
      adapter.transaction({ ...options, isolation }, async (session) => {
        const before = (await session.execute(read)).rows
        await client.run('update accounts set balance = balance + 1 where id = 2')
        return [before, (await session.execute(read)).rows]
      })

    expect(await seen('repeatable read')).toEqual(['[100]', '[100]'])
    expect(await seen('read committed')).toEqual(['[101]', '[102]'])
    expect(await seen(undefined)).toEqual(['[102]', '[103]'])
  })

  test('say that they are over when the server has ended their connection', async () => {
    const ended = adapter.transaction(options, async (session) => {
      await session.execute(take)
      const [own] = await client.rows(
        `select p.id from information_schema.processlist p
         join information_schema.innodb_trx t on t.trx_mysql_thread_id = p.id
         where p.db = database()`,
      )
      await client.run(`kill ${String(own?.['id'])}`)
      await session.execute(give)
    })

    await expect(ended).rejects.toMatchObject({ problem: 'unavailable' })
    expect(await balances()).toEqual([100, 100])
  })
})
