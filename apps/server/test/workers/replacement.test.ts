/** SIGHUP: each worker is replaced by a new one, and nothing is dropped. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { masterKey } from '../support/accounts.ts'
import { connectWire, rowsOf } from '../support/wire.ts'
import { askAny, connectTo, readNote, startWorkers, type Workers } from './workers.ts'

let running: Workers
let url: string

beforeEach(async () => {
  running = await startWorkers()
  url = running.line.http
}, 60_000)
afterEach(() => running?.close())

const replaced = (before: ReadonlyMap<number, number>) => async () => {
  const now = await running.pids()
  return [1, 2].every((worker) => now.has(worker) && now.get(worker) !== before.get(worker))
}

test('requests on new and on kept connections are all answered', async () => {
  const before = await running.pids()
  const statuses = new Map<number | string, number>()
  let isOver = false
  const count = (status: number | string) => statuses.set(status, (statuses.get(status) ?? 0) + 1)
  const read = { token: masterKey, body: readNote(1) }
  const askAnew = async () => {
    while (!isOver) await askAny(url, '/data', read).then(({ status }) => count(status), count)
  }
  const keepAsking = async () => {
    const kept = await connectTo(url, 1)
    while (!isOver) {
      await kept.ask('POST', '/data', read).then(({ status }) => count(status), count)
    }
    kept.close()
  }
  const clients = Promise.all([askAnew(), askAnew(), askAnew(), keepAsking(), keepAsking()])
  running.server.signal('SIGHUP')
  await expect.poll(replaced(before), { timeout: 90_000, interval: 200 }).toBe(true)
  await sleep(300)
  isOver = true
  await clients
  expect([...statuses.keys()]).toEqual([200])
  expect(statuses.get(200)).toBeGreaterThan(50)
}, 120_000)

test('sessions of the wire protocol go on, and finish their transactions', async () => {
  const before = await running.pids()
  const login = { address: running.line.pgWire ?? '', password: masterKey }
  const clients = await Promise.all([1, 2, 3, 4].map(() => connectWire(login)))
  const [first, ...others] = clients
  await first?.query('begin')
  await first?.query("update main.notes set note = 'y' where id = 1")
  running.server.signal('SIGHUP')
  await expect.poll(replaced(before), { timeout: 90_000, interval: 200 }).toBe(true)
  for (const client of others) expect(await rowsOf(client, 'select 1')).toEqual([[1]])
  await first?.query("update main.notes set note = 'z' where id = 1")
  await first?.query('commit')
  const later = await connectWire(login)
  expect(await rowsOf(later, 'select note from main.notes where id = 1')).toEqual([['z']])
  await Promise.all([later, ...clients].map((client) => client.end()))
  running.server.signal('SIGTERM')
  expect(await running.server.exit()).toBe(0)
}, 120_000)

test('the new ones have the new configuration; one that cannot be used changes nothing', async () => {
  const before = await running.pids()
  running.program.folder.write('engine.config.json', '{ "connections": 1 }')
  running.server.signal('SIGHUP')
  await expect
    .poll(() => running.server.stderr(), { timeout: 30_000 })
    .toContain('the configuration cannot be used')
  expect(await running.pids()).toEqual(before)
  expect((await askAny(url, '/schema')).status).toBe(404)

  running.configure({ schemaEndpoint: true, port: 1 })
  running.server.signal('SIGHUP')
  await expect.poll(replaced(before), { timeout: 90_000, interval: 200 }).toBe(true)
  expect((await askAny(url, '/schema')).status).toBe(200)
}, 120_000)

test('a stop in the middle of a replacement stops all', async () => {
  running.server.signal('SIGHUP')
  await sleep(500)
  running.server.signal('SIGTERM')
  expect(await running.server.exit()).toBe(0)
}, 60_000)
