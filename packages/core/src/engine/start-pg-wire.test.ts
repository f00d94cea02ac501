import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { parseConfig } from '../config/parse/parse-config.ts'
import { silentLog } from '../foundation/log.ts'
import { createPgWireStarter, type PgWireStarterOptions } from './start-pg-wire.ts'

const auth = { secret: 'a secret of at least thirty-two bytes' }
const masterKey = 'a master key of at least thirty-two bytes'
const begun = new Error('the server is made')

const unasked = () => Promise.reject(new Error('no provider is needed'))

/** A starter whose server is created, but does not run. */
const starter = (config: object, openProvider: PgWireStarterOptions['openProvider'] = unasked) => {
  const settings = parseConfig({ connections: { main: 'shop.db' }, ...config })
  return createPgWireStarter({
    openProvider,
    settings: () => settings,
    openSession: () => {
      throw new Error('nobody can connect')
    },
    audit: undefined,
    factory: () => Promise.reject(begun),
    directory: tmpdir(),
    log: silentLog,
    clock: Date.now,
  })
}

const refused = (message: string | RegExp) =>
  expect.objectContaining({
    problem: 'invalidConfiguration',
    message: expect.stringMatching(message),
  })

test('what is not configured does not start', async () => {
  await expect(starter({}).start({})).rejects.toEqual(refused(/^pgWire is not configured/))
})

test('what could not start may be started again', async () => {
  const { start, current, close } = starter({ pgWire: true })
  await expect(start({})).rejects.toBe(begun)
  await expect(start({})).rejects.toBe(begun)
  expect(current()).toBeUndefined()
  await close()
})

test('an engine by itself opens what knows credentials, and closes it with the server', async () => {
  const pgWire = { auth: { strategy: ['jwt', 'password'] } }
  const provider = { authenticate: () => Promise.reject(new Error('unknown')) }
  for (const config of [
    { auth, pgWire },
    { masterKey, pgWire: { auth: { strategy: ['apiKey'] } } },
  ]) {
    const steps: string[] = []
    const alone = starter(config, async ({ isDevelopment }) => {
      steps.push(`opened ${isDevelopment}`)
      return { provider, close: async () => void steps.push('closed') }
    })
    await expect(alone.start({ isDevelopment: true })).rejects.toBe(begun)
    expect(steps).toEqual(['opened true', 'closed'])
    await expect(alone.start({ provider })).rejects.toBe(begun)
    expect(steps).toHaveLength(2)
  }
})

test('trust needs none, and what cannot be opened is said', async () => {
  const failure = new Error('the package is not installed')
  const open = () => Promise.reject(failure)
  await expect(starter({ auth, pgWire: true }, open).start({})).rejects.toBe(begun)
  const pgWire = { auth: { strategy: ['jwt'] } }
  await expect(starter({ auth, pgWire }, open).start({})).rejects.toBe(failure)
})
