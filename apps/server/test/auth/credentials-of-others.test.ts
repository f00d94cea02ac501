/** Tokens of issuers, API keys, a custom user table: by a configuration file, over HTTP. */
import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  authSecret,
  type CallAnswer,
  type Callable,
  masterKey,
  newEmail,
  password,
  remote,
  signUp,
} from '../support/accounts.ts'
import { createProgram, type Program } from '../support/program.ts'

const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const stranger = generateKeyPairSync('rsa', { modulusLength: 2_048 })

let program: Program
let keys: Server
let server: Callable
let asked = 0

beforeAll(async () => {
  keys = createServer((_, response) => {
    asked += 1
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({
        keys: [
          { ...rsa.publicKey.export({ format: 'jwk' }), kid: 'rsa-1', alg: 'RS256', use: 'sig' },
          { ...ec.publicKey.export({ format: 'jwk' }), kid: 'ec-1', alg: 'ES256', use: 'sig' },
        ],
      }),
    )
  }).listen(0, '127.0.0.1')
  await once(keys, 'listening')
  const { port } = keys.address() as AddressInfo

  program = createProgram()
  const shop = new Database(`${program.folder.path}/shop.db`)
  shop.exec(`
    create table customers (id text primary key, email text, name text, company_id integer default 1);
    create table orders (id integer primary key, company_id integer, owner text);
    insert into customers values ('partner-7', 'seven@partner.test', 'Seven', 2);
    insert into orders values (1, 1, 'nobody'), (2, 2, 'partner-7'), (3, 2, 'robot');
  `)
  shop.close()
  const config = {
    port: 0,
    connections: { main: 'shop.db' },
    masterKey,
    service_db: 'service.db',
    permissions: [
      {
        name: 'of-company',
        table: 'main.orders',
        roles: ['user'],
        select: { columns: ['id'], where: { company_id: '$user.company_id' } },
      },
      {
        name: 'of-robot',
        table: 'main.orders',
        roles: ['robot'],
        select: { columns: ['id'], where: { owner: '$user.owner' } },
      },
    ],
    auth: {
      secret: authSecret,
      throttle: false,
      userTable: { table: 'main.customers', columns: ['company_id'] },
      issuers: [
        {
          issuer: 'https://login.test/',
          audience: 'shop',
          jwksUri: `http://127.0.0.1:${port}/jwks.json`,
          roles: { claim: 'realm_access.roles' },
        },
      ],
    },
  }
  program.folder.write('engine.config.json', JSON.stringify(config))
  server = remote(await program.start([], { NODE_ENV: 'production' }).ready())
})
afterAll(async () => {
  await program?.close()
  keys?.close()
})

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')

interface Forging {
  readonly header?: object
  readonly claims?: object
  readonly key?: KeyObject
}

function issued({ header, claims, key = rsa.privateKey }: Forging = {}): string {
  const now = Math.floor(Date.now() / 1_000)
  const content = [
    encode({ alg: 'RS256', typ: 'JWT', kid: 'rsa-1', ...header }),
    encode({
      iss: 'https://login.test/',
      aud: 'shop',
      sub: 'partner-7',
      exp: now + 300,
      iat: now,
      realm_access: { roles: ['user'] },
      ...claims,
    }),
  ].join('.')
  const isEc = key.asymmetricKeyType === 'ec'
  const signature = sign(
    'sha256',
    Buffer.from(content),
    isEc ? { key, dsaEncoding: 'ieee-p1363' } : key,
  )
  return `${content}.${signature.toString('base64url')}`
}

const readOrders = (token: string): Promise<CallAnswer> =>
  server.call('POST', '/data', {
    body: { sql: 'select id from main.orders order by id', params: [], method: 'all' },
    token,
  })

describe('a token of the issuer', () => {
  test('a token of the issuer makes the row of its subject the caller', async () => {
    expect(await readOrders(issued())).toMatchObject({ status: 200, body: { rows: [[2], [3]] } })
    const byCurve = issued({ header: { alg: 'ES256', kid: 'ec-1' }, key: ec.privateKey })
    expect(await readOrders(byCurve)).toMatchObject({ status: 200, body: { rows: [[2], [3]] } })
  })

  test('a token of the issuer has the roles of its claim, and no others', async () => {
    for (const realm_access of [
      { roles: [] },
      { roles: ['User'] },
      { roles: 'user ' },
      { roles: [['user']] },
    ])
      expect(await readOrders(issued({ claims: { realm_access } }))).toMatchObject({ status: 403 })
  })

  test('a token of the issuer is refused when anything about it is wrong', async () => {
    const now = Math.floor(Date.now() / 1_000)
    const pem = rsa.publicKey.export({ type: 'spki', format: 'pem' }) as string
    const der = rsa.publicKey.export({ type: 'spki', format: 'der' })
    const hmac = (key: string | Buffer, kid: string | undefined) => {
      const [, claims] = issued().split('.')
      const content = `${encode({ alg: 'HS256', typ: 'JWT', kid })}.${claims}`
      return `${content}.${createHmac('sha256', key).update(content).digest('base64url')}`
    }
    for (const forged of [
      issued({ key: stranger.privateKey }),
      issued({ header: { kid: 'ec-1' } }),
      issued({ header: { alg: 'ES256' } }),
      issued({ header: { alg: 'PS256' } }),
      issued({ header: { alg: 'RS512' } }),
      issued({ header: { kid: 'unknown' } }),
      issued({
        header: { jwk: createPublicKey(stranger.privateKey).export({ format: 'jwk' }) },
        key: stranger.privateKey,
      }),
      issued({ claims: { iss: 'https://other.test/' } }),
      issued({ claims: { iss: undefined } }),
      issued({ claims: { aud: 'other' } }),
      issued({ claims: { aud: undefined } }),
      issued({ claims: { exp: now - 1 } }),
      issued({ claims: { exp: undefined } }),
      issued({ claims: { nbf: now + 100 } }),
      issued({ claims: { iat: now + 100 } }),
      issued({ claims: { sub: undefined } }),
      issued({ claims: { sub: 'nobody-here' } }),
      issued({ claims: { sub: ['partner-7'] } }),
      issued({ claims: { sub: { $ne: null } } }),
      hmac(pem, 'rsa-1'),
      hmac(pem.trim(), 'rsa-1'),
      hmac(der, 'rsa-1'),
      hmac(JSON.stringify(rsa.publicKey.export({ format: 'jwk' })), 'rsa-1'),
      hmac(pem, undefined),
      hmac(authSecret, undefined),
      hmac('', 'rsa-1'),
    ])
      expect(await readOrders(forged)).toMatchObject({
        status: 401,
        body: { error: 'UNAUTHORIZED' },
      })
  })

  test('a token of the issuer with unknown keys causes no requests to the issuer', async () => {
    const before = asked
    for (let i = 0; i < 20; i += 1) {
      expect(await readOrders(issued({ header: { kid: `k${i}` } }))).toMatchObject({ status: 401 })
    }
    expect(asked - before).toBeLessThanOrEqual(1)
  })

  test('a token of the issuer is dead once it was signed out', async () => {
    const token = issued({ claims: { jti: 'one' } })
    expect(await readOrders(token)).toMatchObject({ status: 200 })
    expect(await server.call('POST', '/auth/sign-out', { token })).toMatchObject({ status: 200 })
    expect(await readOrders(token)).toMatchObject({ status: 401 })
    expect(await readOrders(issued({ claims: { jti: 'two' } }))).toMatchObject({ status: 200 })
  })
})

describe('a user table', () => {
  test('a user table gets a row for who signs up, and its columns decide what they see', async () => {
    const { token, id } = await signUp(server, { name: 'Ada' })
    expect(await readOrders(token)).toMatchObject({ status: 200, body: { rows: [[1]] } })
    const body = {
      sql: 'update main.customers set company_id = 2 where id = $1',
      params: [id],
      method: 'run',
    }
    expect(await server.call('POST', '/data', { body, token: masterKey })).toMatchObject({
      status: 200,
    })
    expect(await readOrders(token)).toMatchObject({ status: 200, body: { rows: [[2], [3]] } })
    const gone = { ...body, sql: 'delete from main.customers where id = $1' }
    expect(await server.call('POST', '/data', { body: gone, token: masterKey })).toMatchObject({
      status: 200,
    })
    expect(await readOrders(token)).toMatchObject({ status: 401 })
  })

  test('a user table has no row of a sign-up that was refused', async () => {
    const body = { email: newEmail(), password: 'short' }
    expect(await server.call('POST', '/auth/sign-up', { body })).toMatchObject({ status: 400 })
    const { email } = await signUp(server)
    await server.call('POST', '/auth/sign-up', { body: { email, password } })
    const count = {
      sql: 'select count(*)::int from main.customers where email in ($1, $2)',
      params: [email, body.email],
      method: 'get',
    }
    expect(await server.call('POST', '/data', { body: count, token: masterKey })).toMatchObject({
      body: { rows: [1] },
    })
  })
})

describe('an API key', () => {
  const create = (body: object, token = masterKey) =>
    server.call('POST', '/admin/api/api-keys', { body, token })

  test('an API key is made with the master key, works at once, and no more when it is revoked', async () => {
    const made = await create({ name: 'nightly', roles: ['robot'], fields: { owner: 'robot' } })
    expect(made).toMatchObject({ status: 201 })
    const { key, id } = made.body.apiKey
    expect(key).toMatch(/^ek_/)
    expect(await readOrders(key)).toMatchObject({ status: 200, body: { rows: [[3]] } })
    for (const wrong of [key.slice(0, -1), `${key}x`, key.toUpperCase(), `ek_${id}_`, 'ek_'])
      expect(await readOrders(wrong)).toMatchObject({ status: 401 })
    const listed = await server.call('GET', '/admin/api/api-keys', { token: masterKey })
    expect(listed.text).toContain(id)
    expect(listed.text).not.toContain(key)
    for (const [method, path] of [
      ['GET', '/auth/session'],
      ['POST', '/auth/sign-out'],
      ['GET', '/admin/api/api-keys'],
    ] as const)
      expect(await server.call(method, path, { token: key })).toMatchObject({ status: 401 })
    await server.call('DELETE', `/admin/api/api-keys/${id}`, { token: masterKey })
    expect(await readOrders(key)).toMatchObject({ status: 401 })
  })

  test('an API key is not made by users', async () => {
    const { token } = await signUp(server)
    expect(await create({ name: 'x', roles: ['robot'] }, token)).toMatchObject({ status: 401 })
    expect(await create({ name: 'x', roles: ['robot'] }, issued())).toMatchObject({ status: 401 })
  })
})
