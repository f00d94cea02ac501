import type { Adapter, IntrospectedColumn, IntrospectedTable } from '@engine/core/adapter'
import { createTypeSystem } from '@engine/core/catalog'
import { describeEachMysql } from '@engine/test-databases/vitest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mysqlAdapter } from '../src/index.ts'
import { openClient, type TestClient } from './support/client.ts'

const types = createTypeSystem()

describeEachMysql('introspection', (server) => {
  let url: string
  let client: TestClient
  let tables: ReadonlyMap<string, IntrospectedTable>
  const opened: Adapter[] = []

  const read = async (options: Partial<Parameters<typeof mysqlAdapter>[0]> = {}) => {
    const adapter = mysqlAdapter({ url, ...options })
    opened.push(adapter)
    const found = await adapter.introspect(AbortSignal.timeout(20_000))
    return new Map(found.tables.map((table) => [table.name, table]))
  }

  beforeAll(async () => {
    url = await server.createDatabase('introspect')
    client = await openClient(url)
    const statements = [
      `create table parents (id int auto_increment primary key, name varchar(20) not null) comment 'all of them'`,
      `create table kinds (
        id bigint unsigned not null primary key,
        b1 boolean not null default true, b2 bit(1), b3 bit(10),
        i1 tinyint, i2 tinyint unsigned, i3 smallint, i4 smallint unsigned, i5 mediumint unsigned,
        i6 int(5), i7 int unsigned, i8 bigint, y year,
        d decimal(10,2), f float, g double,
        c char(5), v varchar(20), t text, e enum('b','a'), s set('x','y'),
        j json, u uuid, token char(36), note char(36),
        dt date, ti time(3), dm datetime, dm6 datetime(6), ts timestamp(6) null,
        bi binary(4), bl blob,
        p point
      )`,
      "insert into kinds (id, token, note) values (1, uuid(), 'not one')",
      `create table texts (
        id int primary key,
        relaxed varchar(20) collate utf8mb4_general_ci,
        padded varchar(20) collate utf8mb4_bin,
        bytewise varchar(20) collate utf8mb4_nopad_bin,
        western varchar(20) character set latin1
      )`,
      `create table defaults (
        id int primary key,
        a int default 7, b varchar(10) default 'it''s', c datetime default current_timestamp,
        d int default (1 + 1), e int default null, f int,
        g int generated always as (a * 2) stored, h int as (a + 1) virtual,
        i int not null comment 'what it is for'
      )`,
      `create table \`odd "name\` (
        \`a b\` int, \`select\` varchar(30), c int, d text,
        primary key (\`select\`, \`a b\`), unique key two (c, \`a b\`), unique key prefixed (d(5)),
        unique key one (c), key plain (c),
        parent int, foreign key (parent) references parents (id) on delete cascade
      )`,
      'create view seen as select id, name, count(*) as n from parents group by id, name',
      // Only MariaDB has them.
      ...(server.vendor === 'mariadb' ? ['create sequence numbers'] : []),
    ]
    await client.run(...statements.map(server.ddl))
    tables = await read()
  })
  afterAll(async () => {
    for (const adapter of opened) await adapter.close()
    await client?.close()
  })

  const column = (table: string, name: string): IntrospectedColumn => {
    const found = tables.get(table)?.columns.find((each) => each.name === name)
    if (found === undefined) throw new Error(`no ${table}.${name}`)
    return found
  }

  test('tables and views are there, with their comments', () => {
    expect([...tables.values()].map(({ name, kind, comment }) => [name, kind, comment])).toEqual([
      ['defaults', 'table', undefined],
      ['kinds', 'table', undefined],
      ['odd "name', 'table', undefined],
      ['parents', 'table', 'all of them'],
      ['seen', 'view', undefined],
      ['texts', 'table', undefined],
    ])
  })

  test.each([
    ['id', 'numeric(20,0)'],
    ['b1', 'boolean'],
    ['b2', 'boolean'],
    ['b3', 'bytea'],
    ['i1', 'smallint'],
    ['i2', 'smallint'],
    ['i3', 'smallint'],
    ['i4', 'integer'],
    ['i5', 'integer'],
    ['i6', 'integer'],
    ['i7', 'bigint'],
    ['i8', 'bigint'],
    ['y', 'smallint'],
    ['d', 'numeric(10,2)'],
    ['f', 'real'],
    ['g', 'double precision'],
    ['c', 'character(5)'],
    ['v', 'text'],
    ['t', 'text'],
    ['e', 'text'],
    ['s', 'text'],
    ['j', 'jsonb'],
    ['u', 'uuid'],
    ['token', 'uuid'],
    ['note', 'character(36)'],
    ['dt', 'date'],
    ['ti', 'time(3) without time zone'],
    ['dm', 'timestamp(0) without time zone'],
    ['dm6', 'timestamp without time zone'],
    ['ts', 'timestamp with time zone'],
    ['bi', 'bytea'],
    ['bl', 'bytea'],
  ])('the type of %s is %s', (name, type) => {
    const { oid, typmod } = column('kinds', name).type
    expect(types.formatType(oid, typmod)).toBe(type)
  })

  test('a column without a form on the wire is left out', () => {
    expect(tables.get('kinds')?.columns.map(({ name }) => name)).not.toContain('p')
  })

  test.each([
    ['relaxed', 'utf8mb4_general_ci'],
    ['padded', 'utf8mb4_bin'],
    ['bytewise', undefined],
    ['western', 'latin1_swedish_ci'],
  ])('the collation of %s is %s', (name, collation) => {
    expect(column('texts', name)).toMatchObject({
      collation,
      native: { isBinaryCollation: collation === undefined },
    })
  })

  test.each([
    ['a', true, 'no', '7'],
    ['b', true, 'no', "'it''s'"],
    ['c', true, 'no', expect.stringMatching(/^current_timestamp(\(\))?$/i)],
    ['d', true, 'no', '(1 + 1)'],
    ['e', false, 'no', undefined],
    ['f', false, 'no', undefined],
    ['g', true, 'always', undefined],
    ['h', true, 'always', undefined],
  ])('the default of %s: %s, generated: %s, %s', (name, hasDefault, generated, nativeDefault) => {
    expect(column('defaults', name)).toMatchObject({ hasDefault, generated, nativeDefault })
  })

  test('a column may be nullable, commented, numbered by the database', () => {
    expect(column('defaults', 'i')).toMatchObject({ nullable: false, comment: 'what it is for' })
    expect(column('defaults', 'f')).toMatchObject({ nullable: true, comment: undefined })
    expect(column('parents', 'id')).toMatchObject({
      hasDefault: true,
      generated: 'no',
      native: { isAutoIncrement: true },
    })
  })

  test('keys are those that find one row by its values', () => {
    expect(tables.get('odd "name')).toMatchObject({
      primaryKey: ['select', 'a b'],
      uniqueKeys: [['c'], ['c', 'a b']],
      foreignKeys: [{ columns: ['parent'], table: 'parents', references: ['id'], cascades: true }],
    })
  })

  test('indexes that are no keys have names that no other table has', () => {
    expect(tables.get('odd "name')?.indexes).toEqual([
      { name: 'odd "name_parent_idx', columns: ['parent'] },
      { name: 'odd "name_c_idx', columns: ['c'] },
    ])
    expect(tables.get('odd "name')?.foreignKeys?.[0]).toMatchObject({ onDelete: 'cascade' })
  })

  test('tables can be chosen; keys towards the others are left out', async () => {
    const some = await read({ tables: { exclude: ['parents', 'kinds'] } })
    expect([...some.keys()]).toEqual(['defaults', 'odd "name', 'seen', 'texts'])
    expect(some.get('odd "name')?.foreignKeys).toEqual([])
    expect([...(await read({ tables: { include: ['texts'] } })).keys()]).toEqual(['texts'])
  })

  test('another database of the server can be shown', async () => {
    const other = await server.createDatabase('introspect_other')
    const name = new URL(other).pathname.slice(1)
    await client.run(`create table \`${name}\`.elsewhere (id int primary key)`)
    const found = await read({ schema: name })
    expect([...found.values()].map((table) => [table.schema, table.name])).toEqual([
      [name, 'elsewhere'],
    ])
  })

  test('a database that cannot be reached is unavailable', async () => {
    const nowhere = mysqlAdapter({ url: 'mysql://nobody:nothing@127.0.0.1:1/none' })
    await expect(nowhere.introspect(AbortSignal.timeout(20_000))).rejects.toMatchObject({
      problem: 'unavailable',
      status: 503,
    })
    await nowhere.close()
  })
})
