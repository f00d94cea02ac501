/** Client sessions: `Engine.openSession`, on real databases. */

import type { Caller, Config } from '@engine/core'
import { createEngine, type Engine } from '@engine/core'
import type { Cells } from '@engine/core/adapter'
import { parseConfig } from '@engine/core/server'
import type { ClientSession, RowOverflow, SessionStatement } from '@engine/core/session'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { loadAdapters } from '../../src/configuration/adapters.ts'
import { describeDatabases, openSqlite, type TestDatabase } from '../support/databases.ts'

const setUp = `create table accounts (
  id integer primary key, owner varchar(20) not null unique, cents integer check (cents >= 0), secret varchar(20))`

const ada: Caller = { kind: 'user', id: 'ada', roles: ['user'], fields: { name: 'Ada' } }

describeDatabases('A session', (open, kind) => {
  let database: TestDatabase
  let other: TestDatabase
  let engine: Engine
  let session: ClientSession

  beforeAll(async () => {
    database = await open(setUp)
    other = await openSqlite('create table things (id integer primary key)')
    const config: Config = {
      connections: { main: database.url, other: other.url },
      permissions: {
        own: {
          table: 'main.accounts',
          roles: ['user'],
          select: { columns: ['id', 'owner', 'cents'], where: { owner: { $eq: '$user.name' } } },
          update: { columns: ['cents'], where: { owner: { $eq: '$user.name' } } },
          insert: { columns: ['id', 'owner', 'cents'], check: { owner: { $eq: '$user.name' } } },
        },
        things: { table: 'other.things', roles: ['user'], select: {}, insert: {} },
      },
      limits: { maxRows: 10 },
      masterKey: 'k'.repeat(40),
    }
    engine = await createEngine(config, await loadAdapters(parseConfig(config)))
  })
  beforeEach(async () => {
    await database.run(
      "delete from accounts; insert into accounts values (1, 'Ada', 100, 's1'), (2, 'Bob', 50, 's2')",
    )
    session = engine.openSession({ caller: { kind: 'admin', roles: [], fields: {} }, origin })
  })
  afterEach(() => session.end())
  afterAll(async () => {
    await engine?.close()
    await database?.remove()
    await other?.remove()
  })

  const origin = { correlationId: 'c', ip: '127.0.0.1', via: 'pgwire', credentialId: undefined }
  const asAda = () => engine.openSession({ caller: ada, origin })
  const statement = (sql: string, options: Partial<SessionStatement> = {}): SessionStatement => ({
    sql,
    parameterOids: [],
    searchPath: ['main'],
    ...options,
  })
  const ask = async (
    sql: string,
    params: Cells = [],
    {
      on = session,
      overflow,
      ...options
    }: Partial<SessionStatement> & { on?: ClientSession; overflow?: RowOverflow } = {},
  ) => {
    const rows: Cells[] = []
    let begun = 0
    const result = await on.execute(statement(sql, options), {
      params,
      overflow,
      signal: undefined,
      receiver: {
        begin: () => {
          begun += 1
        },
        row: (cells) => void rows.push(cells),
        hold: () => undefined,
      },
    })
    expect(begun).toBe(1)
    return { ...result, rows }
  }
  const owners = async () => (await ask('select owner from accounts order by id')).rows.flat()

  test('A session gives rows as PostgreSQL texts, however they are stored', async () => {
    const { rows, rowCount } = await ask(
      'select id, owner, cents > 60 as rich, null as nothing from accounts order by id',
    )
    expect(rows).toEqual([
      ['1', 'Ada', 't', null],
      ['2', 'Bob', 'f', null],
    ])
    expect(rowCount).toBe(2)
  })

  test('describes parameters, columns and where columns come from', async () => {
    const sql = 'select a.owner, a.id + $1 as more from accounts a where a.cents > $2'
    const { parameterTypes, columns, operation } = await session.describe(statement(sql))
    expect(parameterTypes.map(({ oid }) => oid)).toEqual([23, 23])
    expect(columns.map(({ name, origin: from }) => [name, from])).toEqual([
      ['owner', { connection: 'main', table: 'accounts', column: 'owner' }],
      ['more', undefined],
    ])
    expect(operation).toBe('select')
  })

  test('follows a column through subqueries, joins and WITH to its table', async () => {
    const sql = `with w as (select id as n from accounts) select s.o, w.n, 1 as one
      from (select owner as o, id from accounts) s join w on w.n = s.id`
    const { columns } = await session.describe(statement(sql))
    expect(columns.map(({ origin: from }) => from?.column)).toEqual(['owner', 'id', undefined])
  })

  test('follows a column through a LATERAL subquery', async () => {
    const sql = 'select x.o from accounts a cross join lateral (select a.owner as o) x'
    const { columns } = await session.describe(statement(sql))
    expect(columns.map(({ origin: from }) => from?.column)).toEqual(['owner'])
  })

  test('A session keeps to the types that a client declares', async () => {
    const declared = { parameterOids: [20] }
    const { parameterTypes } = await session.describe(
      statement('select id from accounts where id = $1', declared),
    )
    expect(parameterTypes).toEqual([{ oid: 20, typmod: -1 }])
    await expect(
      session.describe(statement('select id from accounts where id = $1', { parameterOids: [16] })),
    ).rejects.toMatchObject({ sqlState: '42883' })
    await expect(
      session.describe(statement('select 1 from accounts', { parameterOids: [987_654] })),
    ).rejects.toMatchObject({ sqlState: '42704' })
  })

  test('A session finds tables by the search path, first connection first', async () => {
    expect(
      (await ask('select id from things', [], { searchPath: ['other', 'main'] })).rows,
    ).toEqual([])
    expect(
      (await ask('select id from accounts', [], { searchPath: ['other', 'main'] })).rowCount,
    ).toBe(2)
    await expect(ask('select id from accounts', [], { searchPath: [] })).rejects.toMatchObject({
      sqlState: '42P01',
    })
  })

  test('A session does what the permissions allow, and no more', async () => {
    const own = asAda()
    expect((await ask('select owner from accounts', [], { on: own })).rows).toEqual([['Ada']])
    await expect(ask('select secret from accounts', [], { on: own })).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    })
    expect((await ask('update accounts set cents = $1', ['7'], { on: own })).rowCount).toBe(1)
    expect(await database.rows('select cents from accounts order by id')).toEqual([
      { cents: 7 },
      { cents: 50 },
    ])
    await own.end()
  })

  test('A session shows of the catalog what may be known', async () => {
    const own = asAda()
    const [main] = own.visible().connections
    const [accounts] = main?.tables ?? []
    expect(accounts?.columns.map(({ column }) => column.name)).toEqual(['id', 'owner', 'cents'])
    expect(accounts?.operations).toEqual(['select', 'insert', 'update'])
    expect(own.visible().key).not.toBe(session.visible().key)
    expect(own.visible()).toBe(own.visible())
    await own.end()
  })

  test('A session refuses more rows than maxRows, or stops there where that is asked for', async () => {
    const many = 'select a.id from accounts a, accounts b, accounts c, accounts d'
    await expect(ask(many)).rejects.toMatchObject({ problem: 'limitExceeded', sqlState: '54000' })
    const { rowCount, truncated, rows } = await ask(many, [], { overflow: 'cut' })
    expect([rowCount, truncated, rows.length]).toEqual([10, true, 10])
    expect((await ask(many, [], { maxRows: 16 })).rows).toHaveLength(16)
    await expect(ask(many, [], { maxRows: 15 })).rejects.toMatchObject({ sqlState: '54000' })
  })

  describe('in a transaction', () => {
    const begin = () => session.begin({ readOnly: false, isolation: undefined })

    test('is seen by others only when it has committed', async () => {
      begin()
      await ask("update accounts set owner = 'Eve' where id = $1", ['1'])
      expect(await owners()).toEqual(['Eve', 'Bob'])
      expect(await database.rows('select owner from accounts where id = 1')).toEqual([
        { owner: 'Ada' },
      ])
      await session.commit()
      expect(await database.rows('select owner from accounts where id = 1')).toEqual([
        { owner: 'Eve' },
      ])
    })

    test('leaves nothing when it is rolled back', async () => {
      begin()
      await ask('delete from accounts')
      await session.rollBack()
      expect(await owners()).toEqual(['Ada', 'Bob'])
    })

    test('goes back to savepoints, also after a statement that failed, also to one set before the first statement', async () => {
      begin()
      await session.savepoint('start')
      await ask("update accounts set owner = 'Eve' where id = 1")
      await session.savepoint('middle')
      await ask("update accounts set owner = 'Eva' where id = 1")
      await expect(ask("update accounts set owner = 'Bob' where id = 1")).rejects.toMatchObject({
        code: 'CONFLICT',
      })
      await session.rollBackTo('middle')
      expect(await owners()).toEqual(['Eve', 'Bob'])
      await session.rollBackTo('middle')
      await session.release('middle')
      await expect(session.rollBackTo('middle')).rejects.toMatchObject({ sqlState: '3B001' })
      await session.rollBackTo('start')
      expect(await owners()).toEqual(['Ada', 'Bob'])
      await session.commit()
    })

    test('a refusal of the engine leaves the transaction as it was', async () => {
      begin()
      await ask('update accounts set cents = 1 where id = 1')
      await expect(ask('select nothing from accounts')).rejects.toMatchObject({ sqlState: '42703' })
      await session.commit()
      expect(await database.rows('select cents from accounts where id = 1')).toEqual([{ cents: 1 }])
    })

    test('a taken key is reported for rows one may write, and for no other, by what the transaction has written', async () => {
      const own = asAda()
      own.begin({ readOnly: false, isolation: undefined })
      await ask('update accounts set cents = 3 where id = 1', [], { on: own })
      await own.savepoint('before')
      const insert = 'insert into accounts (id, owner, cents) values ($1, $2, 1)'
      await expect(ask(insert, ['2', 'Bob'], { on: own })).rejects.toMatchObject({
        problem: 'checkFailed',
      })
      await own.rollBackTo('before')
      await expect(ask(insert, ['7', 'Ada'], { on: own })).rejects.toMatchObject({
        problem: 'conflict',
      })
      await own.rollBackTo('before')
      await own.commit()
      expect(await database.rows('select cents from accounts order by id')).toEqual([
        { cents: 3 },
        { cents: 50 },
      ])
      await own.end()
    })

    test('stays on one connection', async () => {
      begin()
      await ask('select id from accounts')
      await expect(ask('select id from other.things')).rejects.toMatchObject({ sqlState: '0A000' })
      await session.rollBack()
    })

    test('that only reads refuses to write', async () => {
      session.begin({ readOnly: true, isolation: 'repeatable read' })
      expect(await owners()).toEqual(['Ada', 'Bob'])
      await expect(ask('delete from accounts')).rejects.toMatchObject({ sqlState: '25006' })
      await session.rollBack()
    })

    test('reads a query in pieces while other statements run', async () => {
      begin()
      const cursor = await session.open(
        statement('select a.id from accounts a, accounts b order by a.id, b.id'),
        { params: [], signal: undefined },
      )
      expect(await cursor.fetch(1)).toEqual([['1']])
      await ask('update accounts set cents = 9 where id = 1')
      expect(await cursor.fetch(2)).toEqual([['1'], ['2']])
      expect(await cursor.fetch(5)).toEqual([['2']])
      expect(await cursor.fetch(5)).toEqual([])
      await cursor.close()
      await session.commit()
    })

    test('refuses more rows than a query that is read in pieces may have, or cuts it there', async () => {
      begin()
      const many = 'select a.id from accounts a, accounts b, accounts c, accounts d'
      const refused = async () => {
        const own = await session.open(statement(many), { params: [], signal: undefined })
        expect(await own.fetch(10)).toHaveLength(10)
        await own.fetch(1)
      }
      await expect(refused()).rejects.toMatchObject({ sqlState: '54000' })
      await session.rollBack()
      begin()
      const cursor = await session.open(statement(many), {
        params: [],
        signal: undefined,
        overflow: 'cut',
      })
      expect(await cursor.fetch(9)).toHaveLength(9)
      expect(cursor.truncated()).toBe(false)
      expect(await cursor.fetch(9)).toHaveLength(1)
      expect(cursor.truncated()).toBe(true)
      await session.rollBack()
    })

    test('ends with its session', async () => {
      begin()
      await ask('delete from accounts')
      await session.end()
      expect(await database.rows('select count(*) as n from accounts')).toMatchObject([
        { n: kind === 'postgres' ? '2' : 2 },
      ])
    })
  })

  test('a slow reader holds the database back and loses nothing', async () => {
    const taken: string[] = []
    let holds = 0
    await session.execute(statement('select id from accounts order by id'), {
      params: [],
      signal: undefined,
      receiver: {
        begin: () => undefined,
        row: ([id]) => void taken.push(id ?? ''),
        hold: () => {
          holds += 1
          return new Promise((resolve) => setImmediate(resolve))
        },
      },
    })
    expect(taken).toEqual(['1', '2'])
    expect(holds).toBeGreaterThan(0)
  })
})
