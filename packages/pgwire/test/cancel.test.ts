/** Statements that are stopped, and sessions that end: by the client, by another connection, by the server. */
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { heldBytes } from './support/held-bytes.ts'
import {
  cancelRequest,
  connectRaw,
  errorOf,
  frame,
  int16,
  int32,
  keyOf,
  type RawClient,
  rowsOf,
  text,
  types,
} from './support/raw-client.ts'
import {
  endlessQuery,
  openWireServer,
  type WireServer,
  type WireServerOptions,
} from './support/wire-server.ts'

const cleanups: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function open(options?: WireServerOptions): Promise<WireServer> {
  const wire = await openWireServer(options)
  cleanups.push(wire.close)
  return wire
}

async function connect({ address }: WireServer): Promise<RawClient> {
  const client = await connectRaw(address)
  cleanups.push(client.destroy)
  return client
}

async function cancel(wire: WireServer, processId: number, secret: Buffer): Promise<void> {
  const client = await connect(wire)
  client.write(cancelRequest(processId, secret))
  expect(await client.message()).toBeUndefined()
}

const isActive = (wire: WireServer) => expect.poll(() => wire.server.load().active)

test.each([0x0003_0000, 0x0003_0002])(
  'a statement is cancelled by its key (protocol %i)',
  async (protocol) => {
    const wire = await open()
    const client = await connect(wire)
    const { processId, secret } = keyOf(await client.logIn({ user: 'ada' }, { protocol }))
    client.write(frame('Q', text(endlessQuery)))
    await isActive(wire).toBe(1)

    const wrong = Buffer.from(secret)
    wrong[0] = (wrong[0] ?? 0) ^ 1
    await cancel(wire, processId, wrong)
    await cancel(wire, processId ^ 1, secret)
    expect(wire.server.load().active).toBe(1)

    await cancel(wire, processId, secret)
    expect(errorOf(await client.messagesUntil('Z'))).toMatchObject({
      S: 'ERROR',
      C: '57014',
      M: 'canceling statement due to user request',
    })
    expect(rowsOf(await client.query('select 1 as n'))).toEqual([['1']])
  },
)

test('a cancel between two statements hits neither', async () => {
  const wire = await open()
  const client = await connect(wire)
  const { processId, secret } = keyOf(await client.logIn({ user: 'ada' }))
  for (let i = 0; i < 5; i += 1) {
    await cancel(wire, processId, secret)
    expect(rowsOf(await client.query('select count(*) from items'))).toEqual([['3000']])
  }
})

test('the statement of a disconnected client is cancelled, and nothing of it stays', async () => {
  const wire = await open()
  const client = await connect(wire)
  await client.logIn({ user: 'ada' })
  client.write(frame('Q', text(endlessQuery)))
  await isActive(wire).toBe(1)
  client.destroy()
  await expect
    .poll(() => wire.server.load())
    .toMatchObject({ starting: 0, idle: 0, active: 0, idleInTransaction: 0 })
  expect(wire.engine.load()).toMatchObject({ running: 0 })
})

test('a transaction whose client is gone is rolled back', async () => {
  const wire = await open()
  const client = await connect(wire)
  await client.logIn({ user: 'ada' })
  await client.query('begin')
  expect(types(await client.query("update items set name = 'lost' where id = 1"))).toBe('CZ')
  client.destroy()
  await expect.poll(() => wire.server.load().idleInTransaction).toBe(0)
  const other = await connect(wire)
  await other.logIn({ user: 'ada' })
  expect(rowsOf(await other.query('select name from items where id = 1'))).toEqual([['item 1']])
  expect(types(await other.query("update items set name = 'kept' where id = 1"))).toBe('CZ')
})

test('a session that is idle in a transaction for too long ends', async () => {
  let nowMs = 1_000_000
  const wire = await open({ clock: () => nowMs })
  const idle = await connect(wire)
  await idle.logIn({ user: 'ada' })
  const client = await connect(wire)
  await client.logIn({ user: 'ada' })
  await client.query('begin')
  await client.query("update items set name = 'lost' where id = 1")
  nowMs += 59_000
  await client.query('select 1 as n')
  nowMs += 60_000
  const answer = await client.messagesUntil('E')
  expect(errorOf(answer)).toMatchObject({
    S: 'FATAL',
    C: '25P03',
    M: 'terminating connection due to idle-in-transaction timeout',
  })
  await client.closed()
  expect(rowsOf(await idle.query('select name from items where id = 1'))).toEqual([['item 1']])
})

test('a session that is idle for too long ends, where that is configured', async () => {
  let nowMs = 1_000_000
  const wire = await open({ clock: () => nowMs, pgWire: { idleSessionTimeout: '1h' } })
  const client = await connect(wire)
  await client.logIn({ user: 'ada' })
  nowMs += 3_600_000
  expect(errorOf(await client.messagesUntil('E'))).toMatchObject({ S: 'FATAL', C: '57P05' })
  await client.closed()
})

test('a server that closes lets statements and transactions come to their end', async () => {
  const wire = await openWireServer()
  const [idle, busy, inTransaction] = await Promise.all([1, 2, 3].map(() => connect(wire)))
  if (!idle || !busy || !inTransaction) throw new Error('three clients were opened')
  for (const client of [idle, busy, inTransaction]) await client.logIn({ user: 'ada' })
  await inTransaction.query('begin')
  busy.write(frame('Q', text(`select count(*) from items a, items b where a.id + b.id < 0`)))
  await isActive(wire).toBe(1)

  const closed = wire.server.close(20_000)
  const shutdown = { S: 'FATAL', C: '57P01' }
  expect(errorOf(await idle.messagesUntil('E'))).toMatchObject(shutdown)
  await idle.closed()
  await expect(connectRaw(wire.address)).rejects.toMatchObject({ code: 'ECONNREFUSED' })

  expect(rowsOf(await busy.messagesUntil('Z'))).toEqual([['0']])
  expect(errorOf(await busy.messagesUntil('E'))).toMatchObject(shutdown)
  expect(rowsOf(await inTransaction.query('select 1 as n'))).toEqual([['1']])
  expect(types(await inTransaction.query('commit'))).toMatch(/CZ$/)
  expect(errorOf(await inTransaction.messagesUntil('E'))).toMatchObject(shutdown)
  await closed
  await wire.close()
})

test('a server that cannot wait cancels what runs', async () => {
  const wire = await openWireServer()
  const client = await connect(wire)
  await client.logIn({ user: 'ada' })
  client.write(frame('Q', text(endlessQuery)))
  await isActive(wire).toBe(1)
  const closed = wire.server.close(50)
  const answer = await client.messagesUntil('nothing')
  expect(errorOf(answer.slice(-1))).toMatchObject({ S: 'FATAL', C: '57P01' })
  expect(types(answer).match(/E/g)).toEqual(['E'])
  await closed
  await wire.close()
})

describePostgres('a client that does not read its answer', () => {
  async function startReadingNothing(
    clock: () => number,
  ): Promise<readonly [WireServer, RawClient]> {
    const url = await createDatabase('wire')
    const database = new pg.Client({ connectionString: url })
    await database.connect()
    await database.query(
      "create table items as select i as id, repeat('x', 500) as name from generate_series(1, 3000) i",
    )
    await database.end()
    const wire = await open({ url, clock, config: { limits: { maxRows: 10_000_000 } } })
    const slow = await connect(wire)
    await slow.logIn({ user: 'ada' })
    slow.stream.pause()
    // Four and a half gigabytes.
    slow.write(
      frame('P', text(''), text('select a.name from items a, items b'), int16(0)),
      frame('B', text(''), text(''), int16(0), int16(0), int16(0)),
      frame('E', text(''), int32(0)),
      frame('S'),
    )
    await isActive(wire).toBe(1)
    return [wire, slow]
  }

  test('stops the rows, not the server', async () => {
    const [wire, slow] = await startReadingNothing(Date.now)
    const before = heldBytes()
    const other = await connect(wire)
    await other.logIn({ user: 'ada' })
    for (let i = 0; i < 50; i += 1) {
      expect(rowsOf(await other.query('select count(*) from items'))).toEqual([['3000']])
    }
    expect(heldBytes() - before).toBeLessThan(100_000_000)
    expect(wire.server.load().active).toBe(1)
    slow.destroy()
    await isActive(wire).toBe(0)
  })

  test('does not keep its connection to the database for ever', async () => {
    let nowMs = 1_000_000
    const [wire] = await startReadingNothing(() => nowMs)
    expect(wire.engine.load()).toMatchObject({ running: 1 })
    const activeAfterAWhile = () => {
      nowMs += 5_000
      return wire.server.load().active
    }
    await expect.poll(activeAfterAWhile).toBe(0)
    await expect.poll(() => wire.engine.load()).toMatchObject({ running: 0 })
  })
})
