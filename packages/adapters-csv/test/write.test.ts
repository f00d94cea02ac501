import { chmodSync, readdirSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { csvAdapter } from '../src/index.ts'
import { anonymous, makeDirectory, openDirectory } from './open-directory.ts'

const writable = { writable: true } as const

test('a write reaches the file; what it does not touch stays as it was, to the byte', async () => {
  const content =
    'Id;"Full Name";Price;When;Ok\r\n3;"Ann";01,5;2024-01-31T10:00:00;TRUE\r\n1; Bob ;x;;\r\n'
  const { rows, read } = await openDirectory({ 'people.csv': content }, writable)

  await rows(
    `insert into files.people ("Id", "Full Name", "When", "Ok") values ($1, $2, $3, true)`,
    [7, 'a;b "c"\nd', '2025-02-03 04:05:06'],
  )
  expect(read('people.csv')).toBe(`${content}7;"a;b ""c""\nd";;2025-02-03T04:05:06;TRUE\r\n`)

  await rows(`update files.people set "Price" = 'new' where "Id" = 1`)
  await rows(`delete from files.people where "Id" = 7`)
  expect(read('people.csv')).toBe(
    'Id;"Full Name";Price;When;Ok\r\n3;"Ann";01,5;2024-01-31T10:00:00;TRUE\r\n1;" Bob ";new;;\r\n',
  )
})

test('columns that are always quoted stay so, and a mark stays at the beginning', async () => {
  const { rows, read } = await openDirectory(
    { 't.csv': '\uFEFF"id","name"\n"1","a"\n"2","b"\n' },
    writable,
  )

  expect(await rows(`insert into files.t values (3, 'c') returning id`)).toEqual([[3]])

  expect(read('t.csv')).toBe('\uFEFF"id","name"\n"1","a"\n"2","b"\n"3","c"\n')
})

test('values come back as they went in', async () => {
  const { rows, read, engine, write, eventually } = await openDirectory(
    {
      't.csv':
        'id,flag,big,price,ratio,day,at,seen,doc,label\n' +
        '1,true,9007199254740993,12.50,1e5,2024-01-31,2024-01-31 10:00:00.5,2024-01-31T10:00:00Z,{},x\n',
    },
    writable,
  )
  await rows(
    `insert into files.t values (2, false, 9223372036854775807, 0.10, 0.1, '1999-12-31', '2024-02-29 23:59:59.123456',
      '2024-06-01 12:00:00+02', $1, $2)`,
    [{ a: [1, 'x, "y"'] }, 'line\r\nbreak'],
  )
  const before = await rows('select * from files.t order by id')
  await engine.close()

  const again = await openDirectory({ 't.csv': read('t.csv') }, writable)
  expect(await again.rows('select * from files.t order by id')).toEqual(before)
  expect(write).toBeTypeOf('function')
  expect(eventually).toBeTypeOf('function')
})

test('a write that fails, and a batch of which one fails, change nothing', async () => {
  const content = 'id,name\n1,a\n2,b\n'
  const { rows, read, engine } = await openDirectory({ 't.csv': content }, writable)

  await expect(rows('insert into files.t values (1, $1)', ['x'])).rejects.toMatchObject({
    problem: 'conflict',
  })
  await expect(rows('insert into files.t values (3, $1)', [''])).rejects.toMatchObject({
    problem: 'invalidValue',
  })
  await expect(rows('insert into files.t values (null, $1)', ['x'])).rejects.toMatchObject({
    problem: 'invalidValue',
  })
  const insert = { sql: 'insert into files.t values ($1, $2)', method: 'run', meta: false } as const
  const batch = {
    statements: [
      { ...insert, params: [3, 'c'] },
      { ...insert, params: [1, 'again'] },
    ],
    meta: false,
    signal: undefined,
  }
  await expect(engine.batch(batch, anonymous)).rejects.toMatchObject({
    problem: 'conflict',
  })

  expect(read('t.csv')).toBe(content)
  expect(await rows('select * from files.t order by id')).toEqual([
    [1, 'a'],
    [2, 'b'],
  ])
})

test('a file that another process changes meanwhile is not overwritten', async () => {
  const { rows, read, write, eventually } = await openDirectory(
    { 't.csv': 'id,n\n1,1\n' },
    writable,
  )
  expect(await rows('select n from files.t')).toEqual([[1]])

  write('t.csv', 'id,n\n1,100\n')
  const outcome = await rows('update files.t set n = n + 1 where id = 1 returning n').catch(
    (error: unknown) => error,
  )

  // Either the change was not known yet, or the update used it.
  if (outcome instanceof Error) {
    expect(outcome).toMatchObject({ problem: 'conflict' })
    expect(read('t.csv')).toBe('id,n\n1,100\n')
    await eventually('select n from files.t', [[100]])
  } else {
    expect(outcome).toEqual([[101]])
    expect(read('t.csv')).toBe('id,n\n1,101\n')
  }
})

test('what a killed writer left long ago is removed', async () => {
  const old = '.t.csv.0123456789ab.engine-new'
  const path = makeDirectory({
    't.csv': 'id\n1\n',
    [old]: 'x',
    '.t.csv.ba9876543210.engine-new': 'y',
  })
  utimesSync(join(path, old), 1, 1)
  const adapter = csvAdapter({ directory: path, writable: true })

  await adapter.introspect(new AbortController().signal)
  await adapter.close()

  expect(readdirSync(path)).toEqual(['.t.csv.ba9876543210.engine-new', 't.csv'])
})

test('rights of the file stay, and no other file is left', async () => {
  const { rows, path } = await openDirectory({ 't.csv': 'id\n1\n' }, writable)
  chmodSync(join(path, 't.csv'), 0o640)

  await expect
    .poll(() => rows('insert into files.t values (2) returning id').catch(String), {
      timeout: 15_000,
    })
    .toEqual([[2]])

  expect(statSync(join(path, 't.csv')).mode & 0o777).toBe(0o640)
  expect(readdirSync(path)).toEqual(['t.csv'])
})

test('a table of which rows were left out, or in another encoding, cannot be written', async () => {
  const { rows, read } = await openDirectory(
    { 'a.csv': 'id,n\n1,1\n2\n', 'b.csv': Buffer.from('id,n\n1,é\n', 'latin1') },
    { ...writable, onError: 'skip' },
  )

  await expect(rows('update files.a set n = 2')).rejects.toMatchObject({ status: 400 })
  await expect(rows(`update files.b set n = 'x'`)).rejects.toMatchObject({ status: 400 })
  expect(read('a.csv')).toBe('id,n\n1,1\n2\n')
})

test('writers at the same time lose nothing', async () => {
  const { rows, read } = await openDirectory({ 't.csv': 'id,n\n0,0\n' }, writable)

  await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      rows('insert into files.t values ($1, $2)', [index + 1, index]),
    ),
  )
  await Promise.all(
    Array.from({ length: 10 }, () => rows('update files.t set n = n + 1 where id = 0')),
  )

  expect(read('t.csv').split('\n')).toHaveLength(33)
  expect(read('t.csv')).toMatch(/^id,n\n0,10\n/)
})

test.each([
  [{}, 'is a directory of CSV files without "writable": true'],
  [{ writable: false }, 'is a directory of CSV files without "writable": true'],
  [{ writable: true, readOnly: true }, 'has "readOnly": true'],
])(
  'a directory with %j is read-only, and the refusal names the option',
  async (options, reason) => {
    const { engine, read, rows } = await openDirectory({ 't.csv': 'id\n1\n' }, options)
    const refusal = {
      status: 403,
      code: 'PERMISSION_DENIED',
      publicMessage: `The connection is read-only: connections.files ${reason}.`,
    }
    const writes = [
      'insert into files.t values (2)',
      'update files.t set id = 2',
      'delete from files.t',
    ]
    for (const sql of writes) {
      const request = { sql, params: [], method: 'run', meta: false } as const
      await expect(
        engine.query({ ...request, signal: undefined }, anonymous),
      ).rejects.toMatchObject(refusal)
      const batch = { statements: [request], signal: undefined }
      await expect(engine.batch(batch, anonymous)).rejects.toMatchObject({ status: 403 })
    }
    expect(read('t.csv')).toBe('id\n1\n')
    expect(await rows('select id from files.t')).toEqual([[1]])
  },
)
