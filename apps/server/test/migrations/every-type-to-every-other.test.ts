/**
 * A column gets another type while statements are prepared for the old one. The schema is not polled: only statements notice it.
 * Each value is encoded by its new type, whatever the statement. Otherwise the text would be read as two rows.
 */
import { isDeepStrictEqual } from 'node:util'
import { createPgWireServer } from '@engine/pgwire'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeDatabases, type TestDatabase } from '../support/databases.ts'
import { openGateway, type TestGateway } from '../support/gateway.ts'

interface ColumnType {
  /** A literal of every database. */
  readonly literal: string
  /** What the data route answers for it. */
  readonly json: unknown
  /** What the wire protocol answers for it. */
  readonly text: string
}

const hostile = '5],[1'
const types: Readonly<Record<string, ColumnType>> = {
  integer: { literal: '7', json: 7, text: '7' },
  bigint: { literal: '7000000000', json: '7000000000', text: '7000000000' },
  'numeric(10,2)': { literal: '1.50', json: '1.50', text: '1.50' },
  'double precision': { literal: '2.5', json: 2.5, text: '2.5' },
  'varchar(30)': { literal: `'${hostile}'`, json: hostile, text: hostile },
  boolean: { literal: 'true', json: true, text: 't' },
  date: { literal: `'2020-01-31'`, json: '2020-01-31', text: '2020-01-31' },
  jsonb: { literal: `'{"a": "],["}'`, json: { a: '],[' }, text: '{"a": "],["}' },
}
/** All types, so that each follows each other one once. */
const walk = ordersOf(Object.keys(types))

/** Each answers the value of one row, the first one of three, in its last column. */
const statements: Readonly<Record<string, string>> = {
  'a query': 'select id, value from main.facts where id < 4 order by id',
  'a row by its key': 'select value from main.facts where id = 1',
  'a query that is planned by an old catalog':
    'select $step as n, value from main.facts where id = 1',
  'UPDATE with RETURNING': 'update main.facts set id = 1 where id = 1 returning id, value',
  'INSERT with RETURNING':
    'insert into main.facts (id, value) select 9, value from main.facts where id = 1 returning value',
  'INSERT of a default': 'insert into main.facts (id) values (10) returning value',
  'ON CONFLICT with RETURNING':
    'insert into main.facts (id) values (2) on conflict (id) do update set id = excluded.id returning value',
  'DELETE with RETURNING': 'delete from main.facts where id = 4 returning id, value',
}

describeDatabases('a column that gets another type', (open, kind, vendor) => {
  let database: TestDatabase
  let gateway: TestGateway
  let client: pg.Client
  beforeAll(async () => {
    database = await open(tableOf('integer', kind))
    gateway = await openGateway(
      {
        connections: { main: { url: database.url, schemaPolling: false } },
        open: true,
        pgWire: { port: 0, auth: { strategy: ['trust'] }, catalog: 'builtin' },
      },
      { pgWire: createPgWireServer },
    )
    const { address } = await gateway.engine.startPgWire()
    client = new pg.Client(`postgres://ada@${address}/shop`)
    await client.connect()
  })
  afterAll(async () => {
    await client?.end()
    await gateway?.close()
    await database?.remove()
  })

  const become = (type: string): Promise<void> =>
    database.run(`drop table facts; ${tableOf(type, kind)}`)

  /** The last cells of the rows. */
  const overHttp = async (sql: string): Promise<unknown> => {
    const { status, body } = await gateway.data({ sql, params: [], method: 'all' })
    if (status !== 200) return body
    return (body as { readonly rows: readonly (readonly unknown[])[] }).rows.map((row) =>
      row.at(-1),
    )
  }
  const overWire = async (text: string): Promise<unknown> => {
    const { rows } = await client.query<unknown[]>({
      text,
      rowMode: 'array',
      types: { getTypeParser: () => (value: string) => value },
    })
    return rows.map((row) => row.at(-1))
  }

  test.each([
    ['HTTP', overHttp, 'json'],
    ['the wire protocol', overWire, 'text'],
  ] as const)('each follows each, over %s', { timeout: 120_000 }, async (_, read, form) => {
    for (const [step, type] of walk.entries()) {
      await become(type)
      const { text, [form]: shown } = types[type] ?? {}
      const near = [walk[step - 1] ?? type, type]
      // Another one is the first to meet each change.
      const all = Object.entries(statements)
      const first = step % all.length
      for (const [name, sql] of [...all.slice(first), ...all.slice(0, first)]) {
        const rows = name === 'a query' ? 3 : 1
        const cells = await read(sql.replace('$step', `${step}`))
        // MariaDB reports a document as a text: a write that cannot be undone answers it as that.
        const isText = vendor === 'mariadb' && type === 'jsonb' && isDeepStrictEqual(cells, [text])
        expect(cells, `${name}, ${near.join(' to ')}`).toEqual(
          Array(rows).fill(isText ? text : shown),
        )
      }
    }
  })

  test('rows that a write copies are stored as they are, or not at all', async () => {
    for (const [type, value] of [
      ['integer', '7'],
      ['varchar(30)', "'5],[1'"],
      ['integer', '7'],
      ['double precision', '2.5'],
      ['date', "'2020-01-31'"],
      ['integer', '7'],
    ] as const) {
      await database.run(`drop table if exists facts; drop table if exists copies;
        create table facts (id integer primary key, value ${type} not null);
        insert into facts values (1, ${value}), (2, ${value});
        create table copies (id integer primary key, value integer);`)
      const sql =
        'insert into main.copies (id, value) select id, value from main.facts returning id'
      const { status } = await gateway.data({ sql, params: [], method: 'all' })
      const stored = await database.rows('select count(*) as n from copies where value is null')
      expect(Number(Object.values(stored[0] ?? {})[0]), type).toBe(0)
      if (type === 'integer') expect(status, type).toBe(200)
    }
  })

  test('in a batch, and by many at once', async () => {
    const batch = ['UPDATE with RETURNING', 'DELETE with RETURNING'].map((name) => ({
      sql: statements[name],
      params: [],
      method: 'all',
    }))
    for (const type of [...Object.keys(types), 'integer', 'varchar(30)']) {
      await become(type)
      const value = types[type]?.json
      const { body } = await gateway.post('/data/batch', JSON.stringify({ statements: batch }), {
        'content-type': 'application/json',
      })
      expect(body, type).toMatchObject({
        results: [{ rows: [[1, value]] }, { rows: [[4, value]] }],
      })

      const inserts = Array.from({ length: 64 }, async (_, index) => {
        const sql = 'insert into main.facts (id) values ($1) returning value'
        return (await gateway.data({ sql, params: [100 + index], method: 'all' })).body
      })
      for (const answer of await Promise.all(inserts))
        expect(answer).toMatchObject({ rows: [[value]] })
    }
  })
})

function tableOf(type: string, kind: TestDatabase['kind']): string {
  const { literal = 'null' } = types[type] ?? {}
  // MySQL wants parentheses around the default of a document.
  const value = kind === 'mysql' && type === 'jsonb' ? `(${literal})` : literal
  return `create table facts (id integer primary key, value ${type} default ${value});
    insert into facts (id) values (1), (2), (3), (4)`
}

/** A walk over the complete graph that takes each edge once in each direction. */
function ordersOf(names: readonly string[]): readonly string[] {
  return names.flatMap((from, index) => [
    ...names.slice(index + 1).flatMap((to) => [from, to]),
    from,
  ])
}
