/** How a server with several workers starts, goes on when one ends, and stops. */
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { createProgram } from '../support/program.ts'
import { askAny, startWorkers, statusOf, type Workers } from './workers.ts'

let running: Workers | undefined
afterEach(async () => {
  await running?.close()
  running = undefined
})

test('one line says that all are ready; SIGTERM ends all, exit 0', async () => {
  running = await startWorkers()
  const { server, line } = running
  expect(line.workers).toBe(2)
  const { worker, workers } = await statusOf(line.http)
  expect([1, 2]).toContain(worker)
  expect(workers.map((each) => each.worker)).toEqual([1, 2])
  expect(new Set(workers.map(({ pid }) => pid)).size).toBe(2)
  expect((await fetch(`${line.internal}/health/ready`)).status).toBe(200)
  server.signal('SIGTERM')
  expect(await server.exit()).toBe(0)
  expect(server.stdout().trimEnd().split('\n')).toHaveLength(1)
})

test('a port that is taken is one clear error, and exit 1', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as { port: number }
  const program = createProgram()
  const config = { port, workers: 2, connections: { main: { url: 'shop.db', create: true } } }
  program.folder.write('engine.config.json', JSON.stringify(config))
  const { code, stdout, stderr } = await program.run([])
  expect([code, stdout]).toEqual([1, ''])
  const errors = stderr.split('\n').filter((text) => text.startsWith('Cannot listen'))
  expect(errors).toEqual([
    `Cannot listen on 127.0.0.1:${port}: the port is in use. Choose another with --port.`,
  ])
  taken.close()
  await program.close()
})

test.each([
  [['--workers', 'many'], {}, /workers: expects auto, or a whole number/],
  [
    ['--workers', '2'],
    { connections: { main: 'file::memory:' } },
    /connections\.main: is in the memory/,
  ],
  [['--workers', '2', '--demo'], {}, /--workers: the demo is served by one process/],
])('%j: what several processes cannot serve is refused, exit 2', async (args, changes, reason) => {
  const program = createProgram()
  const config = { port: 0, connections: { main: { url: 'shop.db', create: true } }, ...changes }
  program.folder.write('engine.config.json', JSON.stringify(config))
  const { code, stdout, stderr } = await program.run(args)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(reason)
  await program.close()
})

test.runIf(process.platform === 'linux')(
  'a stop before all are ready ends it without an error of a worker',
  async () => {
    const program = createProgram()
    const config = { port: 0, workers: 2, connections: { main: { url: 'shop.db', create: true } } }
    program.folder.write('engine.config.json', JSON.stringify(config))
    const server = program.start([])
    await expect
      .poll(() => childrenOf(server.pid), { timeout: 30_000, interval: 20 })
      .toHaveLength(2)
    server.signal('SIGTERM')
    expect(await server.exit()).toBe(0)
    expect(server.stderr()).not.toContain('ended at its start')
    await program.close()
  },
  60_000,
)

test('when one is killed the other goes on, and it comes back', async () => {
  running = await startWorkers()
  const { server, line, pids } = running
  const before = await pids()
  const first = before.get(1) ?? 0
  process.kill(first, 'SIGKILL')
  await expect.poll(() => isAlive(first), { timeout: 10_000 }).toBe(false)
  for (let i = 0; i < 10; i += 1) {
    expect((await askAny(line.http, '/health/live')).status).toBe(200)
  }
  const back = async () => {
    const now = await pids()
    return now.size === 2 && now.get(1) !== first && now.get(2) === before.get(2)
  }
  await expect.poll(back, { timeout: 60_000, interval: 200 }).toBe(true)
  expect(server.stderr()).toContain('a worker has ended')
  const metrics = await (await fetch(`${line.internal}/metrics`)).text()
  expect(metrics).toContain('engine_workers 2')
  expect(metrics).toContain('engine_worker_restarts_total 1')
}, 90_000)

test('when none is left and none can be started, it ends with the reason, exit 1', async () => {
  running = await startWorkers()
  const { server, program, pids } = running
  const all = await pids()
  program.folder.write('engine.config.json', 'not JSON')
  for (const pid of all.values()) process.kill(pid, 'SIGKILL')
  expect(await server.exit()).toBe(1)
  expect(server.stderr()).toContain('is not valid JSON')
  expect(server.stderr()).toContain('no worker runs, and none can be started')
}, 90_000)

test('when the supervisor is killed, its workers end', async () => {
  running = await startWorkers()
  const { server, pids } = running
  const all = [...(await pids()).values()]
  server.signal('SIGKILL')
  await server.exit()
  await sleep(0)
  await expect.poll(() => all.filter(isAlive), { timeout: 10_000 }).toEqual([])
})

/** The processes that a process has started. */
function childrenOf(pid: number): readonly string[] {
  const path = `/proc/${pid}/task/${pid}/children`
  return existsSync(path) ? readFileSync(path, 'utf8').split(' ').filter(Boolean) : []
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
