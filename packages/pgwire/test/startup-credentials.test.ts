/** Which clients may log in, with which credentials, and for how long. */

import { GatewayError } from '@engine/core'
import type { Authenticated, AuthProvider, PgWireSettings } from '@engine/core/server'
import { afterEach, expect, test } from 'vitest'
import {
  connectRaw,
  errorOf,
  frame,
  int32,
  type RawClient,
  rowsOf,
  startup,
  text,
  types,
} from './support/raw-client.ts'
import { openWireServer, type WireServer, type WireServerOptions } from './support/wire-server.ts'

const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1MSJ9.c2lnbmF0dXJlLW9mLWl0'
const apiKey = `ek_${'0'.repeat(12)}_${'1'.repeat(49)}`
const masterKey = 'a-master-key-of-many-characters-0123456789'
const startMs = Date.UTC(2026, 10, 22)

/** Valid credentials, and the time: a test may change both while it runs. */
interface World {
  readonly valid: Map<string, Partial<Authenticated> | GatewayError>
  nowMs: number
  asked: number
}

const cleanups: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

function createWorld(): World {
  return {
    valid: new Map<string, Partial<Authenticated>>([
      [token, { credential: 'token' }],
      [apiKey, { credential: 'apiKey', credentialId: 'k1' }],
    ]),
    nowMs: startMs,
    asked: 0,
  }
}

function providerOf(world: World): AuthProvider {
  const lookUp = (credential: string): Authenticated => {
    world.asked += 1
    const found = world.valid.get(credential)
    if (found instanceof GatewayError) throw found
    if (found === undefined) throw new GatewayError('unauthorized', 'Not a credential of ours.')
    return {
      caller: { kind: 'user', id: 'u1', roles: ['staff'], fields: {} },
      credential: 'token',
      credentialId: undefined,
      expiresAtMs: undefined,
      ...found,
    }
  }
  return {
    authenticate: lookUp,
    authenticatePassword: async (email, password) => lookUp(`${email} ${password}`),
  }
}

async function open(
  strategy: PgWireSettings['strategies'],
  world: World,
  options: WireServerOptions = {},
): Promise<WireServer> {
  const wire = await openWireServer({
    provider: providerOf(world),
    clock: () => world.nowMs,
    ...options,
    pgWire: { auth: { strategy }, ...(typeof options.pgWire === 'object' ? options.pgWire : {}) },
    config: {
      masterKey,
      permissions: {
        items: { table: 'main.items', roles: ['staff'], select: { columns: ['id'], limit: 5 } },
      },
      ...options.config,
    },
  })
  cleanups.push(wire.close)
  return wire
}

async function connect({ address }: WireServer): Promise<RawClient> {
  const client = await connectRaw(address)
  cleanups.push(client.destroy)
  return client
}

async function logIn(wire: WireServer, password: string, user = 'ada@example.com') {
  const client = await connect(wire)
  return { client, answer: await client.logIn({ user }, { password }) }
}

const count = 'select count(*) from items'

test('a token, an API key and a password let their caller in, each by its strategy', async () => {
  const world = createWorld()
  world.valid.set('ada@example.com open sesame', {})
  const wire = await open(['jwt', 'apiKey', 'password'], world)
  for (const password of [token, apiKey, 'open sesame']) {
    const { client, answer } = await logIn(wire, password)
    expect(types(answer)).toMatch(/^RRS+KZ$/)
    expect(rowsOf(await client.query(count))).toEqual([['3000']])
    expect(errorOf(await client.query('select name from items'))).toMatchObject({ C: '42501' })
  }
  const { client } = await logIn(wire, masterKey)
  expect(rowsOf(await client.query('select name from items where id = 2'))).toEqual([['item 2']])
})

test('a strategy that is not listed accepts no client', async () => {
  const wire = await open(['apiKey'], createWorld())
  const { answer, client } = await logIn(wire, token)
  expect(errorOf(answer)).toMatchObject({ S: 'FATAL', C: '28P01' })
  await client.closed()
})

test('every failed login sounds the same, and is written down', async () => {
  const wire = await open(['jwt', 'apiKey', 'password'], createWorld())
  const messages = new Set<string | undefined>()
  for (const password of [`${token}x`, `${apiKey}x`, 'guess', '', 'x'.repeat(5_000)]) {
    const { answer, client } = await logIn(wire, password)
    const { S, C, M, D } = errorOf(answer)
    expect({ S, C }).toEqual({ S: 'FATAL', C: '28P01' })
    expect(D).toMatch(/^code=UNAUTHORIZED correlation_id=[\w-]{36}$/)
    messages.add(M)
    await client.closed()
  }
  expect([...messages]).toEqual(['password authentication failed for user "ada@example.com"'])
  expect(wire.events).toHaveLength(5)
  expect(wire.events[0]).toMatchObject({ kind: 'denial', via: 'pgwire', ip: '127.0.0.1' })
  expect(JSON.stringify(wire.events)).not.toContain('guess')
  expect(wire.server.load().refused).toMatchObject({ credential: 5 })
})

test('a user who cannot be looked up may try again; an unverified one gets the reason', async () => {
  const world = createWorld()
  const wire = await open(['jwt'], world)
  world.valid.set(token, new GatewayError('unavailable', 'The service database is away.'))
  expect(errorOf((await logIn(wire, token)).answer)).toMatchObject({ S: 'FATAL', C: '57P03' })
  world.valid.set(
    token,
    new GatewayError('emailNotVerified', 'The e-mail address must be verified.'),
  )
  expect(errorOf((await logIn(wire, token)).answer)).toMatchObject({
    C: '28000',
    M: 'The e-mail address must be verified.',
  })
  world.valid.delete(token)
  expect(errorOf((await logIn(wire, token)).answer)).toMatchObject({ C: '28P01' })
})

test('a token of 60 000 bytes fits, a password without measure does not', async () => {
  const world = createWorld()
  const long = `${token}${'x'.repeat(60_000)}`
  world.valid.set(long, {})
  const wire = await open(['jwt'], world)
  expect(types((await logIn(wire, long)).answer)).toMatch(/Z$/)
  expect(errorOf((await logIn(wire, 'x'.repeat(70_000))).answer)).toMatchObject({ C: '08P01' })
})

test.each([
  ['another message', frame('Q', text('select 1'))],
  ['no NUL', frame('p', Buffer.from('x'))],
  ['a NUL inside', frame('p', text('x\0y'))],
  ['no password at all', frame('p')],
  ['a negative length', Buffer.concat([Buffer.from('p'), int32(-5)])],
])('%s where a password is expected ends the connection', async (_, bytes) => {
  const wire = await open(['jwt'], createWorld())
  const client = await connect(wire)
  client.write(startup({ user: 'ada' }))
  expect(await client.message()).toEqual({ type: 'R', body: int32(3) })
  client.write(bytes)
  expect(errorOf(await client.messagesUntil('E'))).toMatchObject({ S: 'FATAL', C: '08P01' })
  await client.closed()
})

test('after many failures an address has to wait', async () => {
  const world = createWorld()
  const wire = await open(['apiKey'], world)
  for (let i = 0; i < 100; i += 1) await logIn(wire, `${apiKey}${i}`)
  expect(errorOf((await logIn(wire, apiKey)).answer)).toMatchObject({ S: 'FATAL', C: '53400' })
  world.nowMs += 15 * 60_000
  expect(types((await logIn(wire, apiKey)).answer)).toMatch(/Z$/)
})

test('a credential that is revoked ends its session with the next statement', async () => {
  const world = createWorld()
  const wire = await open(['jwt'], world)
  const { client } = await logIn(wire, token)
  const asked = world.asked
  expect(rowsOf(await client.query(count))).toEqual([['3000']])
  expect(world.asked).toBe(asked)
  world.nowMs += 1_000
  expect(rowsOf(await client.query(count))).toEqual([['3000']])
  expect(world.asked).toBe(asked + 1)
  world.valid.delete(token)
  expect(rowsOf(await client.query(count))).toEqual([['3000']])
  world.nowMs += 1_000
  expect(errorOf(await client.query(count))).toMatchObject({ S: 'FATAL', C: '28000' })
  await client.closed()
})

test('a credential that runs out ends its session with the next statement', async () => {
  const world = createWorld()
  world.valid.set(token, { expiresAtMs: startMs + 500 })
  const wire = await open(['jwt'], world)
  const { client } = await logIn(wire, token)
  expect(rowsOf(await client.query(count))).toEqual([['3000']])
  world.nowMs += 500
  expect(errorOf(await client.query(count))).toMatchObject({ S: 'FATAL', C: '28000' })
  await client.closed()
})

test('rights that change count from then on', async () => {
  const world = createWorld()
  const wire = await open(['jwt'], world)
  const { client } = await logIn(wire, token)
  world.valid.set(token, { caller: { kind: 'user', id: 'u1', roles: [], fields: {} } })
  world.nowMs += 1_000
  expect(errorOf(await client.query(count))).toMatchObject({ S: 'ERROR', C: '42501' })
  expect(types(await client.query('select 1 as n'))).toBe('TDCZ')
})

test('a statement too many is refused, and the session goes on', async () => {
  const world = createWorld()
  const wire = await open(['jwt'], world, { config: { limits: { rateLimitPerUser: 3 } } })
  const { client } = await logIn(wire, token)
  for (let i = 0; i < 3; i += 1) expect(types(await client.query(count))).toBe('TDCZ')
  expect(errorOf(await client.query(count))).toMatchObject({ S: 'ERROR', C: '53400' })
  world.nowMs += 60_000
  expect(types(await client.query(count))).toBe('TDCZ')
  expect(wire.events.filter(({ kind }) => kind === 'denial')).toHaveLength(1)
})

test('there are as many sessions as are configured', async () => {
  const wire = await open(['jwt'], createWorld(), { pgWire: { maxConnections: 2 } })
  const first = await logIn(wire, token)
  await logIn(wire, token)
  const third = await connect(wire)
  expect(errorOf(await third.logIn({ user: 'u' }, { password: token }))).toMatchObject({
    S: 'FATAL',
    C: '53300',
    M: 'sorry, too many clients already',
  })
  first.client.write(frame('X'))
  await first.client.closed()
  await expect.poll(() => wire.server.load().idle).toBe(1)
  expect(types((await logIn(wire, token)).answer)).toMatch(/Z$/)
})
