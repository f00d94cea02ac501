import { once } from 'node:events'
import {
  createServer,
  get,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createUnreadResponseCheck } from '../../src/http/unread-responses.ts'

/** Much more than the operating system buffers. */
const size = 64_000_000
const answer = Buffer.alloc(size, 'x')
const never = 3_600_000

let server: Server
let unanswered: Set<ServerResponse>

beforeEach(async () => {
  unanswered = new Set()
  server = createServer((_, response) => {
    unanswered.add(response)
    response.once('close', () => unanswered.delete(response))
    response.end(answer)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
})

afterEach(() => {
  server.closeAllConnections()
  server.close()
})

/** A request whose response is not read; resolves when the response waits. */
async function ask(): Promise<{ sent: ServerResponse; received: IncomingMessage }> {
  const before = new Set(unanswered)
  const request = get({ port: (server.address() as AddressInfo).port, agent: false })
  request.on('error', () => undefined)
  const [received] = (await once(request, 'response')) as [IncomingMessage]
  const [sent] = [...unanswered].filter((response) => !before.has(response))
  if (sent === undefined) throw new Error('the answer is gone already')
  return { sent, received }
}

async function bytesOf(received: IncomingMessage): Promise<number> {
  let bytes = 0
  for await (const chunk of received) bytes += (chunk as Buffer).byteLength
  return bytes
}

test('of whom takes nothing of an answer, the connection ends', async () => {
  const { sent } = await ask()
  createUnreadResponseCheck({ unanswered, stallMs: 50, maxBytes: Number.MAX_SAFE_INTEGER })()
  await once(sent, 'close')
  expect(sent.writableFinished).toBe(false)
})

test('where too much waits, those that have waited longest end; the others are sent whole', async () => {
  const first = await ask()
  const second = await ask()
  const third = await ask()
  createUnreadResponseCheck({ unanswered, stallMs: never, maxBytes: 2.5 * size })()
  await once(first.sent, 'close')
  expect(await Promise.all([bytesOf(second.received), bytesOf(third.received)])).toEqual([
    size,
    size,
  ])
})

test('a client that reads is left alone', async () => {
  const { sent, received } = await ask()
  const look = createUnreadResponseCheck({ unanswered, stallMs: never, maxBytes: 2 * size })
  look()
  look()
  expect(await bytesOf(received)).toBe(size)
  expect(sent.writableFinished).toBe(true)
})
