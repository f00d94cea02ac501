/**
 * A server reveals each secret only to its owner: a server with many secrets gets every kind of request, then all its
 * output is searched.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { createCertificate } from '@engine/test-certificates'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createProgram, type Program } from '../support/program.ts'
import { openSocket } from '../support/raw-socket.ts'
import { type WireLogin, withWire } from '../support/wire.ts'

let program: Program

beforeEach(() => {
  program = createProgram()
})
afterEach(() => program.close())

const secrets = {
  MASTER_KEY: 'MASTER-hV8u2Kz0Qm4sT6xW1yB3nC5pE7rG9jLd',
  AUTH_SECRET: 'AUTHSE-Zr4Xc6Vb8Nm0Lk2Jh1Gf3Ds5Aq7Pw9Eo',
  PEPPER: 'PEPPER-Qm4sT6xW1yB3nC5pE7rG9jLdhV8u2Kz0',
  SCHEMA_TOKEN: 'SCHEMA-7rG9jLdhV8u2Kz0Qm4sT6xW1',
  DATABASE_PASSWORD: 'DATABA-se%21pass-word',
  SMTP_PASSWORD: 'SMTPPA-ss-word-42',
}
const variable = (name: keyof typeof secrets | `file:${string}`): string => `\${${name}}`
/** Secrets that clients know. */
const password = 'PASSWO-rd of a person 99'
const newPassword = 'NEWPAS-sword of a person'
const parameter = 'PARAME-ter of a statement'
const inPath = 'INPATH-token-of-a-mistaken-link'

test('nothing secret is in its output, metrics, documents, errors or title', async () => {
  const server = program.start([], { ...secrets, NODE_ENV: 'production' })
  program.folder.write(
    'engine.config.json',
    JSON.stringify({
      port: 0,
      internal: { port: 0 },
      log: { level: 'debug', requests: true },
      masterKey: variable('MASTER_KEY'),
      connections: {
        main: { url: 'shop.db', create: true },
        away: `postgres://app:${variable('DATABASE_PASSWORD')}@127.0.0.1:1/none`,
      },
      auth: {
        secret: variable('AUTH_SECRET'),
        password: { pepper: variable('PEPPER') },
        email: { smtp: `smtp://mailer:${variable('SMTP_PASSWORD')}@127.0.0.1:1` },
      },
      schemaEndpoint: { enabled: true, token: variable('SCHEMA_TOKEN') },
      audit: { enabled: true, logParams: true, logSink: true },
      pgWire: {
        port: 0,
        auth: { strategy: ['jwt', 'apiKey', 'password'] },
        tls: { key: variable('file:key.pem'), cert: variable('file:cert.pem') },
      },
    }),
  )
  const certificate = createCertificate()
  program.folder.write('key.pem', certificate.key)
  program.folder.write('cert.pem', certificate.cert)
  const url = await server.ready()
  const { internal, pgWire: address = '' } = await server.readyLine()
  const told: string[] = []
  const credentials: string[] = []

  const ask = async (path: string, init: RequestInit = {}): Promise<string> => {
    const response = await fetch(`${url}${path}`, init)
    const text = await response.text()
    for (const [name, value] of response.headers) told.push(`${name}: ${value}`)
    return text
  }
  const post = (path: string, body: unknown, bearer?: string): Promise<string> =>
    ask(path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const statement = (sql: string) => ({ sql, params: [parameter], method: 'all' })

  const account = { email: 'ada@example.com', password, name: 'Ada' }
  for (const answer of [
    await post('/auth/sign-up', account),
    await post('/auth/sign-in', account),
  ]) {
    const { session } = JSON.parse(answer) as { readonly session: { readonly token: string } }
    credentials.push(session.token)
    told.push(answer.replace(session.token, ''))
  }
  const [token = ''] = credentials
  const { MASTER_KEY, SCHEMA_TOKEN } = secrets
  told.push(
    await post('/auth/sign-in', { ...account, password: newPassword }),
    await post('/auth/sign-in', `{"email":"ada@example.com","password":"${password}",}`),
    await post('/auth/forgot-password', { email: account.email }),
    await post('/auth/reset-password', { token: inPath, password: newPassword }),
    await post('/auth/verify-email', { token: inPath }),
    await post('/data', statement('select $1::text'), token),
    await post('/data', statement('select $1::text from main.nothing'), token),
    await post('/data', statement('select $1::int4'), MASTER_KEY),
    await post('/data', statement(`selec '${parameter}'`), MASTER_KEY),
    await post('/data', statement('select $1 from away.users'), MASTER_KEY),
    await post('/data', statement('select 1'), `${token}x`),
    await post('/data', statement('select 1'), `${MASTER_KEY}x`),
    await ask(`/auth/verify/${inPath}?token=${inPath}`),
    await ask('/schema', { headers: { authorization: `Bearer ${SCHEMA_TOKEN}x` } }),
    await ask('/schema', { headers: { authorization: `Bearer ${SCHEMA_TOKEN}` } }),
    await ask('/openapi.json'),
    await ask('/auth/session', { headers: { authorization: `Bearer ${token}y` } }),
    await ask('/auth/.well-known/jwks.json'),
    await ask('/health/ready'),
    await garbage(url, `GARBAGE ${MASTER_KEY}\r\n\r\n`),
    await (await fetch(`${internal}/health/ready`)).text(),
    await (await fetch(`${internal}/metrics`)).text(),
    readFileSync(`/proc/${server.pid}/cmdline`, 'utf8'),
    readFileSync(`/proc/${server.pid}/comm`, 'utf8'),
  )
  const login = { address, user: account.email, ca: certificate.cert }
  const wrong = [`${password}!`, `${token}z`, `${MASTER_KEY}z`, 'ek_0123456789_unknown-key']
  for (const given of [...wrong, password, token, MASTER_KEY]) {
    told.push(await wireTalk({ ...login, password: given }))
  }
  told.push(await wireGarbage(address, `p\0\0\0\x40${MASTER_KEY}\0`))
  await post('/auth/sign-out', {}, token)
  server.signal('SIGTERM')
  expect(await server.exit()).toBe(0)

  const output = server.stdout() + server.stderr()
  expect(output).toContain('"route":"/auth/sign-in"')
  const forbidden = [
    ...Object.values(secrets),
    decodeURIComponent(secrets.DATABASE_PASSWORD),
    ...credentials,
    ...credentials.map((credential) => credential.split('.')[2] ?? ''),
    password,
    newPassword,
    inPath,
    ...certificate.key.split('\n').filter((line) => /^[\w+/=]{20,}$/.test(line)),
  ]
  for (const text of forbidden) {
    expect(output, 'output').not.toContain(text)
    for (const answer of told) expect(answer).not.toContain(text)
  }
})

/** All output for a client of the wire protocol. */
async function wireTalk(login: WireLogin): Promise<string> {
  const heard: unknown[] = []
  try {
    await withWire(login, async (client) => {
      client.on('notice', (notice) => heard.push(notice))
      for (const sql of ['select $1::text', 'select $1::int4', 'select $1 from main.nothing']) {
        heard.push(await client.query(sql, [parameter]).catch(spelled))
      }
      heard.push((await client.query('show all')).rows)
      heard.push((await client.query('select * from pg_settings')).rows)
    })
  } catch (error) {
    heard.push(spelled(error))
  }
  return JSON.stringify(heard)
}

function spelled(error: unknown): object {
  if (!(error instanceof Error)) throw error
  return { ...error, message: error.message }
}

/** The answer to a client that begins with other bytes. */
async function wireGarbage(address: string, text: string): Promise<string> {
  const { hostname, port } = new URL(`tcp://${address}`)
  const socket = connect(Number(port), hostname)
  socket.end(text)
  const pieces: Buffer[] = []
  socket.on('data', (piece: Buffer) => pieces.push(piece))
  await once(socket, 'close')
  return Buffer.concat(pieces).toString('latin1')
}

async function garbage(url: string, text: string): Promise<string> {
  const { send, answer } = openSocket(url)
  send(text)
  const { body } = await answer()
  return body
}

test('a start that fails reveals no secret either', async () => {
  const away = `postgres://app:${variable('DATABASE_PASSWORD')}@[nowhere/none`
  program.folder.write(
    'engine.config.json',
    JSON.stringify({ port: 0, masterKey: variable('MASTER_KEY'), connections: { away }, x: 1 }),
  )
  const { code, stdout, stderr } = await program.run([], { ...secrets, NODE_ENV: 'production' })
  expect(code).toBe(2)
  for (const secret of Object.values(secrets)) expect(stdout + stderr).not.toContain(secret)
})
