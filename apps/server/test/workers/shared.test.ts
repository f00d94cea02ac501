/** What several workers share: sign-outs, counts of requests, metrics. The service database is a file. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { masterKey } from '../support/accounts.ts'
import { askAny, connectTo, readNote, startWorkers, type Workers } from './workers.ts'

let running: Workers
let url: string

/** Requests of an address a minute. */
const limit = 200

beforeAll(async () => {
  running = await startWorkers({
    limits: { rateLimitPerUser: limit },
    auth: {
      secret: 'a secret of at least thirty-two bytes',
      throttle: { signInFailuresPerAccountAndIp: [5, '15m'] },
    },
  })
  url = running.line.http
}, 60_000)
afterAll(() => running?.close())

let accounts = 0
async function signUp(): Promise<{ readonly email: string; readonly token: string }> {
  accounts += 1
  const email = `ada-${accounts}@example.com`
  const { status, body } = await askAny(url, '/auth/sign-up', {
    body: { email, password: 'correct horse battery staple' },
  })
  expect(status).toBe(201)
  return { email, token: body.session.token }
}

test('a sign-out at one is seen by the other from the next request on', async () => {
  const [first, second] = [await connectTo(url, 1), await connectTo(url, 2)]
  for (const [here, there] of [
    [first, second],
    [second, first],
  ] as const) {
    const { token } = await signUp()
    const read = { token, body: readNote(1) }
    expect((await here.ask('POST', '/data', read)).status).toBe(200)
    expect((await there.ask('POST', '/data', read)).status).toBe(200)
    expect((await here.ask('POST', '/auth/sign-out', { token })).status).toBe(200)
    expect((await there.ask('POST', '/data', read)).status).toBe(401)
  }
  first.close()
  second.close()
})

test('a limit is one for all, but for what a worker takes in advance', async () => {
  const { token } = await signUp()
  const read = { token, body: readNote(1) }
  const workers = [await connectTo(url, 1), await connectTo(url, 2)]
  const beganMs = performance.now()
  let allowed = 0
  for (let i = 0; i < limit * 2; i += 1) {
    const { status } = (await workers[i % 2]?.ask('POST', '/data', read)) ?? { status: 0 }
    if (status === 200) allowed += 1
    else expect(status).toBe(429)
  }
  const refilled = Math.ceil(((performance.now() - beganMs) / 60_000) * limit)
  expect(allowed).toBeLessThanOrEqual(limit + refilled)
  // A twentieth may be lost to what the other worker holds.
  expect(allowed).toBeGreaterThanOrEqual(limit - limit / 20)
  for (const worker of workers) worker.close()
})

test('wrong passwords are counted together, exactly', async () => {
  const { email } = await signUp()
  const workers = [await connectTo(url, 1), await connectTo(url, 2)]
  const statuses: number[] = []
  for (let i = 0; i < 7; i += 1) {
    const body = { email, password: `wrong password ${i}` }
    statuses.push((await workers[i % 2]?.ask('POST', '/auth/sign-in', { body }))?.status ?? 0)
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429])
  for (const worker of workers) worker.close()
})

test('metrics are those of all, whichever answers, and counters never decrease', async () => {
  const [first, second] = [await connectTo(url, 1), await connectTo(url, 2)]
  const before = await liveRequests()
  for (let i = 0; i < 3; i += 1) await first.ask('GET', '/health/live')
  for (let i = 0; i < 4; i += 1) await second.ask('GET', '/health/live')
  for (let i = 0; i < 6; i += 1) expect(await liveRequests()).toBe(before + 7)
  const pids = await running.pids()
  process.kill(pids.get(2) ?? 0, 'SIGKILL')
  const isBack = async () => {
    const now = await running.pids()
    return now.size === 2 && now.get(2) !== pids.get(2)
  }
  await expect.poll(isBack, { timeout: 60_000, interval: 200 }).toBe(true)
  expect(await liveRequests()).toBe(before + 7)
  await first.ask('GET', '/health/live')
  expect(await liveRequests()).toBe(before + 8)
  first.close()
  second.close()
}, 90_000)

async function liveRequests(): Promise<number> {
  const text = await (await fetch(`${running.line.internal}/metrics`)).text()
  const found = /^engine_http_requests_total\{[^}]*route="\/health\/live"[^}]*\} (\d+)$/m.exec(text)
  return Number(found?.[1] ?? 0)
}

test('the status names the worker that answers, and shows all', async () => {
  const second = await connectTo(url, 2)
  const { body } = await second.ask('GET', '/admin/api/status', { token: masterKey })
  expect(body.worker).toBe(2)
  expect(body.workers).toEqual([
    expect.objectContaining({ worker: 1, pools: { main: expect.anything() } }),
    expect.objectContaining({ worker: 2, pools: { main: expect.anything() } }),
  ])
  second.close()
})
