/** Invalid input. Afterwards the server still answers, and has kept nothing of the clients that sent it. */
import { createRandom, type Random } from '@engine/fixtures'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { heldBytes } from './support/held-bytes.ts'
import {
  connectRaw,
  frame,
  int16,
  int32,
  packet,
  type RawClient,
  rowsOf,
  sslRequest,
  startup,
  text,
  types,
} from './support/raw-client.ts'
import { openWireServer, type WireServer } from './support/wire-server.ts'

let wire: WireServer
let nowMs = 1_000_000
let socketsBefore = 0

const sockets = () =>
  process.getActiveResourcesInfo().filter((name) => name.startsWith('TCPSocket')).length
const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length

beforeAll(async () => {
  socketsBefore = sockets()
  wire = await openWireServer({
    clock: () => nowMs,
    pgWire: { maxConnections: 50 },
    config: { limits: { maxRequestBodySize: '64kb', queryTimeout: 2_000 } },
  })
})
afterAll(() => wire?.close())

/** A client from before is still connected, new clients can connect, and there are no others. */
async function expectSound(): Promise<void> {
  await expect
    .poll(() => wire.server.load())
    .toMatchObject({ starting: 0, idle: 0, active: 0, idleInTransaction: 0 })
  const client = await connectRaw(wire.address)
  await client.logIn({ user: 'ada' })
  expect(rowsOf(await client.query('select count(*) from items'))).toEqual([['3000']])
  client.write(frame('X'))
  await client.closed()
  client.destroy()
  expect(wire.engine.load()).toMatchObject({ running: 0, waiting: 0 })
  await expect.poll(sockets).toBe(socketsBefore)
}

async function loggedIn(): Promise<RawClient> {
  const client = await connectRaw(wire.address)
  await client.logIn({ user: 'ada' })
  client.stream.on('error', () => undefined)
  return client
}

/** Sends everything, then nothing more; waits until the server has closed. */
async function sendAndEnd(client: RawClient, bytes: readonly Buffer[]): Promise<void> {
  client.stream.resume()
  client.write(...bytes)
  client.stream.end()
  await client.closed()
  client.destroy()
}

const bytesOf = (random: Random, most: number): Buffer =>
  Buffer.from(Array.from({ length: random.integer(0, most) }, () => random.integer(0, 255)))

const sqls = [
  'select 1',
  '',
  ';;',
  'select $1',
  'select * from items where id = $1',
  'begin',
  'commit',
  'rollback',
  'savepoint a',
  'rollback to a',
  'select 1/0',
  'copy items to stdout',
  'copy items from stdin',
  'declare c cursor for select * from items',
  'fetch 3 from c',
  'close all',
  'discard all',
  'set TimeZone = UTC',
  "select 'unfinished",
  'deallocate all',
  'begin; select 1; selec',
]

const names = ['', 'a', 'b', 'x'.repeat(200), 'ä', '\u0001']

/** A well-formed message, which may be invalid at this point. */
function wellFormed(random: Random): Buffer {
  const name = () => text(random.pick(names))
  const short = () => int16(random.integer(0, 3))
  switch (random.pick([...'QPBDECHSdcfF'])) {
    case 'Q':
      return frame('Q', text(random.pick(sqls)))
    case 'P':
      return frame('P', name(), text(random.pick(sqls)), int16(1), int32(random.integer(0, 3_000)))
    case 'B':
      return frame('B', name(), name(), int16(0), int16(1), int32(1), Buffer.from('7'), int16(0))
    case 'D':
      return frame('D', Buffer.from(random.pick(['S', 'P'])), name())
    case 'E':
      return frame('E', name(), int32(random.integer(-1, 5)))
    case 'C':
      return frame('C', Buffer.from(random.pick(['S', 'P'])), name())
    case 'H':
      return frame('H')
    case 'd':
      return frame('d', bytesOf(random, 30))
    case 'c':
      return frame('c')
    case 'f':
      return frame('f', text('no'))
    case 'F':
      return frame('F', int32(1), short(), short(), short())
    default:
      return frame('S')
  }
}

/** The same with some bytes changed, with the same length or another one. */
function broken(random: Random): Buffer {
  const bytes = Buffer.from(wellFormed(random))
  const from = random.integer(0, 9) === 0 ? 0 : 5
  for (let i = random.integer(1, 4); i > 0 && bytes.length > from; i -= 1) {
    bytes[random.integer(from, bytes.length - 1)] = random.integer(0, 255)
  }
  return bytes
}

test.each([1, 2, 3, 4, 5])('two thousand random frames (seed %i)', async (seed) => {
  const random = createRandom(seed)
  for (let session = 0; session < 20; session += 1) {
    const frames = Array.from({ length: 100 }, () => {
      const kind = random.integer(0, 9)
      if (kind < 6) return wellFormed(random)
      if (kind < 9) return broken(random)
      return frame(random.pick([...'QPBDECHSdcfF']), bytesOf(random, 60))
    })
    await sendAndEnd(await loggedIn(), frames)
  }
  await expectSound()
})

test('bytes at random, at the start and later', async () => {
  const random = createRandom(6)
  for (let i = 0; i < 200; i += 1) {
    const client = await connectRaw(wire.address)
    client.stream.on('error', () => undefined)
    await sendAndEnd(client, [bytesOf(random, 200)])
  }
  for (let i = 0; i < 50; i += 1) await sendAndEnd(await loggedIn(), [bytesOf(random, 200)])
  await expectSound()
})

test('a conversation that is cut off anywhere', async () => {
  const whole = Buffer.concat([
    startup({ user: 'ada' }),
    frame('P', text('s'), text('select id from items where id = $1'), int16(0)),
    frame('B', text(''), text('s'), int16(0), int16(1), int32(1), Buffer.from('7'), int16(0)),
    frame('D', Buffer.from('P'), text('')),
    frame('E', text(''), int32(0)),
    frame('S'),
    frame('Q', text('begin; select count(*) from items')),
  ])
  for (let length = 0; length < whole.length; length += 3) {
    const client = await connectRaw(wire.address)
    client.stream.on('error', () => undefined)
    client.write(whole.subarray(0, length))
    if (length % 2 === 0) client.destroy()
    else await sendAndEnd(client, [])
  }
  await expectSound()
})

test('messages byte by byte are answered like whole ones', async () => {
  const client = await loggedIn()
  const bytes = Buffer.concat([
    frame('P', text(''), text('select name from items where id = $1'), int16(0)),
    frame('B', text(''), text(''), int16(0), int16(1), int32(1), Buffer.from('7'), int16(0)),
    frame('E', text(''), int32(0)),
    frame('S'),
  ])
  for (const byte of bytes) {
    client.write(Buffer.of(byte))
    await new Promise(setImmediate)
  }
  const answer = await client.messagesUntil('Z')
  expect(types(answer)).toBe('12DCZ')
  expect(rowsOf(answer)).toEqual([['item 7']])
  await sendAndEnd(client, [frame('X')])
  await expectSound()
})

test.each([
  ['of 0', Buffer.from([0x51, 0, 0, 0, 0])],
  ['below nothing', Buffer.from([0x51, 0xff, 0xff, 0xff, 0xff])],
  ['of two gigabytes', Buffer.from([0x51, 0x7f, 0xff, 0xff, 0xff])],
  ['of a megabyte for a Sync', Buffer.from([0x53, 0, 0x10, 0, 0])],
])('a length %s ends the connection at once', async (_, bytes) => {
  const client = await loggedIn()
  client.write(bytes)
  expect(types(await client.messagesUntil('Z'))).toBe('E')
  await client.closed()
  client.destroy()
})

test('a message of half a gigabyte is skipped without being kept', async () => {
  const client = await loggedIn()
  client.write(Buffer.concat([Buffer.from('Q'), int32(4 + 300_000_000)]))
  const before = heldBytes()
  const chunk = Buffer.alloc(1_000_000)
  for (let i = 0; i < 300; i += 1) {
    if (!client.stream.write(chunk)) {
      await new Promise((resolve) => client.stream.once('drain', resolve))
    }
  }
  expect(types(await client.messagesUntil('Z'))).toBe('EZ')
  expect(heldBytes() - before).toBeLessThan(100_000_000)
  expect(types(await client.query('select 1'))).toBe('TDCZ')
  await sendAndEnd(client, [frame('X')])
  await expectSound()
})

test('a flood of messages whose answers are not read is held back', async () => {
  const client = await loggedIn()
  client.stream.pause()
  const before = heldBytes()
  const chunk = Buffer.concat(Array.from({ length: 1_000 }, () => frame('Q', text('selec'))))
  let sent = 0
  // Bytes that the socket does not accept wait here, until the server reads again.
  while (sent < 2_000 && client.stream.write(chunk)) sent += 1
  const other = await loggedIn()
  for (let i = 0; i < 20; i += 1) {
    expect(rowsOf(await other.query('select count(*) from items'))).toEqual([['3000']])
  }
  expect(heldBytes() - before).toBeLessThan(100_000_000)
  client.destroy()
  await sendAndEnd(other, [frame('X')])
  await expectSound()
})

test('a hundred thousand Syncs in one piece are all answered', async () => {
  const client = await loggedIn()
  client.write(...Array.from({ length: 100_000 }, () => frame('S')))
  for (let i = 0; i < 100_000; i += 1) {
    const message = await client.message()
    if (message?.type !== 'Z') throw new Error(`answer ${i} is ${message?.type}`)
  }
  await sendAndEnd(client, [frame('X')])
  await expectSound()
})

test('clients that do not complete the login are disconnected', async () => {
  const starts = [
    Buffer.alloc(0),
    Buffer.from([0]),
    startup({ user: 'ada' }).subarray(0, 12),
    packet(int32(0x0003_0000), Buffer.alloc(9_000, 'a')).subarray(0, 5_000),
    sslRequest.subarray(0, 7),
  ]
  const clients: RawClient[] = []
  for (let i = 0; i < 100; i += 1) {
    const client = await connectRaw(wire.address)
    client.write(starts[i % starts.length] ?? Buffer.alloc(0))
    clients.push(client)
  }
  await expect.poll(() => wire.server.load().starting).toBe(100)
  const honest = await loggedIn()
  expect(types(await honest.query('select 1'))).toBe('TDCZ')
  nowMs += 10_000
  for (const client of clients) {
    await client.closed()
    client.destroy()
  }
  expect(types(await honest.query('select 1'))).toBe('TDCZ')
  await sendAndEnd(honest, [frame('X')])
  await expectSound()
})

test('closed connections leave no timer', async () => {
  const before = timers()
  for (let i = 0; i < 50; i += 1) await sendAndEnd(await loggedIn(), [frame('X')])
  await expectSound()
  await expect.poll(timers).toBeLessThanOrEqual(before + 1)
})
