import { expect, test } from 'vitest'
import { GatewayError } from '../../foundation/errors.ts'
import { silentLog } from '../../foundation/log.ts'
import { createReadiness } from './readiness.ts'
import type { Migration } from './store.ts'

const away = new GatewayError('unavailable', 'away')
const list = (name: string): readonly Migration[] => [{ name, up: async () => undefined }]

test('lists are applied in order as soon as the server is there', async () => {
  const applied: string[] = []
  let isThere = false
  const readiness = createReadiness({
    log: silentLog,
    isShared: true,
    migrate: async ([migration]) => {
      if (!isThere) throw away
      applied.push(migration?.name ?? '')
    },
  })
  await readiness.migrate(list('a/0001'))
  await readiness.migrate(list('b/0001'))
  expect(() => readiness.require()).toThrow(expect.objectContaining({ problem: 'unavailable' }))
  isThere = true
  await readiness.whenReady()
  expect(applied).toEqual(['a/0001', 'b/0001'])
  expect(() => readiness.require()).not.toThrow()
  await readiness.migrate(list('c/0001'))
  expect(applied).toHaveLength(3)
})

test('a file that is away is not waited for, nor is a migration that fails', async () => {
  const wrong = new GatewayError('invalidConfiguration', 'wrong')
  for (const [isShared, error] of [
    [false, away],
    [true, wrong],
  ] as const) {
    const migrate = async () => {
      throw error
    }
    const readiness = createReadiness({ log: silentLog, isShared, migrate })
    await expect(readiness.migrate(list('a/0001'))).rejects.toBe(error)
    expect(() => readiness.require()).not.toThrow()
  }
})

test('a migration that fails when the server is there at last keeps the service away', async () => {
  const errors = [away, new GatewayError('invalidConfiguration', 'wrong')]
  const readiness = createReadiness({
    log: silentLog,
    isShared: true,
    migrate: async () => {
      throw errors.shift() ?? new Error('tried once more')
    },
  })
  await readiness.migrate(list('a/0001'))
  await expect(readiness.whenReady()).rejects.toThrow('wrong')
  expect(() => readiness.require()).toThrow(expect.objectContaining({ problem: 'unavailable' }))
})

test('closing ends the attempts', async () => {
  const migrate = async () => {
    throw away
  }
  const readiness = createReadiness({ log: silentLog, isShared: true, migrate })
  await readiness.migrate(list('a/0001'))
  readiness.close()
  await expect(readiness.whenReady()).rejects.toMatchObject({ problem: 'unavailable' })
})
