import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { parseConfig } from './config/parse-config.ts'
import { silentLog } from './log.ts'
import { createPgWireStarter } from './start-pg-wire.ts'

const auth = { secret: 'a secret of at least thirty-two bytes' }
const masterKey = 'a master key of at least thirty-two bytes'
const begun = new Error('the server is made')

/** One whose server gets as far as to be made. */
const starter = (config: object) =>
  createPgWireStarter({
    settings: parseConfig({ connections: { main: 'shop.db' }, ...config }),
    openSession: () => {
      throw new Error('nobody can connect')
    },
    audit: undefined,
    factory: () => Promise.reject(begun),
    directory: tmpdir(),
    log: silentLog,
    clock: Date.now,
  })

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

test('an engine by itself knows no accounts: it says who does', async () => {
  const pgWire = { auth: { strategy: ['jwt', 'password'] } }
  const alone = starter({ auth, pgWire })
  await expect(alone.start({})).rejects.toEqual(
    refused(/^pgWire\.auth\.strategy jwt, password needs .*createGateway/),
  )
  const provider = { authenticate: () => Promise.reject(new Error('nobody')) }
  await expect(alone.start({ provider })).rejects.toBe(begun)
  await expect(starter({ auth, pgWire: true }).start({})).rejects.toBe(begun)
})

test('the master key needs nobody else', async () => {
  const pgWire = { auth: { strategy: ['apiKey'] } }
  await expect(starter({ auth, pgWire }).start({})).rejects.toEqual(refused(/createGateway/))
  await expect(starter({ auth, masterKey, pgWire }).start({})).rejects.toBe(begun)
})
