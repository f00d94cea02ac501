import { expect, test } from 'vitest'
import { openDirectory } from './open-directory.ts'

test('each file is a table, its types are those of its values', async () => {
  const { engine, rows } = await openDirectory({
    'orders.csv':
      'id,customer,total,placed,paid,note,data,zip\n' +
      '1,Ann,12.50,2024-01-31,true,"said ""hi"", left","{""a"": 1}",00501\n' +
      '2,Bob,7.00,2024-02-01,false,,,10001\n',
    'big numbers.tsv': 'n\tm\n9007199254740993\t0.1234567890123456789\n',
  })

  expect(await rows('select * from files.orders order by id')).toEqual([
    [1, 'Ann', '12.50', '2024-01-31', true, 'said "hi", left', { a: 1 }, '00501'],
    [2, 'Bob', '7.00', '2024-02-01', false, null, null, '10001'],
  ])
  expect(await rows('select n, m from "files"."big numbers"')).toEqual([
    ['9007199254740993', '0.1234567890123456789'],
  ])
  const orders = engine.catalog().connections.get('files')?.tables.get('orders')
  expect(engine.catalog().connections.get('files')?.kind).toBe('csv')
  expect(orders?.primaryKey).toEqual([0])
  expect(orders?.columns.map(({ nativeType }) => nativeType)).toEqual([
    'INTEGER',
    'TEXT',
    'DECIMAL(15,2)',
    'DATE',
    'BOOLEAN',
    'TEXT',
    'JSON',
    'TEXT',
  ])
})

test('SQL works on files as on any database', async () => {
  const { rows } = await openDirectory({
    'customers.csv': 'id,name\n1,Ann\n2,Bob\n3,Cy\n',
    'orders.csv': 'id,customer_id,total\n1,1,10.10\n2,1,0.20\n3,2,5.00\n',
  })

  const sql = `select c.name, count(o.id)::int, sum(o.total)
    from files.customers c left join files.orders o on o.customer_id = c.id
    group by c.id, c.name order by sum(o.total) desc nulls last`
  expect(await rows(sql)).toEqual([
    ['Ann', 2, '10.30'],
    ['Bob', 1, '5.00'],
    ['Cy', 0, null],
  ])
})

test('types are those of the whole file, however late a value contradicts', async () => {
  const lines = Array.from({ length: 200_000 }, (_, index) => `${index},${index},2024-01-01,1.50`)
  const { rows, engine } = await openDirectory({
    'late.csv': `id,n,day,price\n${lines.join('\n')}\n200000,x1,never,2.125\n`,
  })

  expect(await rows('select n, day, price from files.late where id = 200000')).toEqual([
    ['x1', 'never', '2.125'],
  ])
  expect(await rows('select price from files.late where id = 7')).toEqual([['1.50']])
  const columns = engine.catalog().connections.get('files')?.tables.get('late')?.columns
  expect(columns?.map(({ nativeType }) => nativeType)).toEqual([
    'INTEGER',
    'TEXT',
    'TEXT',
    'DECIMAL TEXT',
  ])
})

test('options count more than values', async () => {
  const { rows, engine } = await openDirectory(
    { 'prices.csv': 'code:price:size\n7:1:2\n8:2:3\n' },
    {
      tables: {
        prices: { delimiter: ':', key: 'code', types: { price: 'numeric(10,2)', size: 'text' } },
      },
    },
  )

  expect(await rows('select * from files.prices order by code')).toEqual([
    [7, '1.00', '2'],
    [8, '2.00', '3'],
  ])
  expect(engine.catalog().connections.get('files')?.tables.get('prices')?.primaryKey).toEqual([0])
})

test.each([
  [
    'a row too short',
    'id,a\n1,x\n2\n',
    undefined,
    /bad\.csv:3: 1 values where there are 2 columns/,
  ],
  ['a quote without end', 'id,a\n1,"x\n', undefined, /bad\.csv:2: a quoted value has no end/],
  ['no header', '', undefined, /is empty/],
  [
    'a wrong type',
    'id,a\n1,x\n',
    { types: { a: 'int' } },
    /bad\.csv:2: the value of "a" is no integer/,
  ],
  ['an unknown type', 'id,a\n1,x\n', { types: { a: 'whatever' } }, /"whatever" is no type for "a"/],
  ['an unknown column', 'id,a\n1,x\n', { types: { b: 'text' } }, /has no column "b"/],
  ['a key with duplicates', 'id,a\n1,x\n1,y\n', { key: 'id' }, /two rows have the same id/],
  ['a key with gaps', 'id,a\n1,x\n,y\n', { key: 'id' }, /"id" is empty in some row/],
] as const)(
  '%s: the log says where, and other files are served',
  async (_name, content, table, message) => {
    const { rows, complaints } = await openDirectory(
      { 'bad.csv': content, 'good.csv': 'id\n1\n' },
      { tables: table === undefined ? {} : { bad: table } },
    )

    expect(complaints.filter((text) => message.test(text))).toHaveLength(1)
    await expect(rows('select * from files.bad')).rejects.toMatchObject({
      problem: 'tableNotFound',
    })
    expect(await rows('select * from files.good')).toEqual([[1]])
  },
)

test('faulty rows are left out and counted where that is wanted', async () => {
  const { rows, complaints } = await openDirectory(
    { 'some.csv': 'id,a\n1,x\n2\n3,y,z\n4,"q"q\n5,w\n' },
    { onError: 'skip' },
  )

  expect(await rows('select id from files.some order by id')).toEqual([[1], [5]])
  expect(complaints).toEqual([expect.stringMatching(/"skippedCount":3.*some\.csv:3: 1 values/)])
})

test('two files whose tables have the same name are one too many', async () => {
  const { rows, complaints } = await openDirectory({ 'a.csv': 'id\n1\n', 'a.tsv': 'id\n2\n' })

  expect(await rows('select id from files.a')).toEqual([[1]])
  expect(complaints).toEqual([expect.stringMatching(/its table is called as that of/)])
})

test.each([
  ['UTF-8 with a mark', '\uFEFFid,name\n1,Zoë\n', 'utf8'],
  ['UTF-16', '\uFEFFid,name\n1,Zoë\n', 'utf16le'],
  ['Latin 1', 'id,name\n1,Zoë\n', 'latin1'],
] as const)('%s', async (_name, content, encoding) => {
  const { rows } = await openDirectory({ 't.csv': Buffer.from(content, encoding) })

  expect(await rows('select id, name from files.t')).toEqual([[1, 'Zoë']])
})

test('a byte that is not UTF-8, far after the beginning', async () => {
  const many = Buffer.from(
    `id,name\n${'1,aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n'.repeat(60_000)}`,
  )
  const { rows } = await openDirectory({
    't.csv': Buffer.concat([many, Buffer.from('2,Zoë\n', 'latin1')]),
  })

  expect(await rows('select name from files.t where id = 2')).toEqual([['Zoë']])
})

test('nothing can be written, and a directory that is missing can come later', async () => {
  const { rows } = await openDirectory({ 't.csv': 'id,a\n1,x\n' })

  await expect(rows(`insert into files.t (id, a) values (2, 'y')`)).rejects.toMatchObject({
    sqlState: '25006',
  })
})
