import { executionOf, type ServerSubject, serverTransactions } from '@engine/adapter-conformance'
import type { Adapter, Execution, Session, TransactionOptions } from '@engine/core/adapter'
import { describeEachMysql } from '@engine/test-databases/vitest'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { mysqlDialect, openMysqlServer } from './support/server.ts'

const accounts = 'create table accounts (id int primary key, balance int unsigned not null)'

describeEachMysql('transactions', (server) => {
  serverTransactions(mysqlDialect, () => openMysqlServer(server, 'transactions', accounts))
})

describeEachMysql('transactions that end early', (server) => {
  let subject: ServerSubject
  let adapter: Adapter

  beforeAll(async () => {
    subject = await openMysqlServer(server, 'ended', accounts)
    adapter = subject.openAdapter({ pool: { max: 4 } })
  })
  afterAll(async () => {
    await adapter?.close()
    await subject?.close()
  })
  beforeEach(() =>
    subject.run('delete from accounts', 'insert into accounts values (1, 100), (2, 100)'),
  )

  const options: TransactionOptions = { timeoutMs: 5_000, readOnly: false, signal: undefined }
  const write = (sql: string) => executionOf(mysqlDialect.write(sql))
  const take = write('update accounts set balance = balance - 10 where id = 1')
  const give = write('update accounts set balance = balance + 10 where id = 2')
  const balances = async () => {
    const rows = await subject.rows('select balance from accounts order by id')
    return rows.map(({ balance }) => balance)
  }

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
      ...write('update accounts set balance = balance + sleep(30)'),
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

  test('say that they are over when the server has ended their connection', async () => {
    const ended = adapter.transaction(options, async (session) => {
      await session.execute(take)
      const [own] = await subject.rows(
        `select p.id from information_schema.processlist p
         join information_schema.innodb_trx t on t.trx_mysql_thread_id = p.id
         where p.db = database()`,
      )
      await subject.run(`kill ${String(own?.['id'])}`)
      await session.execute(give)
    })

    await expect(ended).rejects.toMatchObject({ problem: 'unavailable' })
    expect(await balances()).toEqual([100, 100])
  })
})
