import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { Worker } from 'node:worker_threads'
import { afterEach, expect, test } from 'vitest'
import { closeListener } from './close-listener.ts'

/** Connects and sends a byte for each message; tells at `flag[0]` how many connections it has, and what became of each. */
const client = `
import { connect } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
const { port, flag } = workerData
parentPort.on('message', () => {
  const socket = connect(port, '127.0.0.1')
  socket.on('connect', () => {
    socket.write('?')
    Atomics.add(flag, 0, 1)
    Atomics.notify(flag, 0)
  })
  socket.on('data', (bytes) => socket.end())
  socket.on('error', ({ code }) => parentPort.postMessage(code))
  socket.on('end', () => parentPort.postMessage('answered'))
})`

let server: Server
let worker: Worker | undefined

/** Answers each byte, and closes the connection. */
async function listen(): Promise<number> {
  server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.once('data', () => socket.end('!'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

async function startClient(port: number, flag: Int32Array): Promise<Worker> {
  const url = new URL(`data:text/javascript,${encodeURIComponent(client)}`)
  worker = new Worker(url, { workerData: { port, flag } })
  await once(worker, 'online')
  return worker
}

afterEach(async () => {
  await worker?.terminate()
  worker = undefined
  if (server.listening) server.close()
})

test('connections that arrive while the event loop is busy are answered', async () => {
  const port = await listen()
  const flag = new Int32Array(new SharedArrayBuffer(4))
  const other = await startClient(port, flag)
  const outcomes: unknown[] = []
  other.on('message', (outcome) => outcomes.push(outcome))
  const busy = () => {
    const before = Atomics.load(flag, 0)
    other.postMessage('connect')
    Atomics.wait(flag, 0, before, 10_000)
  }
  const closed = closeListener(server, { close: () => void server.close(), limitMs: 10_000 })
  setImmediate(busy)
  setImmediate(busy)
  setTimeout(busy, 5)
  await closed
  expect(server.listening).toBe(false)
  await expect.poll(() => outcomes).toEqual(['answered', 'answered', 'answered'])
  other.postMessage('connect')
  await expect.poll(() => outcomes[3]).toBe('ECONNREFUSED')
})

/** Opens another connection before the server accepts the next one, until `count` were opened. */
async function connectAgainAndAgain(count: number): Promise<unknown[]> {
  const port = await listen()
  const flag = new Int32Array(new SharedArrayBuffer(4))
  const other = await startClient(port, flag)
  const outcomes: unknown[] = []
  other.on('message', (outcome) => outcomes.push(outcome))
  const again = () => {
    const before = Atomics.load(flag, 0)
    if (before >= count) return
    other.postMessage('connect')
    Atomics.wait(flag, 0, before, 10_000)
  }
  server.on('connection', again)
  again()
  return outcomes
}

test('while clients go on to connect it goes on to accept', async () => {
  const outcomes = await connectAgainAndAgain(50)
  await closeListener(server, { close: () => void server.close(), limitMs: 10_000 })
  expect(server.listening).toBe(false)
  await expect.poll(() => outcomes).toEqual(Array(50).fill('answered'))
})

test('it closes at the limit even if a connection always waits', async () => {
  await connectAgainAndAgain(Number.POSITIVE_INFINITY)
  await closeListener(server, { close: () => void server.close(), limitMs: 100 })
  expect(server.listening).toBe(false)
})

test('with a limit of 0 it closes after one turn', async () => {
  await listen()
  await closeListener(server, { close: () => void server.close(), limitMs: 0 })
  expect(server.listening).toBe(false)
})
