import { expect, test } from 'vitest'
import { knownTraits } from '../../compiler/catalog/database-traits.ts'
import { parseConfig } from '../../config/parse/parse-config.ts'
import { type OpenTransactions, openTransactionsOf } from './open-transactions.ts'

const open = (max: number): OpenTransactions =>
  openTransactionsOf(
    parseConfig({
      connections: {
        main: { url: 'postgres://db/x', pool: { max } },
        other: { url: 'mysql://db/x', pool: { max } },
        local: 'shop.db',
      },
    }),
    (name) => knownTraits(name === 'local' ? { transactionsAtATime: 'shared' } : undefined),
  )

const soon = { timeoutMs: 5, signal: undefined }
const tooMany = { problem: 'unavailable', sqlState: '53300' }

async function enterAll(transactions: OpenTransactions, ...callers: readonly string[]) {
  const leaves: (() => void)[] = []
  for (const caller of callers) leaves.push(await transactions.enter('main', caller, soon))
  return leaves
}

test('one caller may have half of the connections, all together three quarters', async () => {
  const transactions = open(8)
  const leaves = await enterAll(transactions, 'ada', 'ada', 'ada', 'ada')
  await expect(transactions.enter('main', 'ada', soon)).rejects.toMatchObject(tooMany)
  await enterAll(transactions, 'eve', 'eve')
  await expect(transactions.enter('main', 'eve', soon)).rejects.toMatchObject(tooMany)
  await expect(transactions.enter('main', undefined, soon)).rejects.toMatchObject(tooMany)
  leaves[0]?.()
  await enterAll(transactions, 'eve')
})

test('connections do not take places of each other; SQLite has as many as are wanted', async () => {
  const transactions = open(2)
  await enterAll(transactions, 'ada')
  await transactions.enter('other', 'ada', soon)
  for (let i = 0; i < 50; i += 1) await transactions.enter('local', 'ada', soon)
  await expect(transactions.enter('main', 'ada', soon)).rejects.toMatchObject(tooMany)
})

test('there is always room for one', async () => {
  const transactions = open(1)
  const [leave] = await enterAll(transactions, 'ada')
  const waiting = transactions.enter('main', 'eve', { timeoutMs: 10_000, signal: undefined })
  leave?.()
  await waiting
})

test('who does not want to wait any more leaves no trace', async () => {
  const transactions = open(1)
  const [leave] = await enterAll(transactions, 'ada')
  const controller = new AbortController()
  const waiting = transactions.enter('main', 'eve', {
    timeoutMs: 10_000,
    signal: controller.signal,
  })
  controller.abort()
  await expect(waiting).rejects.toMatchObject({ sqlState: '57014' })
  leave?.()
  await enterAll(transactions, 'ada')
})

test('new limits count the transactions that are open', async () => {
  const transactions = open(2)
  const [leave] = await enterAll(transactions, 'ada')
  const settings = (connections: object) => parseConfig({ connections })
  const larger = settings({ main: { url: 'postgres://db/x', pool: { max: 4 } } })
  transactions.change(larger, () => knownTraits(undefined))
  await enterAll(transactions, 'ada')
  await expect(transactions.enter('main', 'ada', soon)).rejects.toMatchObject(tooMany)
  transactions.change(settings({ main: 'shop.db' }), () =>
    knownTraits({ transactionsAtATime: 'shared' }),
  )
  leave?.()
  for (let i = 0; i < 5; i += 1) await enterAll(transactions, 'ada')
})
