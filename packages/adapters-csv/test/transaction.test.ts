import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type {
  Adapter,
  CompiledStatement,
  Execution,
  TransactionOptions,
} from '@engine/core/adapter'
import { oids } from '@engine/core/catalog'
import { noTypmod } from '@engine/core/values'
import { expect, onTestFinished, test } from 'vitest'
import { csvAdapter } from '../src/index.ts'
import { makeDirectory } from './open-directory.ts'

const options: TransactionOptions = {
  timeoutMs: 5_000,
  readOnly: false,
  signal: undefined,
  isolation: 'read committed',
}

async function openShop(): Promise<{ readonly adapter: Adapter; readonly file: () => string }> {
  const directory = makeDirectory({ 't.csv': 'id,v\n1,a\n' })
  const adapter = csvAdapter({ directory, writable: true })
  onTestFinished(() => adapter.close())
  await adapter.introspect(AbortSignal.timeout(10_000))
  return { adapter, file: () => readFileSync(join(directory, 't.csv'), 'utf8') }
}

/** The statement that `compile` makes of an INSERT. */
function insert(id: number, v: string): Execution {
  const type = { oid: oids.text, typmod: noTypmod }
  const statement: CompiledStatement = {
    steps: [
      {
        sql: 'insert into "t" ("id", "v") values (cast(?1 as integer), ?2)',
        parameters: [
          { from: 'constant', value: String(id), type },
          { from: 'constant', value: v, type },
        ],
        yields: 'affected',
        checkColumn: undefined,
        visibleColumn: undefined,
      },
    ],
    needsTransaction: false,
    isWrite: true,
    columns: [],
    hints: { writes: 't' },
  }
  return {
    statement,
    values: [[String(id), v]],
    rowShape: 'array',
    maxRows: 10,
    timeoutMs: 5_000,
    signal: undefined,
  }
}

test('the file is written by the commit, and not before', async () => {
  const { adapter, file } = await openShop()

  const during = await adapter.transaction(options, async (session) => {
    await session.execute(insert(2, 'b'))
    return file()
  })

  expect(during).toBe('id,v\n1,a\n')
  expect(file()).toBe('id,v\n1,a\n2,b\n')
})

test('what was undone by a savepoint is not in the file', async () => {
  const { adapter, file } = await openShop()

  await adapter.transaction(options, async (session) => {
    await session.execute(insert(2, 'b'))
    await session.savepoint?.('engine_1')
    await session.execute(insert(3, 'c'))
    await session.rollBackTo?.('engine_1')
    await session.execute(insert(4, 'd'))
  })

  expect(file()).toBe('id,v\n1,a\n2,b\n4,d\n')
})

test('a transaction that took everything back leaves the file to others', async () => {
  const { adapter, file } = await openShop()

  await adapter.transaction(options, async (session) => {
    await session.savepoint?.('engine_1')
    await session.execute(insert(2, 'b'))
    await session.rollBackTo?.('engine_1')
    await adapter.execute(insert(3, 'c'))
  })

  expect(file()).toBe('id,v\n1,a\n3,c\n')
})

test('of two transactions that write to one file the second waits, and both are kept', async () => {
  const { adapter, file } = await openShop()
  const firstWrote = Promise.withResolvers<void>()
  const firstMayEnd = Promise.withResolvers<void>()

  const first = adapter.transaction(options, async (session) => {
    await session.execute(insert(2, 'b'))
    firstWrote.resolve()
    await firstMayEnd.promise
  })
  await firstWrote.promise
  const second = adapter.transaction(options, async (session) => {
    const waiting = session.execute(insert(3, 'c'))
    firstMayEnd.resolve()
    await waiting
  })
  await Promise.all([first, second])

  expect(file()).toBe('id,v\n1,a\n2,b\n3,c\n')
})
