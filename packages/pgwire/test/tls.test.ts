/** TLS, agreed on or from the first byte. */
import { createCertificate } from '@engine/test-certificates'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  cancelRequest,
  connectDirectTls,
  connectRaw,
  errorOf,
  frame,
  gssRequest,
  keyOf,
  type RawClient,
  rowsOf,
  sslRequest,
  startup,
  text,
  types,
} from './support/raw-client.ts'
import { openWireServer, type WireServer } from './support/wire-server.ts'

const first = createCertificate()
const second = createCertificate()

let wire: WireServer
let nowMs = 1_000_000
const clients: RawClient[] = []

beforeAll(async () => {
  wire = await openWireServer({ pgWire: { tls: first }, clock: () => nowMs })
})
afterAll(async () => {
  for (const client of clients) client.destroy()
  await wire?.close()
})

async function connect(): Promise<RawClient> {
  const client = await connectRaw(wire.address)
  clients.push(client)
  return client
}

async function connectDirect(options: Parameters<typeof connectDirectTls>[1]): Promise<RawClient> {
  const client = await connectDirectTls(wire.address, options)
  clients.push(client)
  return client
}

async function upgraded(
  options: Parameters<RawClient['upgrade']>[0] = { ca: first.cert },
): Promise<RawClient> {
  const client = await connect()
  client.write(sslRequest)
  expect((await client.bytes(1)).toString()).toBe('S')
  return client.upgrade(options)
}

const ada = { user: 'ada' }

test.each(['TLSv1.2', 'TLSv1.3'] as const)('a session is encrypted with %s', async (version) => {
  const client = await upgraded({ ca: first.cert, minVersion: version, maxVersion: version })
  expect(types(await client.logIn(ada))).toMatch(/^RS+KZ$/)
  expect(rowsOf(await client.query('select name from items where id = 1'))).toEqual([['item 1']])
  expect((await client.query('select id, name from items')).length).toBe(3_003)
})

test('a client of TLS 1.1 is refused', async () => {
  await expect(
    upgraded({
      ca: first.cert,
      minVersion: 'TLSv1.1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    }),
  ).rejects.toThrow(/version|alert|handshake/i)
})

test('GSS is declined before TLS is agreed on', async () => {
  const client = await connect()
  client.write(gssRequest)
  expect((await client.bytes(1)).toString()).toBe('N')
  client.write(sslRequest)
  expect((await client.bytes(1)).toString()).toBe('S')
  const encrypted = await client.upgrade({ ca: first.cert })
  expect(types(await encrypted.logIn(ada))).toMatch(/Z$/)
})

test('the protocol is named inside TLS, where the client does', async () => {
  const client = await upgraded({ ca: first.cert, ALPNProtocols: ['postgresql'] })
  expect(client.stream).toMatchObject({ alpnProtocol: 'postgresql' })
  expect(types(await client.logIn(ada))).toMatch(/Z$/)
})

test('TLS from the first byte is for clients that name the protocol', async () => {
  const client = await connectDirect({ ca: first.cert, ALPNProtocols: ['postgresql'] })
  expect(types(await client.logIn(ada))).toMatch(/^RS+KZ$/)

  const nameless = await connectDirect({ ca: first.cert })
  nameless.write(startup(ada))
  expect(await nameless.message()).toBeUndefined()

  await expect(connectDirect({ ca: first.cert, ALPNProtocols: ['http/1.1'] })).rejects.toThrow()
})

test('plain text after the request for TLS is never taken as the client’s', async () => {
  const client = await connect()
  client.write(sslRequest, startup({ user: 'mallory' }), frame('Q', text('select 1')))
  const answer = await client.messagesUntil('E')
  expect(errorOf(answer)).toMatchObject({ S: 'FATAL', C: '08P01' })
  expect(types(answer)).toBe('E')
  await client.closed()
})

test('no second request for TLS or GSS is taken inside TLS', async () => {
  for (const request of [sslRequest, gssRequest]) {
    const client = await upgraded()
    client.write(request)
    expect(errorOf(await client.messagesUntil('E'))).toMatchObject({ C: '0A000' })
  }
})

test('bytes other than TLS after the answer close the connection', async () => {
  const client = await connect()
  client.write(sslRequest)
  expect((await client.bytes(1)).toString()).toBe('S')
  client.write(startup(ada))
  const messages = await client.messagesUntil('Z')
  expect(types(messages)).not.toContain('R')
})

test('a client that does not continue the handshake is disconnected', async () => {
  const asked = await connect()
  asked.write(sslRequest)
  expect((await asked.bytes(1)).toString()).toBe('S')
  const direct = await connect()
  direct.write(Buffer.from([0x16, 3, 1, 0, 200, 1]))
  const encrypted = await upgraded()
  await expect.poll(() => wire.server.load().starting).toBe(3)
  nowMs += 10_000
  for (const client of [asked, direct, encrypted]) await client.closed()
  await expect.poll(() => wire.server.load().starting).toBe(0)
})

test('a plain client on this machine may come without', async () => {
  const client = await connect()
  expect(types(await client.logIn(ada))).toMatch(/Z$/)
})

test('a statement is cancelled through TLS', async () => {
  const client = await upgraded()
  const { processId, secret } = keyOf(await client.logIn(ada))
  const canceller = await upgraded()
  canceller.write(cancelRequest(processId, secret))
  expect(await canceller.message()).toBeUndefined()
  expect(types(await client.query('select 1 as n'))).toBe('TDCZ')
})

test('a new certificate is for new connections, and one that does not fit changes nothing', async () => {
  const old = await upgraded()
  await old.logIn(ada)
  wire.server.replaceCertificate(second)
  await expect(upgraded({ ca: first.cert })).rejects.toThrow(/certificate/i)
  expect(types(await (await upgraded({ ca: second.cert })).logIn(ada))).toMatch(/Z$/)
  expect(types(await old.query('select 1 as n'))).toBe('TDCZ')

  expect(() => wire.server.replaceCertificate({ key: first.key, cert: second.cert })).toThrow(
    expect.objectContaining({ problem: 'invalidConfiguration' }),
  )
  expect(() => wire.server.replaceCertificate({ key: 'x', cert: 'y' })).toThrow(
    expect.objectContaining({ problem: 'invalidConfiguration' }),
  )
  expect(types(await (await upgraded({ ca: second.cert })).logIn(ada))).toMatch(/Z$/)
  wire.server.replaceCertificate(first)
})
