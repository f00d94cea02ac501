/** `POST /data` is answered beneath the router where that is possible: as it would be answered through it. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { toNodeHandler } from '@engine/http/node'
import { Hono } from 'hono'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openGateway, type TestGateway } from './support/open-gateway.ts'

const key = 'a master key of more than thirty-two characters'
const origin = 'https://app.example.com'

let opened: TestGateway
const servers: Server[] = []
const ports = { direct: 0, routed: 0 }

beforeAll(async () => {
  opened = await openGateway({
    open: false,
    masterKey: key,
    auth: { secret: 'a secret of more than thirty-two characters' },
    security: { cors: { origin: [origin] } },
    limits: { maxRequestBodySize: '200KB' },
  })
  const { app } = opened.gateway
  ports.direct = await listen(app)
  // An app that is mounted in another one has the router in front of it.
  ports.routed = await listen(new Hono().route('/', app))
})

afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
  await opened.close()
})

async function listen(app: Pick<Hono, 'fetch'>): Promise<number> {
  const server = createServer(toNodeHandler(app, { isDevelopment: false })).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

interface Sent {
  readonly line?: string
  readonly headers?: readonly string[]
  readonly body?: string | Uint8Array
  readonly length?: number | null
}

const statement = (sql: string, params: readonly unknown[] = []) =>
  JSON.stringify({ sql, params, method: 'all' })

const usual = [`Authorization: Bearer ${key}`, 'Content-Type: application/json']

function bytesOf({
  line = 'POST /data HTTP/1.1',
  headers = usual,
  body = '',
  length,
}: Sent): Buffer {
  const bytes = Buffer.from(body as string)
  const announced = length === null ? [] : [`Content-Length: ${length ?? bytes.length}`]
  const head = [line, 'Host: gateway.test', 'X-Request-Id: request-1', ...announced, ...headers]
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes])
}

/** @returns everything that the server sends until it closes the connection. */
async function exchange(port: number, ...sent: readonly Sent[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  const [last] = sent.slice(-1)
  for (const each of sent) {
    const headers = each === last ? [...(each.headers ?? usual), 'Connection: close'] : each.headers
    socket.write(bytesOf(headers === undefined ? each : { ...each, headers }))
  }
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** The status line, the headers in the order of their names, the body without the sizes of its chunks. */
function readable(answer: string): readonly string[] {
  const [head = '', ...rest] = answer.split('\r\n\r\n')
  const [status = '', ...lines] = head.split('\r\n')
  const headers = lines
    .map((line) => line.replace(/^[^:]+/, (name) => name.toLowerCase()))
    .filter((line) => !line.startsWith('date:'))
  return [status, ...headers.toSorted(), rest.join('\r\n\r\n')]
}

const long = 'ä€𝄞'.repeat(5_000)

test.each<[string, Sent, RegExp]>([
  ['a row', { body: statement('select 1 as one') }, / 200 .*\{"rows":\[\[1\]\]\}$/s],
  ['text of many alphabets', { body: statement('select $1', ['ä€𝄞']) }, /ä€𝄞/],
  ['a long answer', { body: statement('select $1', [long]) }, new RegExp(long)],
  ['a syntax error', { body: statement('selec 1') }, / 400 /],
  [
    'an origin that may read',
    { body: statement('select 1'), headers: [...usual, `Origin: ${origin}`] },
    /Access-Control-Allow-Origin: /i,
  ],
  [
    'an origin that may not',
    { body: statement('select 1'), headers: [...usual, 'Origin: https://b.example'] },
    /Vary: Origin/i,
  ],
  ['no credential', { body: statement('select 1'), headers: usual.slice(1) }, / 401 /],
  [
    'a wrong credential',
    { body: statement('select 1'), headers: ['Authorization: Bearer x', ...usual.slice(1)] },
    /invalid_token/,
  ],
  [
    'two credentials',
    { body: statement('select 1'), headers: [...usual, 'Authorization: Bearer x'] },
    / 401 /,
  ],
  ['a client whose statement is not JSON', { body: '{"sql":' }, / 400 .*JSON/s],
  ['a body that is not UTF-8', { body: Uint8Array.of(34, 0xff, 34) }, / 400 .*UTF-8/s],
  ['no body', {}, / 400 /],
  [
    'an unknown field',
    { body: '{"sql":"select 1","params":[],"method":"all","a":1}' },
    / 400 .*unknown field/s,
  ],
  [
    'another type of body',
    { body: statement('select 1'), headers: [usual[0] ?? '', 'Content-Type: text/plain'] },
    / 415 /,
  ],
  [
    'a compressed body',
    { body: statement('select 1'), headers: [...usual, 'Content-Encoding: gzip'] },
    / 415 /,
  ],
  ['a long body', { body: statement('select $1', ['x'.repeat(100_000)]) }, / 200 /],
  ['a body that is too long', { body: statement('select $1', ['x'.repeat(300_000)]) }, / 413 /],
  [
    'a body in chunks',
    {
      length: null,
      headers: [...usual, 'Transfer-Encoding: chunked'],
      body: `2f\r\n${statement('select 1', []).padEnd(47)}\r\n0\r\n\r\n`,
    },
    / 200 /,
  ],
  ['another method', { line: 'PUT /data HTTP/1.1', body: '{}' }, / 405 /],
  ['a query', { line: 'POST /data?a=1 HTTP/1.1', body: statement('select 1') }, / 200 /],
  ['an escaped path', { line: 'POST /d%61ta HTTP/1.1', body: statement('select 1') }, / 200 /],
  [
    'a batch',
    { line: 'POST /data/batch HTTP/1.1', body: `{"statements":[${statement('select 1')}]}` },
    / 200 /,
  ],
  ['HTTP 1.0', { line: 'POST /data HTTP/1.0', body: statement('select 1') }, / 200 /],
])('%s', async (_, sent, expected) => {
  const [direct, routed] = await Promise.all([
    exchange(ports.direct, sent),
    exchange(ports.routed, sent),
  ])
  expect(readable(direct)).toEqual(readable(routed))
  expect(direct).toMatch(expected)
})

test('the router sees only what needs it', async () => {
  const routed = vi.spyOn(opened.gateway.app, 'fetch')
  await exchange(ports.direct, { body: statement('select 1') })
  expect(routed).not.toHaveBeenCalled()
  await exchange(ports.direct, { line: 'POST /data?a=1 HTTP/1.1', body: statement('select 1') })
  expect(routed).toHaveBeenCalledOnce()
  routed.mockRestore()
})

test('requests that come before the answers to others are answered in their order', async () => {
  const sent = [1, 2, 3].map((n) => ({ body: statement(`select ${n}`) }))
  const answer = await exchange(ports.direct, ...sent)
  const bodies = [...answer.matchAll(/\{"rows":\[\[(\d)\]\]\}/g)].map(([, n]) => n)
  expect(bodies).toEqual(['1', '2', '3'])
})

test('a body that comes in parts is read as a whole', async () => {
  const socket = connect(ports.direct, '127.0.0.1').setNoDelay(true)
  const bytes = bytesOf({
    body: statement('select $1', ['part']),
    headers: [...usual, 'Connection: close'],
  })
  for (const byte of bytes) {
    socket.write(Uint8Array.of(byte))
    await new Promise(setImmediate)
  }
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk)
  expect(Buffer.concat(chunks).toString()).toMatch(/\{"rows":\[\["part"\]\]\}$/)
})

test('a client that leaves in the middle of its body is no failure, and the next one is served', async () => {
  const socket = connect(ports.direct, '127.0.0.1')
  socket.write(bytesOf({ body: '{"sql":', length: 500 }))
  await new Promise(setImmediate)
  socket.resetAndDestroy()
  await once(socket, 'close')
  expect(await exchange(ports.direct, { body: statement('select 1') })).toMatch(/ 200 /)
})
