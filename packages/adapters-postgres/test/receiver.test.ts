/** Rows that are delivered one by one, and cursors. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Adapter, Cells } from '@engine/core/adapter'
import { oids } from '@engine/core/catalog'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { postgresAdapter } from '../src/adapter.ts'
import { executionOf, statementOf } from './support/statements.ts'

describePostgres('Rows that are handed on', () => {
  let adapter: Adapter
  beforeAll(async () => {
    adapter = postgresAdapter({ url: await createDatabase('receiver'), pool: { max: 1 } })
  })
  afterAll(() => adapter?.close())

  const many = (count: number) =>
    statementOf(`select i, repeat('x', 500) from generate_series(1, ${count}) i`, {
      columns: [oids.int4, oids.text],
    })
  const options = { readOnly: false, timeoutMs: 30_000, signal: undefined }

  /** A receiver that accepts no more rows after the first one, until it is released. */
  const stubborn = () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    let isLetGo = false
    let rows = 0
    return {
      rows: () => rows,
      letGo: () => {
        isLetGo = true
        resolve()
      },
      receiver: {
        row: () => {
          rows += 1
        },
        hold: () => (isLetGo ? undefined : promise),
      },
    }
  }

  test('are not kept, and come as cells', async () => {
    const rows: Cells[] = []
    const receiver = { row: (cells: Cells) => void rows.push(cells), hold: () => undefined }
    const statement = statementOf("select 1, null, true, '{a,b}'::text[]", {
      columns: [oids.int4, oids.text, oids.bool, oids.textArray],
    })
    const result = await adapter.execute(
      executionOf(statement, [], { rowShape: 'cells', receiver }),
    )
    expect(result).toEqual({ rows: '', rowCount: 1, truncated: false })
    expect(rows).toEqual([['1', null, 't', '{a,b}']])
  })

  test('are cells in the answer where there is no receiver', async () => {
    const statement = statementOf("select 1, null, 'a\"b'", {
      columns: [oids.int4, oids.text, oids.text],
    })
    const { rows } = await adapter.execute(executionOf(statement, [], { rowShape: 'cells' }))
    expect(rows).toBe('["1",null,"a\\"b"]')
  })

  test('wait in the database while their reader wants none', async () => {
    const count = 100_000
    const { rows, letGo, receiver } = stubborn()
    const execution = { rowShape: 'cells', receiver, maxRows: count } as const
    const answer = adapter.execute(executionOf(many(count), [], execution))
    await expect.poll(rows).toBeGreaterThan(0)
    await sleep(300)
    const before = rows()
    // The maximum that one read from the socket returns: 64 kB.
    expect(before).toBeLessThan(1_000)
    letGo()
    expect(await answer).toMatchObject({ rowCount: count })
    expect(rows()).toBe(count)
  })

  test('whose receiver has ended are cancelled, and the connection is replaced', async () => {
    const controller = new AbortController()
    const { rows, letGo, receiver } = stubborn()
    const { signal } = controller
    const execution = { rowShape: 'cells', receiver, maxRows: 1_000_000, signal } as const
    const answer = adapter.execute(executionOf(many(1_000_000), [], execution))
    await expect.poll(rows).toBeGreaterThan(0)
    controller.abort()
    letGo()
    await expect(answer).rejects.toMatchObject({ sqlState: '57014' })
    expect((await adapter.execute(executionOf(many(1)))).rowCount).toBe(1)
  })

  test('of a write are given when all of them have passed their check', async () => {
    const rows: Cells[] = []
    const receiver = { row: (cells: Cells) => void rows.push(cells), hold: () => undefined }
    const statement = statementOf('select i, i < 3 from generate_series(1, 3) i', {
      columns: [oids.int4],
      isWrite: true,
      yields: 'result',
      checkColumn: 1,
    })
    const answer = adapter.execute(executionOf(statement, [], { rowShape: 'cells', receiver }))
    await expect(answer).rejects.toMatchObject({ problem: 'checkFailed' })
    expect(rows).toEqual([])
  })

  test('come in pieces from a cursor, other statements in between', async () => {
    await adapter.transaction(options, async (session) => {
      const cursor = await session.open?.(executionOf(many(5)))
      expect((await cursor?.fetch(2))?.map(([i]) => i)).toEqual(['1', '2'])
      expect((await session.execute(executionOf(many(1)))).rowCount).toBe(1)
      const second = await session.open?.(executionOf(many(2)))
      expect((await second?.fetch(1))?.map(([i]) => i)).toEqual(['1'])
      expect((await cursor?.fetch(2))?.map(([i]) => i)).toEqual(['3', '4'])
      expect((await cursor?.fetch(2))?.map(([i]) => i)).toEqual(['5'])
      expect(await cursor?.fetch(2)).toEqual([])
      await cursor?.close()
      await cursor?.close()
      expect((await second?.fetch(1))?.map(([i]) => i)).toEqual(['2'])
    })
  })

  test('a cursor reports what fails on the way, and the transaction can go back', async () => {
    await adapter.transaction(options, async (session) => {
      await session.savepoint?.('engine_1')
      const statement = statementOf('select 1 / (3 - i) from generate_series(1, 5) i', {
        columns: [oids.int4],
      })
      const cursor = await session.open?.(executionOf(statement))
      expect(await cursor?.fetch(2)).toEqual([['0'], ['1']])
      await expect(cursor?.fetch(1)).rejects.toMatchObject({ sqlState: '22012' })
      await session.rollBackTo?.('engine_1')
      expect((await session.execute(executionOf(many(1)))).rowCount).toBe(1)
    })
  })

  test('a transaction has the isolation that was asked for', async () => {
    for (const isolation of ['repeatable read', 'serializable'] as const) {
      const statement = statementOf("select current_setting('transaction_isolation')", {
        columns: [oids.text],
      })
      const { rows } = await adapter.transaction({ ...options, isolation }, (session) =>
        session.execute(executionOf(statement)),
      )
      expect(rows).toBe(`["${isolation}"]`)
    }
  })
})
