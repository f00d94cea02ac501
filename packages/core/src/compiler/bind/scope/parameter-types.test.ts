import { expect, test } from 'vitest'
import { oids } from '../../sql-types/oids.ts'
import { createTypeSystem } from '../../sql-types/system/type-system.ts'
import { bindFailure, bindTypes, conditionFailure } from '../test-support/bind-for-test.ts'
import { createParameterTypes } from './parameter-types.ts'

test.for([
  ['$1', 'text, text'],
  ['i = $1', 'boolean, integer'],
  ['$1 = $2', 'boolean, text, text'],
  ['l between $1 and $2', 'boolean, bigint, bigint'],
  ['$2 + i * $1', 'integer, integer, integer'],
  ['i = any($1)', 'boolean, integer[]'],
  ['t like any($1)', 'boolean, text[]'],
  ['coalesce($1, d)', 'date, date'],
  ['case when $1 then $2 else i end', 'integer, boolean, integer'],
  ['now() - $1', 'interval, timestamp with time zone'],
  ['m = $1', 'boolean, mood'],
  ['generate_series(1, $1)', 'integer, integer'],
  ['i = $1 or $1 is null', 'boolean, integer'],
  ['$1::int + $1', 'integer, integer'],
  ['array[$1]::bigint[]', 'bigint[], bigint'],
])('%s gives %s', ([expression, typeNames]) => {
  expect(bindTypes(expression ?? '')).toBe(typeNames)
})

test.for([
  ['$1 is null', '42P18: could not determine data type of parameter $1'],
  ['count($1)', '42P18'],
  ['json_build_object($1, i)', '42P18'],
  ['$2::int', '42P18: could not determine data type of parameter $1'],
  ['to_json($1)', '42804'],
  ['$0', '42P02'],
  ['$65536', '42P02'],
])('%s leaves a parameter without a type', ([expression, failure]) => {
  expect(bindFailure(expression ?? '')).toContain(failure)
})

test('two uses that differ are an error', () => {
  expect(conditionFailure('$1 in (i, t)')).toContain(
    '42P08: inconsistent types deduced for parameter $1: integer versus text',
  )
})

const types = createTypeSystem()

test('a client declares types that it may name, numbers of the system and documents', () => {
  const declared = [
    oids.int4,
    oids.textArray,
    oids.jsonb,
    oids.unknown,
    0,
    oids.oid,
    1028,
    oids.xml,
    // xid, xid[], tid, xid8 and pg_lsn.
    ...[28, 1011, 27, 5069, 3220],
  ]
  expect(createParameterTypes(types, declared).typeOf(5)).toEqual({ oid: oids.oid, typmod: -1 })
})

test.for([
  ['regproc', 24],
  ['regclass', 2205],
  ['regtype', 2206],
  ['regclass[]', 2210],
  ['regnamespace', 4089],
  ['regrole', 4096],
  ['record', 2249],
  ['anyelement', 2283],
  ['oidvector', 30],
  ['aclitem', 1033],
  ['nothing', 99_999],
] as const)('%s is no type to declare: it could read the catalog', ([, oid]) => {
  expect(() => createParameterTypes(types, [oids.int4, oid])).toThrow(
    expect.objectContaining({ code: 'BAD_REQUEST', sqlState: '42704' }),
  )
})
