/** Limits of sessions and transactions of the wire protocol: no client can block a database for the others. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Config, createEngine, type Engine } from '@engine/core'
import { createPgWireServer } from '@engine/pgwire'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { adapters } from '../support/gateway.ts'
import { codeOf, connectWire, rowsOf, type WireClient } from '../support/wire.ts'

describePostgres('limits of the wire protocol', () => {
  let url: string
  let engine: Engine
  let address: string
  let clients: WireClient[]

  beforeEach(async () => {
    clients = []
    url = await createDatabase('wire_limits')
    const owner = new pg.Client({ connectionString: url })
    await owner.connect()
    await owner.query('create table counters (id int primary key, n int)')
    await owner.query('insert into counters values (1, 0)')
    await owner.end()
  })
  afterEach(async () => {
    await Promise.all(clients.map((client) => client.end()))
    await engine?.close()
  })

  const open = async (config: Partial<Config>): Promise<void> => {
    engine = await createEngine(
      { connections: { main: { url, pool: { max: 4 } } }, pgWire: { port: 0 }, ...config },
      { adapters, pgWire: createPgWireServer },
    )
    address = (await engine.startPgWire()).address
  }
  const connect = async (): Promise<WireClient> => {
    const client = await connectWire({ address })
    clients.push(client)
    return client
  }
  const begin = async (): Promise<WireClient> => {
    const client = await connect()
    await client.query('begin')
    expect(await rowsOf(client, 'select n from counters for share')).toHaveLength(1)
    return client
  }

  test('open transactions of one caller take half of the connections; others go on', async () => {
    await open({ limits: { queryTimeout: 1_500 } })
    const [first] = [await begin(), await begin()]
    const third = await connect()
    await third.query('begin')
    expect(await rowsOf(third, 'select n from counters')).toHaveLength(1)
    expect(await rowsOf(third, 'select n from counters for share').catch(codeOf)).toBe('53300')
    await third.query('rollback')
    expect(await rowsOf(third, 'select n from counters')).toHaveLength(1)
    await first?.query('commit')
    await begin()
  })

  test('transactions that only read take nothing: as many as there are sessions', async () => {
    await open({})
    for (let n = 0; n < 10; n += 1) {
      const client = await connect()
      await client.query('begin')
      expect(await rowsOf(client, 'select n from counters')).toEqual([[0]])
    }
  })

  test('a client that waits for a place may stop waiting', async () => {
    // Without a limit of its own it would wait for longer than this test may take.
    await open({ limits: { queryTimeout: 600_000 } })
    await begin()
    await begin()
    const third = await connect()
    await third.query('begin')
    await third.query(`set statement_timeout = '200ms'`)
    expect(await rowsOf(third, 'select n from counters for share').catch(codeOf)).toMatch(
      /^(57014|53300)$/,
    )
  })

  test('a transaction that lasts too long is rolled back, however busy it is', async () => {
    await open({ pgWire: { port: 0, transactionTimeout: '1s' } })
    const client = await begin()
    await client.query('update counters set n = 1')
    const use = async () => codeOf(await client.query('select n from counters').catch((e) => e))
    await vi.waitFor(async () => expect(await use().catch(() => 'fine')).toBe('25P04'), {
      timeout: 10_000,
      interval: 100,
    })
    expect(await client.query('select 1').catch(codeOf)).toBe('25P02')
    await client.query('rollback')
    expect(await rowsOf(client, 'select n from counters')).toEqual([[0]])
  })

  test('an idle transaction ends its session, and lets others write', async () => {
    await open({ pgWire: { port: 0, idleInTransactionTimeout: '1s' } })
    const client = await begin()
    await client.query('update counters set n = 1')
    const other = await connect()
    await other.query('update counters set n = n + 10')
    expect(codeOf(await client.ended)).toBe('25P03')
    expect(await rowsOf(other, 'select n from counters')).toEqual([[10]])
  })

  test('an idle session ends, one that is used does not', async () => {
    await open({ pgWire: { port: 0, idleSessionTimeout: '2s' } })
    const [idle, busy] = [await connect(), await connect()]
    const ended = idle.ended.then(() => 'ended')
    while ((await Promise.race([ended, sleep(100, 'open')])) === 'open') {
      await busy.query('select 1')
    }
    expect(codeOf(await idle.ended)).toBe('57P05')
    expect(await rowsOf(busy, 'select 1')).toEqual([[1]])
  })

  test('a statement that takes too long is stopped in the database', async () => {
    await open({ limits: { queryTimeout: 1_500 } })
    const holder = await begin()
    await holder.query('update counters set n = 1')
    const client = await connect()
    expect(await client.query('update counters set n = 2').catch(codeOf)).toBe('57014')
    await holder.query('rollback')
    await client.query('update counters set n = 2')
  })

  test('a message that is too long is skipped, and the session goes on', async () => {
    await open({ limits: { maxRequestBodySize: '10kb' } })
    const client = await connect()
    const long = 'x'.repeat(20_000)
    expect(await client.query('select $1::text', [long]).catch(codeOf)).toBe('54000')
    expect(await client.query(`select '${long}'`).catch(codeOf)).toBe('54000')
    expect(await rowsOf(client, 'select length($1::text)', ['x'.repeat(5_000)])).toEqual([[5_000]])
  })
})
