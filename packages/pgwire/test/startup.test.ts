/** From the first byte to ReadyForQuery, as a client sees it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  connectRaw,
  errorOf,
  frame,
  gssRequest,
  int32,
  keyOf,
  packet,
  parametersOf,
  type RawClient,
  rowsOf,
  sslRequest,
  startup,
  text,
  types,
} from './support/raw-client.ts'
import { openWireServer, type WireServer } from './support/wire-server.ts'

let wire: WireServer
const clients: RawClient[] = []

beforeAll(async () => {
  wire = await openWireServer({ pgWire: { serverVersion: '18.1' } })
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

const ada = { user: 'ada', database: 'anything' }

test('a trusted client gets the settings that drivers need', async () => {
  const client = await connect()
  const messages = await client.logIn({ ...ada, application_name: 'a test' })
  expect(types(messages)).toMatch(/^RS+KZ$/)
  expect(messages[0]?.body).toEqual(int32(0))
  expect(messages.at(-1)?.body.toString()).toBe('I')
  const parameters = parametersOf(messages)
  expect(parameters).toMatchObject({
    application_name: 'a test',
    client_encoding: 'UTF8',
    DateStyle: 'ISO, MDY',
    default_transaction_read_only: 'off',
    in_hot_standby: 'off',
    integer_datetimes: 'on',
    IntervalStyle: 'postgres',
    is_superuser: 'off',
    scram_iterations: '4096',
    search_path: expect.any(String),
    server_version: '18.1',
    server_encoding: 'UTF8',
    session_authorization: 'ada',
    standard_conforming_strings: 'on',
    TimeZone: expect.any(String),
  })
  expect(rowsOf(await client.query('select name from items where id = 1'))).toEqual([['item 1']])
})

test('settings of the packet and of its options are those of the session', async () => {
  const client = await connect()
  const options = '-c TimeZone=Asia/Tokyo --application-name=first'
  const messages = await client.logIn({ ...ada, options, application_name: 'second' })
  expect(parametersOf(messages)).toMatchObject({
    TimeZone: 'Asia/Tokyo',
    application_name: 'second',
  })
})

test.each([
  ['no user', { database: 'x' }, '28000', /no PostgreSQL user name/],
  ['an empty user', { user: '' }, '28000', /no PostgreSQL user name/],
  ['replication', { ...ada, replication: 'database' }, '0A000', /replication/],
  ['a setting that does not exist', { ...ada, no_such: '1' }, '42704', /unrecognized .*"no_such"/],
  ['a value that is none', { ...ada, TimeZone: 'Nowhere/None' }, '22023', /TimeZone/],
  ['an option that is none', { ...ada, options: '-z' }, '42601', /invalid command-line argument/],
])('%s is refused', async (_, parameters, sqlState, message) => {
  const client = await connect()
  const answer = await client.logIn(parameters as Readonly<Record<string, string>>)
  expect(errorOf(answer)).toMatchObject({
    S: 'FATAL',
    V: 'FATAL',
    C: sqlState,
    M: expect.stringMatching(message),
  })
  await client.closed()
})

test('replication that is switched off is an ordinary session', async () => {
  const client = await connect()
  expect(types(await client.logIn({ ...ada, replication: 'false' }))).toMatch(/Z$/)
})

test.each([
  ['3.0', 0x0003_0000, 4],
  ['3.1', 0x0003_0001, 4],
  ['3.2', 0x0003_0002, 32],
])('protocol %s is spoken, with a secret of its length', async (_, protocol, secretLength) => {
  const client = await connect()
  const messages = await client.logIn(ada, { protocol })
  expect(types(messages)).toMatch(/^RS+KZ$/)
  expect(keyOf(messages).secret).toHaveLength(secretLength)
})

test('a newer protocol and unknown extensions are negotiated', async () => {
  const client = await connect()
  const messages = await client.logIn(
    { ...ada, '_pq_.test_protocol_negotiation': '', '_pq_.other': '1' },
    { protocol: 0x0003_270f },
  )
  expect(types(messages)).toMatch(/^vRS+KZ$/)
  expect(messages[0]?.body).toEqual(
    Buffer.concat([
      int32(0x0003_0002),
      int32(2),
      text('_pq_.test_protocol_negotiation'),
      text('_pq_.other'),
    ]),
  )
  expect(keyOf(messages).secret).toHaveLength(32)

  const older = await connect()
  const answer = await older.logIn({ ...ada, '_pq_.x': '1' })
  expect(answer[0]).toEqual({
    type: 'v',
    body: Buffer.concat([int32(0x0003_0000), int32(1), text('_pq_.x')]),
  })
})

test.each([
  ['2.0', 0x0002_0000],
  ['4.0', 0x0004_0000],
])('protocol %s is refused', async (version, protocol) => {
  const client = await connect()
  expect(errorOf(await client.logIn(ada, { protocol }))).toMatchObject({
    S: 'FATAL',
    C: '0A000',
    M: `unsupported frontend protocol ${version}: server supports 3.0 to 3.2`,
  })
  await client.closed()
})

test('encryption that is not there is declined once each, and the client may go on', async () => {
  const client = await connect()
  client.write(gssRequest)
  expect((await client.bytes(1)).toString()).toBe('N')
  client.write(sslRequest)
  expect((await client.bytes(1)).toString()).toBe('N')
  expect(types(await client.logIn(ada))).toMatch(/^RS+KZ$/)
})

test.each([
  ['TLS', sslRequest],
  ['GSS', gssRequest],
])('a second request for %s is refused', async (_, request) => {
  const client = await connect()
  client.write(request)
  expect((await client.bytes(1)).toString()).toBe('N')
  client.write(request)
  expect(errorOf(await client.messagesUntil('E'))).toMatchObject({ C: '0A000' })
  await client.closed()
})

test.each([
  ['longer than 10 000 bytes', packet(int32(0x0003_0000), Buffer.alloc(10_000))],
  ['a length of 0', Buffer.alloc(8)],
  ['a length of 7', Buffer.from([0, 0, 0, 7, 0, 3, 0])],
  ['HTTP', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
  ['TLS where there is none', Buffer.from([0x16, 3, 1, 0, 5, 1, 0, 0, 1, 3])],
])('%s is closed without an answer', async (_, bytes) => {
  const client = await connect()
  client.write(bytes)
  expect(await client.message()).toBeUndefined()
})

test('a packet that is not well formed is refused', async () => {
  const client = await connect()
  client.write(packet(int32(0x0003_0000), Buffer.from('user\0ada')))
  expect(errorOf(await client.messagesUntil('E'))).toMatchObject({ S: 'FATAL', C: '08P01' })
  await client.closed()
})

test('a start that arrives byte by byte, with a query after it, is understood', async () => {
  const client = await connect()
  for (const byte of startup(ada)) {
    client.write(Buffer.of(byte))
    await new Promise(setImmediate)
  }
  client.write(frame('Q', text('select 7 as n')))
  const messages = await client.messagesUntil('Z')
  expect(types(messages)).toMatch(/^RS+KZ$/)
  expect(rowsOf(await client.messagesUntil('Z'))).toEqual([['7']])
})

test('a query in the same piece as the startup packet is answered after it', async () => {
  const client = await connect()
  client.write(startup(ada), frame('Q', text('select 8 as n')), frame('X'))
  await client.messagesUntil('Z')
  expect(rowsOf(await client.messagesUntil('Z'))).toEqual([['8']])
  await client.closed()
})

test('a client that closes its side after its query still gets the answer', async () => {
  const client = await connect()
  await client.logIn(ada)
  client.write(frame('Q', text('select count(*) from items')))
  client.stream.end()
  expect(rowsOf(await client.messagesUntil('Z'))).toEqual([['3000']])
  await client.closed()
})
