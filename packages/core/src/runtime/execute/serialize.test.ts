import { expect, test } from 'vitest'
import { oids } from '../../compiler/sql-types/oids.ts'
import { createTypeSystem } from '../../compiler/sql-types/system/type-system.ts'
import { noTypmod, numericOfTypmod } from '../../compiler/sql-types/typmod.ts'
import type { ResultSet } from '../adapter/adapter.ts'
import { columnsJson, serialize, serializeBatch } from './serialize.ts'

const two: ResultSet = { rows: '[1,"é"],[2,null]', rowCount: 2, truncated: true }
const none: ResultSet = { rows: '', rowCount: 0, truncated: false }
const bytes = (result: ResultSet): ResultSet => ({
  ...result,
  rows: Buffer.from(String(result.rows)),
})
const text = (body: string | Uint8Array) => Buffer.from(body).toString()

test.each([
  ['all', two, '{"rows":[[1,"é"],[2,null]]}'],
  ['values', two, '{"rows":[[1,"é"],[2,null]]}'],
  ['all', none, '{"rows":[]}'],
  ['get', { ...two, rows: '[1,"é"]', rowCount: 1 }, '{"rows":[1,"é"]}'],
  ['get', none, '{"rows":null}'],
  ['run', two, '{"rows":[]}'],
  ['execute', { ...two, rows: '{"a":1}' }, '{"rows":[{"a":1}]}'],
  ['execute', none, '{"rows":[]}'],
] as const)('%s, from text and from bytes', (method, result, body) => {
  expect(text(serialize(result, method, undefined))).toBe(body)
  expect(text(serialize(bytes(result), method, undefined))).toBe(body)
})

test('meta comes behind the rows', () => {
  const meta = '[{"name":"a","type":"integer"}]'
  const end = `,"columns":${meta},"rowCount":2,"truncated":true}`
  expect(text(serialize(two, 'all', meta))).toBe(`{"rows":[${two.rows}]${end}`)
  expect(text(serialize(bytes(two), 'all', meta))).toBe(`{"rows":[${two.rows}]${end}`)
  expect(text(serialize(two, 'run', meta))).toBe(`{"rows":[]${end}`)
})

test('columns have the names PostgreSQL gives their types', () => {
  const types = createTypeSystem({})
  const typmod = ((10 << 16) | 2) + 4
  expect(numericOfTypmod(typmod)).toMatchObject({ precision: 10, scale: 2 })
  const columns = [
    { name: 'a"b', type: { oid: oids.int4, typmod: noTypmod } },
    { name: '', type: { oid: oids.numeric, typmod } },
    { name: 't', type: { oid: oids.timestamptz, typmod: noTypmod } },
  ]
  expect(JSON.parse(columnsJson(columns, types))).toEqual([
    { name: 'a"b', type: 'integer' },
    { name: '', type: 'numeric(10,2)' },
    { name: 't', type: 'timestamp with time zone' },
  ])
})

test('a batch is a list of answers, of text, bytes or both', () => {
  const [a, b] = ['{"rows":[]}', '{"rows":null}']
  expect(serializeBatch([a, b])).toBe(`{"results":[${a},${b}]}`)
  expect(text(serializeBatch([a, Buffer.from(b)]))).toBe(`{"results":[${a},${b}]}`)
  expect(text(serializeBatch([Buffer.from(a)]))).toBe(`{"results":[${a}]}`)
})
