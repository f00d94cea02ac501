/** Bodies that never end, that are huge, or come a byte at a time, on a real socket. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  authSecret,
  type Callable,
  newEmail,
  password,
  remote,
  signIn,
  signUp,
} from '../support/accounts.ts'
import { createProgram, type Program } from '../support/program.ts'
import { openSocket } from '../support/raw-socket.ts'

let program: Program
let url: string
let server: Callable

beforeAll(async () => {
  program = createProgram()
  const config = {
    port: 0,
    connections: { main: { url: 'notes.db', create: true } },
    service_db: 'service.db',
    auth: { secret: authSecret },
  }
  program.folder.write('engine.config.json', JSON.stringify(config))
  url = await program.start([], { NODE_ENV: 'production' }).ready()
  server = remote(url)
})
afterAll(() => program?.close())

const head = (path: string, more: readonly string[]): string =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    'Content-Type: application/json',
    ...more,
    '',
    '',
  ].join('\r\n')

test.each(['/auth/sign-in', '/auth/sign-up', '/auth/forgot-password', '/auth/reset-password'])(
  '%s: a body that says it is huge is refused before it comes',
  async (path) => {
    for (const length of ['65537', '1073741824', '99999999999999']) {
      const socket = openSocket(url)
      socket.send(head(path, [`Content-Length: ${length}`]))
      expect(await socket.answer()).toMatchObject({ status: 413 })
      socket.socket.destroy()
    }
  },
)

test('a body that never ends is refused when it is too large', async () => {
  const socket = openSocket(url)
  socket.send(head('/auth/sign-in', ['Transfer-Encoding: chunked']))
  const chunk = `4000\r\n${' '.repeat(0x4000)}\r\n`
  for (let i = 0; i < 8; i += 1) socket.send(chunk)
  expect(await socket.answer()).toMatchObject({ status: 413 })
  socket.socket.destroy()
})

test('a body that is shorter than it says, or cut, makes no account', async () => {
  const email = newEmail()
  const body = JSON.stringify({ email, password })
  const socket = openSocket(url)
  socket.send(head('/auth/sign-up', [`Content-Length: ${body.length + 10}`]), body)
  socket.socket.end()
  await socket.closed
  expect(await signIn(server, email)).toMatchObject({ status: 401 })
})

test('a body that comes a byte at a time is read', async () => {
  const { email } = await signUp(server)
  const body = JSON.stringify({ email, password })
  const socket = openSocket(url)
  socket.send(head('/auth/sign-in', [`Content-Length: ${body.length}`]))
  for (const byte of Buffer.from(body)) socket.send(new Uint8Array([byte]))
  expect(await socket.answer()).toMatchObject({ status: 200 })
  socket.socket.destroy()
})

test('hundreds of bodies that do not arrive do not block sign-in', async () => {
  const { email } = await signUp(server)
  const sockets = Array.from({ length: 300 }, () => openSocket(url))
  for (const socket of sockets)
    socket.send(head('/auth/sign-in', ['Content-Length: 100']), '{"email"')
  expect(await signIn(server, email)).toMatchObject({ status: 200 })
  for (const { socket } of sockets) socket.destroy()
  expect(await signIn(server, email)).toMatchObject({ status: 200 })
})

test('two lengths, or a length and chunks, are refused', async () => {
  for (const lines of [
    ['Content-Length: 2', 'Content-Length: 3'],
    ['Content-Length: 2', 'Transfer-Encoding: chunked'],
    ['Content-Length: -1'],
    ['Content-Length: 2x'],
  ]) {
    const socket = openSocket(url)
    socket.send(head('/auth/sign-in', lines), '{}')
    expect((await socket.answer()).status).toBe(400)
    socket.socket.destroy()
  }
})

test('two Authorization headers are no token', async () => {
  const { token } = await signUp(server)
  const socket = openSocket(url)
  const lines = [
    'GET /auth/session HTTP/1.1',
    'Host: localhost',
    'Authorization: Bearer x',
    `Authorization: Bearer ${token}`,
    '',
    '',
  ]
  socket.send(lines.join('\r\n'))
  expect((await socket.answer()).status).toBe(401)
  socket.socket.destroy()
})

test('what a flood of sign-ins gets is an answer, and 429 when it is too much', async () => {
  const { email } = await signUp(server)
  const answers = await Promise.all(
    Array.from({ length: 120 }, () => signIn(server, email, 'wrong password')),
  )
  const found = new Set(answers.map(({ status }) => status))
  expect([...found].toSorted()).toEqual([401, 429])
  for (const { status, headers } of answers) {
    if (status === 429) expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
  }
  expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(10)
})

test('a name of a host or a URL that is no such thing is answered', async () => {
  for (const start of [
    'GET //auth/session HTTP/1.1',
    'GET /auth/%zz HTTP/1.1',
    'GET /auth/sessions/%00 HTTP/1.1',
  ]) {
    const socket = openSocket(url)
    socket.send([start, 'Host: localhost', '', ''].join('\r\n'))
    const { status, body } = await socket.answer()
    expect([400, 401, 404, 405]).toContain(status)
    expect(JSON.parse(body)).toMatchObject({
      error: expect.any(String),
      correlation_id: expect.any(String),
    })
    socket.socket.destroy()
  }
})
