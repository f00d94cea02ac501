import { expect, test } from 'vitest'
import { oids } from '../oids.ts'
import { builtinFunctions, builtinOperators, builtinTypes } from './builtin-catalog.ts'

const allowedFunctions = builtinFunctions.filter(({ isAllowed }) => isAllowed)
const allowedOperators = builtinOperators.filter(({ isAllowed }) => isAllowed)
const typeName = (oid: number) => builtinTypes.find((type) => type.oid === oid)?.name ?? ''

/** Client SQL must never call a function that matches. */
const forbiddenNames = [
  /^pg_(?!lsn_[a-z]{2}$)/,
  /^lo_|^lo(read|write)$/,
  /^(inet_(client|server)|tcp)_/,
  /xml|xpath|cursor|query_to|_to_query|^query(?!tree$)/,
  /setting|set_config|setseed|version|role|user|schema$|database/,
  /nextval|currval|lastval|setval/,
  /(?<!c)lock|sleep|advisory|notify|txid|snapshot|xact|backend/,
  /^ts_(?!headline$|rank(_cd)?$|delete$|filter$|rewrite$|match_)|tsvector_update/,
  /dblink|copy|file|read_|write_|export|import/,
  /^to_reg|_privilege$|description$|^format_type$|^currtid/,
]

test('no function of a dangerous kind is allowed', () => {
  const found = allowedFunctions.filter(({ name }) => {
    const isPath = name.startsWith('jsonb_path_query')
    return !isPath && forbiddenNames.some((pattern) => pattern.test(name))
  })
  expect(found.map(({ signature }) => signature)).toEqual([])
})

test('of what touches types of the system only comparisons are allowed, and of reg* the names of configurations', () => {
  const isForbidden = (oid: number) =>
    /^_?(reg(?!config$)|xml|xid|cid$|tid|aclitem|internal|cstring|trigger|refcursor|pg_)/.test(
      typeName(oid),
    )
  const isComparison = (oids: readonly number[]) =>
    oids.every((oid) => /^(xid8?|cid|tid|pg_lsn|int4)$/.test(typeName(oid)))
  const functions = allowedFunctions.filter(
    ({ argumentOids, resultOid, isOfOperator }) =>
      [...argumentOids, resultOid].some(isForbidden) &&
      !(isOfOperator === true && resultOid === oids.bool && isComparison(argumentOids)),
  )
  const operators = allowedOperators.filter(
    ({ name, leftOid = 0, rightOid, resultOid }) =>
      [leftOid, rightOid, resultOid].some(isForbidden) &&
      !(/^[<>=]+$/.test(name) && isComparison([leftOid, rightOid])),
  )
  expect([...functions, ...operators]).toEqual([])
})

test('of the rewriting of search queries only the form that runs no query is allowed', () => {
  const found = builtinFunctions.filter(({ name }) => name === 'ts_rewrite')
  expect(found.map(({ signature, isAllowed }) => [signature, isAllowed])).toEqual([
    ['ts_rewrite(tsquery,tsquery,tsquery)', true],
    ['ts_rewrite(tsquery,text)', false],
  ])
})

test('the function of an allowed operator is allowed, with the same marks', () => {
  const byOid = new Map(builtinFunctions.map((each) => [each.oid, each]))
  const differing = allowedOperators.filter(({ functionOid, volatility, leftOid, rightOid }) => {
    const called = byOid.get(functionOid)
    const sides = leftOid === undefined ? [rightOid] : [leftOid, rightOid]
    const isSame = called?.argumentOids.join() === sides.join()
    return isSame && (!called.isAllowed || called.volatility !== volatility)
  })
  expect(differing).toEqual([])
})

test('a record comes only from functions that name its columns, and from those that take a definition list', () => {
  const records = allowedFunctions.filter(({ resultOid }) => resultOid === oids.record)
  expect(records.map(({ signature }) => signature).sort()).toEqual([
    'json_each(json)',
    'json_each_text(json)',
    'json_to_record(json)',
    'json_to_recordset(json)',
    'jsonb_each(jsonb)',
    'jsonb_each_text(jsonb)',
    'jsonb_to_record(jsonb)',
    'jsonb_to_recordset(jsonb)',
    'unnest(tsvector)',
  ])
  const unnamed = records.filter(({ outputColumns }) => (outputColumns?.length ?? 0) < 2)
  expect(unnamed.every(({ name }) => /^jsonb?_to_record/.test(name))).toBe(true)
})

test('types of the system cannot be named', () => {
  const nameable = builtinTypes.filter(({ isNameable }) => isNameable).map(({ name }) => name)
  expect(
    nameable.filter((name) => /^_?(reg|pg_|xml|oid|xid|cid$|tid|acl|any|int2v)/.test(name)),
  ).toEqual([])
  expect(nameable).toContain('jsonb')
  expect(nameable).toContain('_text')
})

test('what is leakproof cannot fail', () => {
  const all = [...builtinFunctions, ...builtinOperators]
  expect(all.filter(({ isLeakproof, canRaise }) => isLeakproof && canRaise)).toEqual([])
})

test('arithmetic, casts of text and LIKE can fail; comparison cannot', () => {
  const raises = (signature: string) =>
    allowedOperators.find((operator) => operator.signature === signature)?.canRaise
  expect(
    ['+(int4,int4)', '/(numeric,numeric)', '~~(text,text)', '->(json,text)'].map(raises),
  ).toEqual([true, true, true, true])
  expect(['=(text,text)', '<(numeric,numeric)', '=(jsonb,jsonb)'].map(raises)).toEqual([
    false,
    false,
    false,
  ])
})

test('commutators and negators are operators of the table', () => {
  const signatures = new Set(builtinOperators.map(({ signature }) => signature))
  const less = builtinOperators.find(({ signature }) => signature === '<(int4,int8)')
  expect(less).toMatchObject({ commutator: '>(int8,int4)', negator: '>=(int4,int8)' })
  const dangling = builtinOperators.filter(
    ({ commutator, negator }) =>
      (commutator !== undefined && !signatures.has(commutator)) ||
      (negator !== undefined && !signatures.has(negator)),
  )
  expect(dangling).toEqual([])
})

test('signatures are unique', () => {
  const signatures = [...builtinFunctions, ...builtinOperators].map(({ signature }) => signature)
  expect(new Set(signatures).size).toBe(signatures.length)
})

test('details of a few functions', () => {
  const find = (signature: string) =>
    builtinFunctions.find((candidate) => candidate.signature === signature)
  expect(find('make_interval(int4,int4,int4,int4,int4,int4,float8)')).toMatchObject({
    defaultCount: 7,
    argumentNames: ['years', 'months', 'weeks', 'days', 'hours', 'mins', 'secs'],
  })
  expect(find('concat(any)')).toMatchObject({ variadicOid: oids.any, volatility: 'stable' })
  expect(find('percentile_cont(float8,float8)')).toMatchObject({
    kind: 'aggregate',
    aggregateKind: 'orderedSet',
    directArgumentCount: 1,
  })
  expect(find('row_number()')).toMatchObject({ kind: 'window' })
  expect(find('json_array_elements(json)')).toMatchObject({
    returnsSet: true,
    outputColumns: [{ name: 'value', oid: oids.json }],
  })
})
