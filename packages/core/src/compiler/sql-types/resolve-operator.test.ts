import { expect, test } from 'vitest'
import { oids } from './oids.ts'
import { createTypeSystem } from './system/type-system.ts'

const types = createTypeSystem()
const { int2, int4, int8, numeric, text, varchar, unknown, bool, jsonb, date, timestamptz } = oids

test('an exact match', () => {
  expect(types.resolveOperator('=', int4, int8)).toMatchObject({
    operator: { signature: '=(int4,int8)' },
    leftOid: int4,
    rightOid: int8,
    resultOid: bool,
  })
})

test('an unknown side takes the type of the other', () => {
  expect(types.resolveOperator('=', int4, unknown)).toMatchObject({ rightOid: int4 })
  expect(types.resolveOperator('+', unknown, numeric)).toMatchObject({ leftOid: numeric })
})

test('two unknown sides are text where text is offered', () => {
  expect(types.resolveOperator('=', unknown, unknown)).toMatchObject({ leftOid: text })
  expect(types.resolveOperator('||', unknown, unknown)).toMatchObject({ resultOid: text })
  expect(types.resolveOperator('+', unknown, unknown)).toMatchObject({
    ok: false,
    reason: 'ambiguous',
    message: 'operator is not unique: unknown + unknown',
  })
})

test('mixed numbers meet in the wider type', () => {
  expect(types.resolveOperator('+', int4, numeric)).toMatchObject({
    leftOid: numeric,
    rightOid: numeric,
  })
  expect(types.resolveOperator('/', int2, int8)).toMatchObject({ resultOid: int8 })
})

test('varchar is compared as text', () => {
  expect(types.resolveOperator('=', varchar, unknown)).toMatchObject({
    operator: { signature: '=(text,text)' },
    leftOid: text,
    rightOid: text,
  })
})

test('what does not fit together', () => {
  expect(types.resolveOperator('=', int4, text)).toEqual({
    ok: false,
    reason: 'noMatch',
    sqlState: '42883',
    message: 'operator does not exist: integer = text',
  })
  expect(types.resolveOperator('-', undefined, text)).toMatchObject({
    message: 'operator does not exist: - text',
  })
})

test('operators that nobody may use', () => {
  const { oid } = oids
  const [pgLsn, aclitem] = [3220, 1033]
  expect(types.resolveOperator('-', pgLsn, pgLsn)).toMatchObject({ reason: 'refused' })
  expect(types.resolveOperator('=', aclitem, aclitem)).toMatchObject({ reason: 'refused' })
  expect(types.resolveOperator('=', oids.oidvector, oids.oidvector)).toMatchObject({
    reason: 'refused',
  })
  expect(types.resolveOperator('<', oid, oid)).toMatchObject({ ok: true })
})

test('prefix operators', () => {
  expect(types.resolveOperator('-', undefined, int4)).toMatchObject({
    operator: { signature: '-(int4)' },
    rightOid: int4,
    resultOid: int4,
  })
  expect(types.resolveOperator('-', undefined, int4)).not.toHaveProperty('leftOid')
  expect(types.resolveOperator('-', undefined, unknown)).toMatchObject({ reason: 'ambiguous' })
  expect(types.resolveOperator('|/', undefined, unknown)).toMatchObject({ rightOid: oids.float8 })
})

test('json', () => {
  expect(types.resolveOperator('->>', jsonb, unknown)).toMatchObject({ rightOid: text })
  expect(types.resolveOperator('->>', jsonb, int4)).toMatchObject({ rightOid: int4 })
  expect(types.resolveOperator('@>', jsonb, unknown)).toMatchObject({ rightOid: jsonb })
  expect(types.resolveOperator('=', oids.json, oids.json)).toMatchObject({ ok: false })
})

test('dates', () => {
  expect(types.resolveOperator('-', date, date)).toMatchObject({ resultOid: int4 })
  expect(types.resolveOperator('+', date, unknown)).toMatchObject({ ok: false })
  expect(types.resolveOperator('>', timestamptz, date)).toMatchObject({ rightOid: date })
})

test('arrays', () => {
  expect(types.resolveOperator('@>', oids.textArray, unknown)).toMatchObject({
    rightOid: oids.textArray,
  })
  expect(types.resolveOperator('||', oids.int4Array, int4)).toMatchObject({
    resultOid: oids.int4Array,
  })
  expect(types.resolveOperator('&&', oids.int4Array, oids.textArray)).toMatchObject({ ok: false })
})

test('any() compares with the elements', () => {
  expect(types.resolveArrayOperator('=', int4, unknown)).toMatchObject({
    leftOid: int4,
    rightOid: int4,
    rightArrayOid: oids.int4Array,
  })
  expect(types.resolveArrayOperator('=', int4, oids.int8Array)).toMatchObject({
    operator: { signature: '=(int4,int8)' },
  })
  expect(types.resolveArrayOperator('=', int4, int4)).toMatchObject({
    sqlState: '42809',
    message: 'op ANY/ALL (array) requires array on right side',
  })
  expect(types.resolveArrayOperator('+', int4, oids.int4Array)).toMatchObject({
    message: 'op ANY/ALL (array) requires operator to yield boolean',
  })
})
