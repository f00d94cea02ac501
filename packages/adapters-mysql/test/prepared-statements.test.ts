/** Statements are prepared once on each connection, within the server's room for them, and again when the server lost them. */
import { type EventEmitter, once } from 'node:events'
import type { Adapter } from '@engine/core/adapter'
import { oids } from '@engine/core/catalog'
import type { MysqlServer, MysqlVendor } from '@engine/test-databases'
import { describeEachMysql } from '@engine/test-databases/vitest'
import { createConnection, type Connection as Driver } from 'mysql2'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectionOptions } from '../src/driver/connection-options.ts'
import { openSession } from '../src/driver/open-session.ts'
import { createSession, type MysqlSession } from '../src/driver/session.ts'
import { mysqlAdapter } from '../src/index.ts'
import type { BoundValue } from '../src/values/bind-value.ts'
import type { DriverValue } from '../src/values/driver-value.ts'
import { openClient, type TestClient } from './support/client.ts'
import { executionOf, statementOf } from './support/statements.ts'

describeEachMysql('a server with other limits', ({ vendor, start }) => {
  let server: MysqlServer
  let client: TestClient
  let adapter: Adapter

  beforeAll(async () => {
    server = await start({
      settings: { 'max-prepared-stmt-count': '16', 'max-allowed-packet': '128M' },
    })
    client = await openClient(server.url)
    await client.run('create database test')
    adapter = mysqlAdapter({ url: `${server.url}test`, pool: { max: 1 } })
  })
  afterAll(async () => {
    await adapter?.close()
    await client?.close()
    await server?.stop()
  })

  async function prepared(): Promise<number> {
    const [row] = await client.rows("show global status like 'Prepared_stmt_count'")
    return Number(row?.['Value'])
  }

  const ask = async (number: number) => {
    const statement = statementOf(`select ${number} as a`, { columns: [oids.int4] })
    return (await adapter.execute(executionOf(statement))).rows
  }

  test('a pool uses half of it at most, and its oldest statements make room', async () => {
    for (let number = 0; number < 30; number += 1) expect(await ask(number)).toBe(`[${number}]`)
    expect(await prepared()).toBe(8)
    expect(await ask(29)).toBe('[29]')
    expect(await ask(3)).toBe('[3]')
    expect(await prepared()).toBe(8)
  })

  test('when other clients use it up, statements are closed for new ones', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `other_${index}`)
    await client.run(...names.map((name) => `prepare ${name} from 'select 1'`))
    try {
      for (let number = 100; number < 120; number += 1)
        expect(await ask(number)).toBe(`[${number}]`)
      expect(await prepared()).toBeLessThanOrEqual(16)
    } finally {
      await client.run(...names.map((name) => `deallocate prepare ${name}`))
    }
  })

  test('when there is no room at all, the statement is refused', async () => {
    const names = Array.from({ length: 16 }, (_, index) => `only_${index}`)
    await adapter.close()
    await client.run(...names.map((name) => `prepare ${name} from 'select 1'`))
    adapter = mysqlAdapter({ url: `${server.url}test`, pool: { max: 1 } })
    try {
      await expect(ask(999)).rejects.toMatchObject({ sqlState: '53000' })
    } finally {
      await client.run(...names.map((name) => `deallocate prepare ${name}`))
    }
    expect(await ask(999)).toBe('[999]')
  })

  describe('values and rows of more than 16 MB', () => {
    const most = 0xff_ff_ff

    test.each([most - 20, most - 1, most, most + 1, 2 * most + 5, 40_000_000])(
      '%i bytes',
      async (length) => {
        const large = await openSession(connectionOptions(`${server.url}test`), {
          isReadOnly: false,
          mostSessions: 1,
        })
        try {
          const values: readonly BoundValue[] = ['x'.repeat(length), 7n]
          const sizes: number[] = []
          const sql = 'select ?, cast(? as signed)'
          const read = large.execute(sql, values, {
            columns: () => undefined,
            row: (buffer, start, end) => {
              expect(buffer.readBigInt64LE(end - 8)).toBe(7n)
              sizes.push(end - start)
            },
          })
          await read
          expect(sizes).toHaveLength(1)
          expect(sizes[0]).toBeGreaterThan(length)
          expect(await large.rows('select 1')).toEqual([[constant(vendor, 1)]])
        } finally {
          large.close()
        }
      },
    )
  })
})

describeEachMysql('statements of one connection', (server) => {
  let url: string
  let client: TestClient
  let driver: Driver
  let session: MysqlSession

  beforeAll(async () => {
    url = await server.createDatabase('prepared')
    client = await openClient(url)
    await client.run(
      'create table item (id int primary key, name varchar(20))',
      "insert into item values (1, 'a')",
      'create procedure several() begin select 1, 2; select 3; end',
    )
    driver = createConnection(connectionOptions(url))
    await once(driver as unknown as EventEmitter, 'connect')
    session = createSession(driver, {
      threadId: 0,
      flavor: { kind: server.vendor, version: server.vendor === 'mariadb' ? 100_600 : 80_400 },
      mostPrepared: 10,
    })
  })
  afterAll(async () => {
    session?.close()
    await client?.close()
  })

  interface Answer {
    readonly rows: readonly (readonly DriverValue[])[]
    readonly prepares: number
  }

  async function statusOf(name: string): Promise<number> {
    const [row] = await session.rows(`show session status like '${name}'`)
    return Number(row?.[1])
  }

  /** Rows, and how many statements the server has prepared for them. */
  async function ask(sql: string): Promise<Answer> {
    const before = await statusOf('Com_stmt_prepare')
    const rows = await session.rows(sql)
    return { rows, prepares: (await statusOf('Com_stmt_prepare')) - before }
  }

  test('a statement is prepared once', async () => {
    await statusOf('Com_stmt_prepare')
    const sql = 'select id, name from item'
    expect(await ask(sql)).toEqual({ rows: [[1, 'a']], prepares: 1 })
    expect(await ask(sql)).toEqual({ rows: [[1, 'a']], prepares: 0 })
  })

  test('a statement that the server does not know any more is prepared again', async () => {
    const sql = 'select id from item'
    expect((await ask(sql)).rows).toEqual([[1]])
    await new Promise<void>((resolve, reject) => {
      driver.reset((error) => (error === null || error === undefined ? resolve() : reject(error)))
    })
    expect((await ask(sql)).rows).toEqual([[1]])
    expect(await ask(sql)).toEqual({ rows: [[1]], prepares: 0 })
  })

  test('columns that have changed are read as they are now', async () => {
    const sql = 'select * from item'
    expect(await session.rows(sql)).toEqual([[1, 'a']])
    await client.run('alter table item add column price decimal(5,2) default 1.5')
    expect(await session.rows(sql)).toEqual([[1, 'a', '1.50']])
    await client.run('alter table item modify column price float')
    expect(await session.rows(sql)).toEqual([[1, 'a', 1.5]])
    await client.run('alter table item drop column price')
    expect(await session.rows(sql)).toEqual([[1, 'a']])
  })

  test('of several results, the first one is read', async () => {
    expect(await session.rows('call several()')).toEqual([
      [constant(server.vendor, 1), constant(server.vendor, 2)],
    ])
    expect(await session.rows('call several()')).toEqual([
      [constant(server.vendor, 1), constant(server.vendor, 2)],
    ])
    expect(await session.rows('select 5')).toEqual([[constant(server.vendor, 5)]])
  })

  test('an error of the server leaves the connection as it was', async () => {
    for (let round = 0; round < 2; round += 1) {
      await expect(session.rows('select nothing from item')).rejects.toMatchObject({ errno: 1054 })
      await expect(session.rows('select 9223372036854775807 + id from item')).rejects.toMatchObject(
        { errno: 1690 },
      )
    }
    expect(session.isIdle()).toBe(true)
    expect(await session.rows('select 1')).toEqual([[constant(server.vendor, 1)]])
  })

  test('an error of the reader is reported when all rows have come', async () => {
    const failing = {
      columns: () => undefined,
      row: () => {
        throw new Error('no such row')
      },
    }
    await expect(session.execute('select 1 union all select 2', [], failing)).rejects.toThrow(
      'no such row',
    )
    await expect(
      session.execute('select 1', [], {
        columns: () => {
          throw new Error('no such column')
        },
        row: () => undefined,
      }),
    ).rejects.toThrow('no such column')
    expect(await session.rows('select 1')).toEqual([[constant(server.vendor, 1)]])
  })

  test('a second statement at the same time is refused, and the first one has its answer', async () => {
    const first = session.rows('select 1')
    await expect(session.rows('select 2')).rejects.toMatchObject({ problem: 'internal' })
    await expect(session.command('do 2')).rejects.toMatchObject({ problem: 'internal' })
    expect(await first).toEqual([[constant(server.vendor, 1)]])
    expect(await session.rows('select 2')).toEqual([[constant(server.vendor, 2)]])
  })

  test('an answer that is asked for after the connection was lost is refused', async () => {
    const lost = await openSession(connectionOptions(url), { isReadOnly: false, mostSessions: 1 })
    await client.run(`kill ${lost.threadId}`)
    await expect(lost.rows('select 1')).rejects.toMatchObject({ problem: 'unavailable' })
    await expect(lost.rows('select 1')).rejects.toMatchObject({ problem: 'unavailable' })
    expect(lost.isAlive()).toBe(false)
    lost.close()
  })
})

/** A constant of a select list as it arrives: MySQL's is a BIGINT. */
function constant(vendor: MysqlVendor, value: number): number | string {
  return vendor === 'mysql' ? String(value) : value
}
