import { GatewayError } from '@engine/core'
import type { Adapter, TransactionOptions } from '@engine/core/adapter'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { executionOf, type ServerDialect, type ServerSubject } from './server-subject.ts'

/**
 * Transactions in every server adapter. To be called within a `describe`.
 *
 * @param open creates a database with an empty table `accounts (id, balance)`, whose balance may not be negative;
 * called once.
 */
export function serverTransactions(
  dialect: ServerDialect,
  open: () => Promise<ServerSubject>,
): void {
  let subject: ServerSubject
  let adapter: Adapter

  beforeAll(async () => {
    subject = await open()
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
  const accounts = `${dialect.schema}accounts`
  const write = (sql: string) => executionOf(dialect.write(sql))
  const take = write(`update ${accounts} set balance = balance - 10 where id = 1`)
  const give = write(`update ${accounts} set balance = balance + 10 where id = 2`)
  const broken = write(`update ${accounts} set balance = ${dialect.broken.expression}`)
  const { sqlState } = dialect.broken
  const balances = async () => {
    const rows = await subject.rows('select balance from accounts order by id')
    return rows.map(({ balance }) => balance)
  }
  const readOf = (id: number) =>
    executionOf(dialect.read(`select balance from ${accounts} where id = ${id}`, 'integer'))

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

    await expect(failed).rejects.toMatchObject({ sqlState })
    expect(await balances()).toEqual([100, 100])
  })

  test('cannot be saved by a body that ignores an error', async () => {
    const failed = adapter.transaction(options, async (session) => {
      await session.execute(take)
      await session.execute(broken).catch(() => undefined)
      await session.execute(give).catch(() => undefined)
    })

    await expect(failed).rejects.toMatchObject({ sqlState })
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
    const seen = await adapter.transaction(options, async (session) => {
      await session.execute(take)
      const mine = (await session.execute(readOf(1))).rows
      const outside = (await adapter.execute(readOf(1))).rows
      await subject.run('update accounts set balance = 7 where id = 2')
      return [mine, outside, (await session.execute(readOf(2))).rows]
    })

    expect(seen).toEqual(['[90]', '[100]', '[7]'])
  })

  test('see one state where they ask for it', async () => {
    const seen = async (isolation: TransactionOptions['isolation']) =>
      adapter.transaction({ ...options, isolation }, async (session) => {
        const before = (await session.execute(readOf(2))).rows
        await subject.run('update accounts set balance = balance + 1 where id = 2')
        return [before, (await session.execute(readOf(2))).rows]
      })

    expect(await seen('repeatable read')).toEqual(['[100]', '[100]'])
    expect(await seen('read committed')).toEqual(['[101]', '[102]'])
    expect(await seen(undefined)).toEqual(['[102]', '[103]'])
  })

  test('take back what came after a savepoint', async () => {
    await adapter.transaction(options, async (session) => {
      await session.execute(take)
      await session.savepoint?.('engine_1')
      await session.execute(give)
      await expect(session.execute(broken)).rejects.toMatchObject({ sqlState })
      await session.rollBackTo?.('engine_1')
    })

    expect(await balances()).toEqual([90, 100])
  })

  test('leave no session behind in a transaction', async () => {
    for (let round = 0; round < 12; round += 1) {
      await adapter
        .transaction(options, (session) => session.execute(round % 2 === 0 ? broken : take))
        .catch((error: unknown) => expect(error).toBeInstanceOf(GatewayError))
    }

    expect(await subject.inTransaction()).toBe(0)
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
    expect(failures[0]?.reason).toMatchObject({ problem: 'conflict', sqlState: dialect.deadlock })
    expect(await balances()).toEqual([90, 110])
  })
}
