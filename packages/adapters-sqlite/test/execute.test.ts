import type { CompiledStatement } from '@engine/core/adapter'
import { expect, test } from 'vitest'
import { createDatabase, openAdapter, query, rowsOf, sharedAdapter } from './open-adapter.ts'
import { execution, statement, type TypeName, write } from './statements.ts'

const shop = `
  create table orders (id integer primary key, customer text not null, total decimal(10,2), open boolean);
  insert into orders values (1, 'ada', 12.5, 1), (2, 'bob', 7, 0), (3, 'ada', null, null);
`

/** For tests that only read. */
const shared = sharedAdapter(shop, { pool: { max: 1 } })

/** The hints of a compiled look-up by a whole key. */
const bounded = { hints: { bounded: true } }

const total = { oid: 1700, typmod: ((10 << 16) | 2) + 4 }

test.each<[string, Partial<CompiledStatement>]>([
  ['in a worker', {}],
  ['on the main thread', bounded],
  ['all at once', { hints: { stored: true } }],
  ['in a transaction', { needsTransaction: true }],
])('rows come back in their JSON forms, %s', async (_where, options) => {
  const adapter = shared()
  const orders = statement(
    'select id, customer, total, open from orders where customer = ?1 order by id',
    { id: 'int8', customer: 'text', total, open: 'bool' },
    { parameters: ['text'], ...options },
  )

  await adapter.ping(new AbortController().signal)

  expect(await query(adapter, orders, ['ada'])).toEqual([
    ['1', 'ada', '12.50', true],
    ['3', 'ada', null, null],
  ])
  expect(await query(adapter, orders, ['nobody'])).toEqual([])
})

test.each<[TypeName, string, string, unknown]>([
  ['int4', '42', 'integer', 42],
  ['int8', '9223372036854775807', 'integer', '9223372036854775807'],
  ['bool', 'true', 'integer', true],
  ['float8', '0.1', 'real', 0.1],
  ['float8', '3', 'real', 3],
  ['numeric', '1.50', 'text', '1.50'],
  ['text', 'it\'s "\u{1f600}"', 'text', 'it\'s "\u{1f600}"'],
  ['timestamptz', '2024-01-15 10:30:00+00', 'text', '2024-01-15 10:30:00+00'],
  ['bytea', '\\x00ff', 'blob', '\\x00ff'],
  ['jsonb', '{"a": [1, 2.50]}', 'text', { a: [1, 2.5] }],
])('%s %s is bound as %s', async (type, value, storageClass, json) => {
  const adapter = shared()
  const echo = statement(
    'select typeof(?1), ?1',
    { class: 'text', value: type },
    { parameters: [type] },
  )

  expect(await query(adapter, echo, [value])).toEqual([[storageClass, json]])
  expect(await query(adapter, echo, [null])).toEqual([['null', null]])
})

test('a list is bound as JSON text', async () => {
  const adapter = shared()
  const some = statement(
    'select id from orders where id in (select value from json_each(?1)) order by id',
    { id: 'int4' },
    { parameters: ['int8Array'] },
  )

  expect(await query(adapter, some, [['3', null, '1']])).toEqual([[1], [3]])
})

test('rows can be objects; of equal names the last one counts', async () => {
  const adapter = shared()
  const columns = statement('select 1, 2, 3', [
    ['a', 'int4'],
    ['b"', 'int4'],
    ['a', 'int4'],
  ])

  const rows = await query(adapter, columns, [], { rowShape: 'object' })

  expect(rows).toEqual([{ a: 3, 'b"': 2 }])
})

test('no more than maxRows rows come back', async () => {
  const adapter = shared()
  const ids = statement('select id from orders order by id', { id: 'int4' })

  const cut = await adapter.execute(execution(ids, [], { maxRows: 2 }))
  const whole = await adapter.execute(execution(ids, [], { maxRows: 3 }))

  expect(cut).toEqual({ rows: '[1],[2]', rowCount: 2, truncated: true })
  expect(whole).toEqual({ rows: '[1],[2],[3]', rowCount: 3, truncated: false })
})

test('a large answer comes as bytes', async () => {
  const adapter = shared()
  const numbers = statement(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000)
    select i, 'ä' || i from n`,
    { i: 'int4', t: 'text' },
  )

  const result = await adapter.execute(execution(numbers))

  expect(result.rows).toBeInstanceOf(Uint8Array)
  expect(rowsOf(result)).toHaveLength(5000)
  expect(rowsOf(result).at(-1)).toEqual([5000, 'ä5000'])
})

/** A row with this number of texts of `size` bytes each. */
function wideRow(columns: number, hints: CompiledStatement['hints']): CompiledStatement {
  const names = Array.from({ length: columns }, (_, index) => `c${index}`)
  return statement(
    `select ${names.map(() => 'x').join(', ')} from (select hex(zeroblob(?1 / 2)) as x limit 1) limit 1`,
    names.map((name) => [name, 'text'] as const),
    { parameters: ['int4'], hints },
  )
}

test('a row too large for the memory of a thread is refused before it gets there', async () => {
  const adapter = shared()
  const wide = wideRow(200, { limited: true })

  const refused = query(adapter, wide, ['400000'])

  await expect(refused).rejects.toMatchObject({ problem: 'limitExceeded', status: 400 })
  expect((await query(adapter, wide, ['10']))[0]).toEqual(Array(200).fill('0000000000'))
})

test('a large row that is found by its key comes too', async () => {
  const adapter = shared()
  await adapter.ping(new AbortController().signal)
  const wide = wideRow(9, { limited: true, bounded: true })

  for (const size of ['10', '200000', '10']) {
    const [row] = await query(adapter, wide, [size])
    expect(row).toEqual(Array(9).fill('0'.repeat(Number(size))))
  }
})

test('a statement that is guarded keeps its rows and their order', async () => {
  const adapter = shared()
  const names = Array.from({ length: 9 }, (_, index) => `c${index}`)
  const guarded = statement(
    `select ${names.map(() => 'customer || id').join(', ')} from orders where id <> ?1
    order by id desc limit 3`,
    names.map((name) => [name, 'text'] as const),
    { parameters: ['int4'], hints: { limited: true } },
  )

  const rows = await query(adapter, guarded, ['2'])

  expect(rows).toEqual([Array(9).fill('ada3'), Array(9).fill('ada1')])
})

test('a write counts its rows', async () => {
  const adapter = openAdapter(createDatabase(shop))

  const updated = await adapter.execute(
    execution(write('update orders set open = 0 where customer = ?1', ['text']), ['ada']),
  )
  const deleted = await adapter.execute(execution(write('delete from orders where id > 100')))

  expect(updated).toEqual({ rows: '', rowCount: 2, truncated: false })
  expect(deleted.rowCount).toBe(0)
})

test('a write gives back what it returns, however little is asked for', async () => {
  const adapter = openAdapter(createDatabase(shop))
  const insert = statement(
    `insert into orders (customer) values ('x'), ('y'), ('z') returning id, customer`,
    { id: 'int4', customer: 'text' },
    { isWrite: true },
  )

  const result = await adapter.execute(execution(insert, [], { maxRows: 1 }))

  expect(rowsOf(result)).toEqual([[4, 'x']])
  const count = statement('select count(*) from orders', { n: 'int4' })
  expect(await query(adapter, count)).toEqual([[6]])
})

test('the column of a check is not part of the answer', async () => {
  const adapter = openAdapter(createDatabase(shop))
  const update = statement(
    [{ sql: 'update orders set total = 1 returning id, total < 5', checkColumn: 1 }],
    { id: 'int4' },
    { isWrite: true },
  )

  expect(await query(adapter, update)).toEqual([[1], [2], [3]])
})

test('one row that fails its check undoes the write', async () => {
  const adapter = openAdapter(createDatabase(shop))
  const update = statement(
    [{ sql: 'update orders set total = id * 2 returning id, total < 5', checkColumn: 1 }],
    { id: 'int4' },
    { isWrite: true },
  )
  const unknown = statement(
    [{ sql: 'update orders set total = 1 returning id, null', checkColumn: 1 }],
    { id: 'int4' },
    { isWrite: true },
  )

  for (const refused of [update, unknown]) {
    await expect(query(adapter, refused)).rejects.toMatchObject({
      problem: 'checkFailed',
      status: 422,
    })
  }

  const totals = statement('select total from orders order by id', { total })
  expect(await query(adapter, totals)).toEqual([['12.50'], ['7.00'], [null]])
})

test('rows that are not visible any more are left out of the answer, and count for nothing', async () => {
  const adapter = openAdapter(createDatabase(shop))
  const update = statement(
    [
      {
        sql: 'update orders set open = 1 returning id, 1, case id when 2 then null else 1 end',
        checkColumn: 1,
        visibleColumn: 2,
      },
    ],
    { id: 'int4' },
    { isWrite: true },
  )

  const result = await adapter.execute(execution(update))

  expect(rowsOf(result)).toEqual([[1], [3]])
  expect(result.rowCount).toBe(2)
})

test('a step without columns checks its rows and counts them', async () => {
  const adapter = openAdapter(createDatabase(shop))
  const update = statement(
    [{ sql: 'update orders set open = 1 returning 1', checkColumn: 0 }],
    {},
    { isWrite: true },
  )

  expect(await adapter.execute(execution(update))).toEqual({
    rows: '',
    rowCount: 3,
    truncated: false,
  })
})

test('a count of rows comes from a row', async () => {
  const adapter = shared()
  const counted = statement([{ sql: 'select count(*) from orders', yields: 'count' }])

  expect(await adapter.execute(execution(counted))).toMatchObject({ rows: '', rowCount: 3 })
})

test('later steps read what an earlier one kept', async () => {
  const adapter = openAdapter(
    createDatabase(`
      create table t (i integer, r real, s text, b blob);
      insert into t values (9007199254740993, 2.0, 'a"b', x'00ff'), (null, -1.5, '', null);
    `),
  )
  const source = [{ from: 'step' as const, step: 0 }]
  const kept = statement(
    [
      { sql: 'select i, r, s, b from t order by rowid', yields: 'keep' },
      {
        sql: `select value ->> 0, typeof(value ->> 1), value ->> 2, hex(unhex(value ->> 3))
          from json_each(?1)`,
        parameters: source,
      },
    ],
    { i: 'int8', r: 'text', s: 'text', b: 'text' },
  )

  expect(await query(adapter, kept)).toEqual([
    ['9007199254740993', 'real', 'a"b', '00FF'],
    [null, 'real', '', ''],
  ])
})

test('an assertion that does not hold undoes all steps', async () => {
  const adapter = openAdapter(createDatabase(shop))
  const steps = (assertion: string) =>
    statement(
      [
        { sql: 'delete from orders where id = 1', yields: 'affected' },
        { sql: assertion, yields: 'assert' },
      ],
      {},
      { isWrite: true },
    )

  for (const assertion of ['select 1 union all select 0', 'select null', `select 'true'`]) {
    await expect(adapter.execute(execution(steps(assertion)))).rejects.toMatchObject({
      problem: 'checkFailed',
    })
  }
  const done = await adapter.execute(execution(steps('select id > 1 from orders')))

  expect(done.rowCount).toBe(1)
})

test('rows and counts of several steps add up', async () => {
  const adapter = openAdapter(createDatabase(shop))
  const inserts = statement(
    [
      { sql: `insert into orders (customer) values ('x') returning id` },
      { sql: `delete from orders where id < 0`, yields: 'nothing' },
      { sql: `insert into orders (customer) values ('y') returning id` },
    ],
    { id: 'int4' },
    { isWrite: true },
  )

  const result = await adapter.execute(execution(inserts))

  expect(result).toEqual({ rows: '[4],[5]', rowCount: 2, truncated: false })
})
