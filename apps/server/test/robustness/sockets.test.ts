/** Slow, broken, oversized and invalid requests on the server's sockets. */
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
      config: {
        connections: { main: database.url },
        open: true,
        limits: { maxRequestBodySize: '100kb' },
      },
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
  /** Long enough for the bytes after it to arrive. */
  const slow = {
    sql: `with recursive t (n) as (select 1 union all select n + 1 from t where n < 2000000)
      select count(*) from t`,
    params: [],
    method: 'get',
  }
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

  const post = 'POST /data HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
  test.each([
    ['text', 'hello there\r\n\r\n'],
    ['half a request line', 'POST /da\r\n\r\n'],
    ['TLS', new Uint8Array([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03])],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['two lengths', `${post}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`],
    ['one length twice', `${post}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`],
    ['a list of lengths', `${post}Content-Length: 2, 2\r\n\r\n{}`],
    ['a length with a sign', `${post}Content-Length: +2\r\n\r\n{}`],
    ['a negative length', `${post}Content-Length: -2\r\n\r\n{}`],
    ['a hexadecimal length', `${post}Content-Length: 0x2\r\n\r\n{}`],
    ['a length beyond all numbers', `${post}Content-Length: 99999999999999999999\r\n\r\n{}`],
    ['an empty length', `${post}Content-Length: \r\n\r\n{}`],
    [
      'a length and chunks',
      `${post}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      'chunks and a length',
      `${post}Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n`,
    ],
    ['an encoding like chunked', `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
    ['an encoding behind chunked', `${post}Transfer-Encoding: chunked, x\r\n\r\n0\r\n\r\n`],
    [
      'an encoding before chunked',
      `${post}Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    ],
    ['two encodings', `${post}Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n`],
    [
      'no encoding and a length',
      `${post}Transfer-Encoding: identity\r\nContent-Length: 2\r\n\r\n{}`,
    ],
    ['a blank before the colon', `${post}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`],
    ['a tab before the colon', `${post}Transfer-Encoding\t: chunked\r\n\r\n0\r\n\r\n`],
    ['a folded header', `${post}X-Folded: a\r\n b\r\nContent-Length: 2\r\n\r\n{}`],
    ['a folded length', `${post}Content-Length:\r\n 2\r\n\r\n{}`],
    ['lines that end in LF', 'GET /health/live HTTP/1.1\nHost: x\n\n'],
    ['one line that ends in LF', 'GET /health/live HTTP/1.1\r\nHost: x\nX-More: y\r\n\r\n'],
    ['a header with CR', 'GET /health/live HTTP/1.1\r\nHost: x\r\nX-A: b\rX-C: d\r\n\r\n'],
    ['a header with NUL', 'GET /health/live HTTP/1.1\r\nHost: x\r\nX-A: b\0c\r\n\r\n'],
    ['a chunk that is no number', `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`],
    ['a negative chunk', `${post}Transfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n`],
    [
      'a chunk beyond all numbers',
      `${post}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n`,
    ],
    [
      'a chunk longer than it says',
      `${post}Transfer-Encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n`,
    ],
    ['a chunk that ends in LF', `${post}Transfer-Encoding: chunked\r\n\r\n2\n{}\r\n0\r\n\r\n`],
    ['a header that is none', 'GET /health/live HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n'],
    ['a request line with more', 'GET /health/live HTTP/1.1 more\r\nHost: x\r\n\r\n'],
  ])('%s is 400 in our shape, and the connection ends', async (_, garbage) => {
    const raw = openSocket(server.url)
    raw.send(garbage)
    expectError(await raw.answer(), 400, 'BAD_REQUEST')
    await raw.closed
    await isAlive()
  })

  test('garbage after a request does not change its answer', async () => {
    const raw = openSocket(server.url)
    raw.send(rawRequest(select(8)))
    expect((await raw.answer()).body).toBe('{"rows":[8]}')
    raw.send('\x00\x01garbage\r\n\r\n')
    expectError(await raw.answer(), 400, 'BAD_REQUEST')
    await raw.closed
  })

  test('garbage sent together with a request is answered after it', async () => {
    const raw = openSocket(server.url)
    raw.send(rawRequest(slow), '\x00\x01garbage\r\n\r\n', 'more of it\r\n\r\n')
    expect((await raw.answer()).body).toBe('{"rows":["2000000"]}')
    expectError(await raw.answer(), 400, 'BAD_REQUEST')
    await raw.closed
    await isAlive()
  })

  test('garbage in a body takes the place of its answer', async () => {
    const raw = openSocket(server.url)
    raw.send(rawRequest(slow))
    raw.send(`${post}Transfer-Encoding: chunked\r\n\r\n5\r\n{"sql\r\nnonsense\r\n`)
    expect((await raw.answer()).body).toBe('{"rows":["2000000"]}')
    expectError(await raw.answer(), 400, 'BAD_REQUEST')
    await raw.closed
    await isAlive()
  })

  test('a request hidden in the body of another is not answered', async () => {
    const raw = openSocket(server.url)
    const hidden = 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n'
    raw.send(`${post}Content-Length: ${hidden.length}\r\n\r\n${hidden}`)
    expectError(await raw.answer(), 400, 'BAD_REQUEST')
    raw.send(rawRequest(select(3)))
    expect((await raw.answer()).body).toBe('{"rows":[3]}')
    raw.socket.destroy()
  })

  test('a body that is shorter than announced leaves the rest for the next request to spoil', async () => {
    const raw = openSocket(server.url)
    const text = JSON.stringify(select(4))
    raw.send(`${post}Content-Length: ${text.length}\r\n\r\n${text}{"more":1}\r\n\r\n`)
    expect((await raw.answer()).body).toBe('{"rows":[4]}')
    expectError(await raw.answer(), 400, 'BAD_REQUEST')
    await raw.closed
  })

  test('a compressed body is 415', async () => {
    const raw = openSocket(server.url)
    raw.send(rawRequest(select(1), ['Content-Encoding: gzip']))
    expectError(await raw.answer(), 415, 'BAD_REQUEST')
    raw.socket.destroy()
  })

  describe('a client that asks before it sends', () => {
    const text = JSON.stringify(select(9))
    const head = (length: number) =>
      `${post}Expect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`

    test('a client that asks before it sends gets 100 Continue', async () => {
      const raw = openSocket(server.url)
      raw.send(head(text.length))
      expect((await raw.answer()).status).toBe(100)
      raw.send(text)
      expect((await raw.answer()).body).toBe('{"rows":[9]}')
      raw.socket.destroy()
    })

    test('a client that asks before it sends is refused at once as too large, and the connection ends', async () => {
      const raw = openSocket(server.url)
      raw.send(head(200_000))
      const answer = await raw.answer()
      expectError(answer, 413, 'PAYLOAD_TOO_LARGE')
      expect(answer.headers.get('connection')).toBe('close')
      raw.send(rawRequest(select(1)))
      await raw.closed
    })

    test('expects something else: 417', async () => {
      const raw = openSocket(server.url)
      raw.send(rawRequest(select(1), ['Expect: something-else']))
      expectError(await raw.answer(), 417, 'BAD_REQUEST')
      await raw.closed
      await isAlive()
    })
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
    ['no host', 'GET /health/live HTTP/1.1\r\n\r\n'],
    ['two hosts', 'GET /health/live HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
    ['one host twice', 'GET /health/live HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n'],
    ['a host that is none', 'GET /health/live HTTP/1.1\r\nHost: a b\r\n\r\n'],
    ['a URL that is none', 'GET http://[::1/ HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a tunnel', 'CONNECT elsewhere:443 HTTP/1.1\r\nHost: elsewhere:443\r\n\r\n'],
  ])('%s is 400 in our shape', async (_, text) => {
    const raw = openSocket(server.url)
    raw.send(text)
    expectError(await raw.answer(), 400, 'BAD_REQUEST')
    raw.socket.destroy()
  })

  test('a health check of HTTP/1.0 needs no host', async () => {
    for (const more of ['', 'Connection: keep-alive\r\n']) {
      const raw = openSocket(server.url)
      raw.send(`GET /health/ready HTTP/1.0\r\n${more}\r\n`)
      expect((await raw.answer()).status).toBe(200)
      raw.socket.destroy()
    }
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

  test('clients that disconnect in the middle of a request leave no connection', async () => {
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

describe('a client that takes its time', () => {
  let database: TestDatabase
  let server: RunningServer

  beforeAll(async () => {
    database = await openSqlite()
    server = await serve({
      config: { connections: { main: database.url }, open: true },
      port: 0,
      host: '127.0.0.1',
      isDevelopment: false,
      log: silentLog,
      timeouts: { headersMs: 300, requestMs: 600, answerMs: 60_000 },
    })
  })
  afterAll(async () => {
    await server?.stop(1_000)
    await database?.remove()
  })

  const json = 'POST /data HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
  const expectTimeout = async (raw: ReturnType<typeof openSocket>) => {
    const answer = await raw.answer()
    expect(answer.status).toBe(408)
    expect(answer.headers.get('connection')).toBe('close')
    expect(JSON.parse(answer.body)).toEqual({
      error: 'BAD_REQUEST',
      message: 'The request did not arrive in time.',
      correlation_id: answer.headers.get('x-request-id'),
    })
    await raw.closed
  }

  test.each([
    ['with its request line', 'POST /da'],
    ['with its headers', 'POST /data HTTP/1.1\r\nHost: x\r\nX-Slow: '],
    ['with its body', `${json}Content-Length: 1000\r\n\r\n{"sql`],
    ['with its chunks', `${json}Transfer-Encoding: chunked\r\n\r\n3e8\r\n{"sql`],
  ])('%s is told 408, drop by drop or not, and the connection ends', async (_, begun) => {
    const silent = openSocket(server.url)
    silent.send(begun)
    const dripping = openSocket(server.url)
    dripping.send(begun)
    const drops = setInterval(() => dripping.send(' '), 50)
    await Promise.all([expectTimeout(silent), expectTimeout(dripping)])
    clearInterval(drops)
  })

  test('while it waits for a slow answer is left in peace', async () => {
    const raw = openSocket(server.url)
    const sql = `with recursive t (n) as (select 1 union all select n + 1 from t where n < 2000000)
      select count(*) from t`
    raw.send(rawRequest({ sql, params: [], method: 'get' }))
    expect((await raw.answer()).body).toBe('{"rows":["2000000"]}')
    raw.socket.destroy()
  })
})
