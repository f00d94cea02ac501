import { afterEach, expect, test, vi } from 'vitest'
import { createChangeReader } from './change-reader.ts'
import type { ServiceConnection, ServiceDatabase, ServiceResult } from './service-database.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** A database whose connections answer when told. */
function database() {
  const opened: { asked: PromiseWithResolvers<ServiceResult>[]; released: number }[] = []
  const service: ServiceDatabase = {
    kind: 'postgres',
    isShared: true,
    acquire: async () => {
      const own = { asked: [] as PromiseWithResolvers<ServiceResult>[], released: 0 }
      opened.push(own)
      return {
        execute: () => {
          const answer = Promise.withResolvers<ServiceResult>()
          own.asked.push(answer)
          return answer.promise
        },
        release: () => {
          own.released += 1
        },
      } as Partial<ServiceConnection> as ServiceConnection
    },
    close: async () => undefined,
  }
  const answer = (connection: number, question: number, value: number) =>
    opened[connection]?.asked[question]?.resolve({ rows: [{ value }], affectedRows: undefined })
  return { service, opened, answer }
}

const ready = () => undefined
const turns = () => vi.advanceTimersByTimeAsync(0)

test('readings share one connection, which is given back at the end', async () => {
  vi.useFakeTimers()
  const { service, opened, answer } = database()
  const reader = createChangeReader({ database: service, requireReady: ready })
  for (const value of [7, 8]) {
    const reading = reader.read()
    await turns()
    answer(0, value - 7, value)
    await expect(reading).resolves.toBe(value)
  }
  reader.close()
  expect(opened).toMatchObject([{ released: 1 }])
})

test('a connection that does not answer is left, and given back when it does', async () => {
  vi.useFakeTimers()
  const { service, opened, answer } = database()
  const reader = createChangeReader({ database: service, requireReady: ready })
  const stuck = reader.read()
  const refused = expect(stuck).rejects.toMatchObject({ problem: 'unavailable' })
  await vi.advanceTimersByTimeAsync(2_000)
  await refused
  const reading = reader.read()
  await turns()
  answer(1, 0, 5)
  await expect(reading).resolves.toBe(5)
  expect(opened).toMatchObject([{ released: 0 }, { released: 0 }])
  answer(0, 0, 4)
  await turns()
  expect(opened).toMatchObject([{ released: 1 }, { released: 0 }])
})

test('a connection that was lost while it was idle is replaced, and the same count is another one', async () => {
  vi.useFakeTimers()
  const { service, opened, answer } = database()
  const reader = createChangeReader({ database: service, requireReady: ready })
  const first = reader.read()
  await turns()
  answer(0, 0, 1)
  await first
  const second = reader.read()
  await turns()
  opened[0]?.asked[1]?.reject(new Error('terminated'))
  await turns()
  answer(1, 0, 1)
  await expect(second).resolves.not.toBe(1)
  const third = reader.read()
  await turns()
  answer(1, 1, 1)
  await expect(third).resolves.toBe(await second)
  expect(opened).toMatchObject([{ released: 1 }, { released: 0 }])
})

test('a count of some age is good enough where that is allowed, but not after a change by this node', async () => {
  vi.useFakeTimers()
  const { service, answer } = database()
  let nowMs = 0
  const reader = createChangeReader({
    database: service,
    requireReady: ready,
    elapsedMs: () => nowMs,
  })
  const first = reader.read(100)
  await turns()
  answer(0, 0, 1)
  await first
  nowMs = 99
  expect(reader.read(100)).toBe(1)
  reader.forget()
  const second = reader.read(100)
  expect(second).toBeInstanceOf(Promise)
  await turns()
  answer(0, 1, 2)
  await expect(second).resolves.toBe(2)
  nowMs = 199
  expect(reader.read(0)).toBeInstanceOf(Promise)
})

test('closing during a reading waits for it', async () => {
  vi.useFakeTimers()
  const { service, opened, answer } = database()
  const reader = createChangeReader({ database: service, requireReady: ready })
  const reading = reader.read()
  await turns()
  reader.close()
  expect(opened).toMatchObject([{ released: 0 }])
  answer(0, 0, 3)
  await expect(reading).resolves.toBe(3)
  expect(opened).toMatchObject([{ released: 1 }])
})

/** A database within this process, whose counter is `counter.value`. */
function ownDatabase() {
  const counter = { value: 1, readings: 0 }
  const service: ServiceDatabase = {
    ...database().service,
    kind: 'sqlite',
    createReader: () => () => {
      counter.readings += 1
      return counter.value
    },
  }
  const open = () => createChangeReader({ database: service, requireReady: ready })
  return { counter, open }
}

test('within this process one reading serves one turn of the event loop', async () => {
  const { counter, open } = ownDatabase()
  const reader = open()
  expect([reader.read(), reader.read()]).toEqual([1, 1])
  expect(counter.readings).toBe(1)
  counter.value = 2
  await new Promise(setImmediate)
  expect(reader.read()).toBe(2)
})

test('a change by this process is read at once, whoever made it', () => {
  const { counter, open } = ownDatabase()
  const [reader, other] = [open(), open()]
  expect(reader.read()).toBe(1)
  counter.value = 2
  other.forget()
  expect(reader.read()).toBe(2)
})

test('nothing is remembered of a database that is closed', () => {
  const { counter, open } = ownDatabase()
  const reader = open()
  expect(reader.read()).toBe(1)
  reader.close()
  counter.value = 2
  expect(reader.read()).toBe(2)
})
