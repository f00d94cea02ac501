import { expect, test } from 'vitest'
import type { Flavor } from '../../server/flavor.ts'
import { compiledForTest, mariaDb, mySql } from '../test-support/compiled-for-test.ts'

async function outputOf(
  expression: string,
  params: readonly unknown[] = [],
  flavor: Flavor = mariaDb,
): Promise<string> {
  const [step] = await compiledForTest(`select ${expression} from main.item`, { params, flavor })
  return /^result: select (.*) as c1 from /s.exec(step ?? '')?.[1] ?? `no output: ${step}`
}

async function whereOf(condition: string, params: readonly unknown[] = []): Promise<string> {
  const [step] = await compiledForTest(`select id from main.item where ${condition}`, { params })
  return / where (.*) limit 10001$/s.exec(step ?? '')?.[1] ?? `no condition: ${step}`
}

test('values are bound, and the server is told their type', async () => {
  expect(await outputOf(`date '2024-02-29'`)).toBe('cast(? as date)')
  expect(await outputOf('1.50')).toBe('cast(? as decimal(3, 2))')
  expect(await outputOf('$1::float8', [1])).toBe('cast(? as double)')
})

test('MySQL reads the parameter of CAST AS TIME as a text', async () => {
  expect(await outputOf(`time '23:00'`)).toBe('cast(? as time(6))')
  expect(await outputOf(`time '23:00'`, [], mySql)).toBe('cast(cast(? as char) as time(6))')
})

test('fractions are rounded once, whether CAST rounds or cuts', async () => {
  const moment = 'cast(? as datetime(6))'
  expect(await outputOf('$1::timestamp(3)', ['2024-01-01'])).toBe(
    `cast(if(${moment} < '2000-01-01', date_add(${moment}, interval 499 microsecond), date_add(${moment}, interval 500 microsecond)) as datetime(3))`,
  )
  expect(await outputOf('$1::timestamp(3)', ['2024-01-01'], mySql)).toBe(
    `cast(if(${moment} < '2000-01-01', date_sub(${moment}, interval 1 microsecond), ${moment}) as datetime(3))`,
  )
})

test('MySQL keeps a text a text beside NULL, and of any length', async () => {
  const either = 'case when open then null else $1::text end'
  expect(await outputOf(either, ['x'])).toBe('case when (t1.`open` <> 0) then null else ? end')
  expect(await outputOf(either, ['x'], mySql)).toBe(
    'case when (t1.`open` <> 0) then (cast(null as char) collate utf8mb4_0900_bin) else (coalesce(?, cast(uncompress(null) as char)) collate utf8mb4_0900_bin) end',
  )
})

test('a text compares by code point, beside a condition that an index of its column serves', async () => {
  expect(await whereOf('nick = $1', ['x'])).toBe(
    '(t1.`nick` = (? collate utf8mb4_general_ci) and ((t1.`nick` collate utf8mb4_nopad_bin) = ?))',
  )
  expect(await whereOf('name = $1', ['x'])).toBe('(t1.`name` = ?)')
  expect(await whereOf(`nick like 'a%'`)).toBe(
    '(t1.`nick` like (? collate utf8mb4_general_ci) and ((t1.`nick` collate utf8mb4_nopad_bin) like ?))',
  )
})

test('a column of another character set is asked in its own for what is sent, and for its like', async () => {
  const exact = '(convert(t1.`latin` using utf8mb4) collate utf8mb4_nopad_bin)'
  expect(await whereOf('latin = $1', ['x'])).toMatch(
    /^\(t1\.`latin` = \(convert\(case when not \? regexp '\[\^.*\]' then \? end using latin1\) collate latin1_swedish_ci\) and /,
  )
  expect(await whereOf('latin = latin')).toBe(
    `(t1.\`latin\` = t1.\`latin\` and (${exact} = ${exact}))`,
  )
  expect(await whereOf('latin = name')).toBe(`(${exact} = t1.\`name\`)`)
})

test('sums of integers leave 64 bits when they leave their type', async () => {
  expect(await outputOf('a + id')).toBe(
    '((((t1.`a` + t1.`id`) + 9223372034707292160) - 9223372034707292160 - 9223372034707292160) + 9223372034707292160)',
  )
  expect(await outputOf('a::int8 + id')).toBe('(t1.`a` + t1.`id`)')
})

test('a division by zero fails when it is evaluated, and not for NULL', async () => {
  expect(await outputOf('a::int8 / id')).toBe(
    'case when t1.`id` = 0 and t1.`a` is not null then (9223372036854775807 + 10001) else (t1.`a` div t1.`id`) end',
  )
})

test('a decimal of one scale is a DECIMAL, one of several is text', async () => {
  expect(await outputOf('price * 2')).toBe(
    'cast((t1.`price` * cast(? as decimal(1, 0))) as decimal(11, 2))',
  )
  expect(await outputOf('coalesce(price, 0)')).toBe(
    "coalesce(replace(format(t1.`price`, 2, 'en_US'), ',', ''), replace(format(cast(? as decimal(1, 0)), 0, 'en_US'), ',', ''))",
  )
})

test('a long value that is used several times gets a name', async () => {
  const sql = await outputOf(`initcap(replace(replace(name, 'a', 'b'), 'c', 'd') || name)`)
  expect(sql).toMatch(/^\(?\(?select .* from json_table\(coalesce\(json_array\(/s)
})

test('a window function never gets one: the server would not survive it', async () => {
  const sql = await outputOf('round(sum(price) over (partition by a) / 7, 2)')
  expect(sql).not.toMatch(/json_array\([^)]*over/)
  const step = await compiledForTest(
    'select count(*) over (order by id), sum(price) over (partition by a) / count(*) over (partition by a) from main.item',
  )
  expect(step.join()).not.toMatch(/json_table\(coalesce\(json_array\([^']*over \(/)
})

test('nothing of a document is taken for what the server would make of it', async () => {
  expect(await outputOf(`data ->> 'k'`)).toContain("'NULL', null, json_unquote(")
  expect(await whereOf(`data = '{}'`)).toContain('json_normalize(')
})

test('json that has a key twice is not looked into', async () => {
  for (const value of [`{"a": 1, "a": 2}`, `[{"b": {"a\\"": 1, "a\\"" : 2}}]`]) {
    await expect(outputOf(`'${value}'::json -> 'a'`)).rejects.toThrow('a key twice')
  }
  expect(
    await outputOf(`'{"a": {"a": "b:"}, "b": [{"a": 1}, {"a": 2}]}'::json -> 'a'`),
  ).toBeTruthy()
})
