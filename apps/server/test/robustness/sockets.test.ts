/** What a server meets on its sockets: slow, broken, oversized and senseless requests. */
import { setTimeout as sleep } from 'node:timers/promises'
import { silentLog } from '@engine/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningServer, serve } from '../../src/serve.ts'
import { openSqlite, type TestDatabase } from '../support/databases.ts'
import { openSocket, rawRequest } from '../support/raw-socket.ts'

describe('a socket', () => {
  let database: TestDatabase
  let server: RunningServer

  beforeAll(async () => {
    database = await openSqlite()
    server = await serve({
      config: { connections: { main: database.url }, limits: { maxRequestBodySize: '100kb' } },
      port: 0,
      host: '127.0.0.1',
      isDevelopment: false,
      log: silentLog,
    })
  })
  afterAll(async () => {
    await server?.stop(1_000)
    await database?.remove()
  })

  const select = (n: number) => ({ sql: 'select $1::int', params: [n], method: 'get' })
  const isAlive = async () => {
    const response = await fetch(`${server.url}/data`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(select(7)),
    })
    expect(await response.json()).toEqual({ rows: [7] })
  }
  const expectError = (
    answer: Awaited<ReturnType<ReturnType<typeof openSocket>['answer']>>,
    status: number,
    error: string,
  ) => {
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(JSON.parse(answer.body)).toEqual({
      error,
      message: expect.any(String),
      correlation_id: answer.headers.get('x-request-id'),
    })
  }

  test('a body that comes piece by piece is read, and others are served meanwhile', async () => {
    const raw = openSocket(server.url)
    const request = rawRequest(select(5))
    for (let start = 0; start < request.length; start += 40) {
      raw.send(request.slice(start, start + 40))
      await sleep(20)
      await isAlive()
    }
    expect((await raw.answer()).body).toBe('{"rows":[5]}')
    raw.socket.destroy()
  })

  test('a body in chunks is read', async () => {
    const raw = openSocket(server.url)
    raw.send('POST /data HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n')
    raw.send('Transfer-Encoding: chunked\r\n\r\n')
    const text = JSON.stringify(select(6))
    for (const part of [text.slice(0, 10), text.slice(10)]) {
      raw.send(`${part.length.toString(16)}\r\n${part}\r\n`)
      await sleep(10)
    }
    raw.send('0\r\n\r\n')
    expect((await raw.answer()).body).toBe('{"rows":[6]}')
    raw.socket.destroy()
  })

  test('several requests in one write are answered in order', async () => {
    const raw = openSocket(server.url)
    raw.send([1, 2, 3, 4].map((n) => rawRequest(select(n))).join(''))
    for (const n of [1, 2, 3, 4]) expect((await raw.answer()).body).toBe(`{"rows":[${n}]}`)
    raw.socket.destroy()
  })

  test.each([
    ['text', 'hello there\r\n\r\n'],
    ['half a request line', 'POST /da\r\n\r\n'],
    ['TLS', new Uint8Array([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03])],
    [
      'two lengths',
      'POST /data HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    ],
    [
      'a length and chunks',
      'POST /data HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a header that is none', 'GET /health/live HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n'],
  ])('%s is 400 in our shape, and the connection ends', async (_, garbage) => {
    const raw = openSocket(server.url)
    raw.send(garbage)
    expectError(await raw.answer(), 400, 'BAD_REQUEST')
    await raw.closed
    await isAlive()
  })

  test('garbage behind a request does not spoil its answer', async () => {
    const raw = openSocket(server.url)
    raw.send(rawRequest(select(8)))
    expect((await raw.answer()).body).toBe('{"rows":[8]}')
    raw.send('\x00\x01garbage\r\n\r\n')
    expectError(await raw.answer(), 400, 'BAD_REQUEST')
    await raw.closed
  })

  test('headers that are too large are 431', async () => {
    const raw = openSocket(server.url)
    raw.send(rawRequest(select(1), [`X-Large: ${'x'.repeat(20_000)}`]))
    expectError(await raw.answer(), 431, 'BAD_REQUEST')
    await raw.closed
    await isAlive()
  })

  test('very many headers do no harm', async () => {
    const raw = openSocket(server.url)
    raw.send(
      rawRequest(
        select(1),
        Array.from({ length: 900 }, (_, i) => `x${i}: y`),
      ),
    )
    expect((await raw.answer()).body).toBe('{"rows":[1]}')
    raw.socket.destroy()
    await isAlive()
  })

  test.each([
    ['a host that is none', 'GET /health/live HTTP/1.1\r\nHost: a b\r\n\r\n'],
    ['a URL that is none', 'GET http://[::1/ HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('%s is 400 in our shape', async (_, text) => {
    const raw = openSocket(server.url)
    raw.send(text)
    expectError(await raw.answer(), 400, 'BAD_REQUEST')
    raw.socket.destroy()
  })

  describe('a body that is too large is 413 before it has been sent', () => {
    test('announced', async () => {
      const raw = openSocket(server.url)
      const head = 'POST /data HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
      raw.send(`${head}Content-Length: 1000000000\r\n\r\n{`)
      expectError(await raw.answer(), 413, 'PAYLOAD_TOO_LARGE')
      raw.send('x'.repeat(100_000))
      await raw.closed
      await isAlive()
    })

    test('in chunks without end', async () => {
      const raw = openSocket(server.url)
      raw.send('POST /data HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n')
      raw.send('Transfer-Encoding: chunked\r\n\r\n')
      const chunk = `2710\r\n${' '.repeat(10_000)}\r\n`
      const timer = setInterval(() => raw.send(chunk), 1)
      expectError(await raw.answer(), 413, 'PAYLOAD_TOO_LARGE')
      await raw.closed
      clearInterval(timer)
      await isAlive()
    })
  })

  test('clients that go away in the middle of a request leave nothing behind', async () => {
    const request = rawRequest(select(1))
    for (const end of [0, 10, 60, request.length - 3, request.length]) {
      const raw = openSocket(server.url)
      raw.send(request.slice(0, end))
      await sleep(5)
      raw.socket.resetAndDestroy()
    }
    await isAlive()
    expect(server.engine.isOpen).toBe(true)
  })
})
