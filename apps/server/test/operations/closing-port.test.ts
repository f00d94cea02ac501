/** A server that stops while clients go on to connect: each request is answered, or its connection is refused. */
import { once } from 'node:events'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setImmediate as immediately } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { NodeHandler } from '@engine/http/node'
import { afterEach, expect, test } from 'vitest'
import { type Listening, listen } from '../../src/http/listening.ts'

/** Eight clients in a thread of their own. Each opens a connection for each request, until one fails. */
const clients = `
import { request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
const body = 'x'.repeat(200_000)
function ask() {
  const asked = request(workerData, { method: 'POST', agent: false }, (response) => {
    let text = ''
    response.setEncoding('utf8').on('data', (part) => { text += part })
    response.on('end', () => {
      parentPort.postMessage(text === body ? 'answered' : 'another answer')
      ask()
    })
  })
  asked.on('error', ({ code }) => parentPort.postMessage(code))
  asked.end(body)
}
for (let i = 0; i < 8; i += 1) ask()`

const echo: NodeHandler = (from, to) => void from.pipe(to)

let listening: Listening
let worker: Worker | undefined
const open = async (
  handler: NodeHandler,
  confirmClosed = (): Promise<unknown> => Promise.resolve(),
): Promise<URL> => {
  const maxBodyBytes = () => 1_000_000
  listening = await listen({ handler, port: 0, host: '127.0.0.1', maxBodyBytes, confirmClosed })
  return new URL(listening.url)
}
afterEach(async () => {
  await worker?.terminate()
  worker = undefined
  await listening.drain(0)
})

test('clients that open a connection for each request lose none', async () => {
  const url = await open(echo)
  const outcomes: unknown[] = []
  const source = new URL(`data:text/javascript,${encodeURIComponent(clients)}`)
  worker = new Worker(source, { workerData: url.href })
  worker.on('message', (outcome) => outcomes.push(outcome))
  await expect.poll(() => outcomes.length).toBeGreaterThan(100)
  await listening.drain(10_000)
  const failures = () => outcomes.filter((outcome) => outcome !== 'answered')
  await expect.poll(failures).toEqual(Array(8).fill('ECONNREFUSED'))
})

test('a connection that is made while it stops is answered, and closed', async () => {
  const url = await open(echo)
  const drained = listening.drain(10_000)
  const asked = request(url, { method: 'POST' }).end('hello')
  const [response] = await once(asked, 'response')
  expect(response.headers.connection).toBe('close')
  expect(await response.setEncoding('utf8').toArray()).toEqual(['hello'])
  await drained
})

test('it is answered when the other process has closed the socket, too', async () => {
  const events: string[] = []
  const url = await open(
    (_, to) => {
      events.push('request')
      to.end()
    },
    async () => void events.push('closed'),
  )
  const drained = listening.drain(10_000)
  const [response] = await once(request(url).end(), 'response')
  response.resume()
  await drained
  expect(events).toEqual(['closed', 'request'])
})

test.each([
  ['does not answer', () => new Promise<never>(() => undefined)],
  ['has ended', () => Promise.reject(new Error('the channel is closed'))],
])('it is answered when the other process %s, too', async (_, confirmClosed) => {
  const url = await open((__, to) => void to.end('hello'), confirmClosed)
  const drained = listening.drain(10_000)
  const [response] = await once(request(url).end(), 'response')
  expect(await response.setEncoding('utf8').toArray()).toEqual(['hello'])
  await drained
})

test('requests on kept connections are answered meanwhile', async () => {
  const url = await open((_, to) => void to.end('hello'))
  const socket = await connected(url)
  const ask = async () => {
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    return String(await once(socket, 'data'))
  }
  expect(await ask()).toContain('Connection: keep-alive')
  const drained = listening.drain(10_000)
  expect(await ask()).toContain('Connection: keep-alive')
  socket.end()
  await drained
})

test('a connection that its client resets while it stops is no error', async () => {
  const url = await open(echo)
  const drained = listening.drain(10_000)
  const socket = await connected(url)
  await immediately()
  socket.resetAndDestroy()
  await drained
})

async function connected(url: URL): Promise<Socket> {
  const socket = connect(Number(url.port), url.hostname)
  await once(socket, 'connect')
  return socket
}
