import { expect, test } from 'vitest'
import { oids } from '../oids.ts'
import type { PgFunction, PgType } from '../pg-type.ts'
import { createTypeSystem } from './type-system.ts'

const mood: PgType = {
  oid: 20_001,
  name: 'mood',
  category: 'E',
  isPreferred: false,
  kind: 'enum',
  arrayOid: 20_002,
  isCollatable: false,
  enumLabels: ['sad', 'happy'],
  isNameable: true,
  schema: 'public',
}
const moods: PgType = {
  oid: 20_002,
  name: '_mood',
  category: 'A',
  isPreferred: false,
  kind: 'base',
  elementOid: 20_001,
  isCollatable: false,
  isNameable: true,
  schema: 'public',
}
const positive: PgType = {
  oid: 20_003,
  name: 'positive',
  category: 'N',
  isPreferred: false,
  kind: 'domain',
  baseOid: oids.int4,
  isCollatable: false,
  isNameable: true,
  schema: 'public',
}
const citext: PgType = {
  oid: 20_004,
  name: 'citext',
  category: 'S',
  isPreferred: false,
  kind: 'opaque',
  isCollatable: true,
  isNameable: true,
  schema: 'extensions',
}
const types = createTypeSystem({ types: [mood, moods, positive, citext] })

test('types by name, with and without pg_catalog', () => {
  expect(types.typeByName('int4')?.oid).toBe(oids.int4)
  expect(types.typeByName('pg_catalog.timestamptz')?.oid).toBe(oids.timestamptz)
  expect(types.typeByName('mood')?.oid).toBe(20_001)
  expect(types.typeByName('pg_catalog.mood')).toBeUndefined()
  expect(types.typeByName('integer')).toBeUndefined()
})

test('a type of the same name does not hide a built-in one', () => {
  const impostor: PgType = { ...mood, oid: 20_009, name: 'text' }
  expect(createTypeSystem({ types: [impostor] }).typeByName('text')?.oid).toBe(oids.text)
})

test('of two types of one name the last is meant', () => {
  const other: PgType = { ...mood, oid: 20_009, schema: 'other' }
  expect(createTypeSystem({ types: [other, mood] }).typeByName('mood')?.schema).toBe('public')
})

test('narrowed, it has what is seen and what that is made of, and nothing else', () => {
  const all = createTypeSystem({ types: [mood, moods, { ...positive, baseOid: 20_002 }, citext] })
  const names = (seen: readonly number[]) =>
    ['mood', '_mood', 'positive', 'citext', 'int4'].filter(
      (name) => all.narrowTo(new Set(seen)).typeByName(name) !== undefined,
    )
  expect(names([])).toEqual(['int4'])
  expect(names([20_001])).toEqual(['mood', '_mood', 'int4'])
  expect(names([20_003])).toEqual(['mood', '_mood', 'positive', 'int4'])
  expect(names([20_004, oids.int4])).toEqual(['citext', 'int4'])
  expect(all.narrowTo(new Set([20_001])).typeByOid(20_004)).toBeUndefined()
  expect(all.narrowTo(new Set([20_003, 20_004]))).toBe(all)
})

test('what is declared for a type goes with it', () => {
  const similarity = {
    ...types.functionsNamed('lower')[0],
    name: 'similarity',
    argumentOids: [20_004],
  } as PgFunction
  const all = createTypeSystem({ types: [mood, citext], functions: [similarity] })
  expect(all.functionsNamed('similarity')).toHaveLength(1)
  expect(all.narrowTo(new Set([20_001])).functionsNamed('similarity')).toEqual([])
  expect(all.narrowTo(new Set([20_001])).resolveOperator('=', 20_004, 20_004).ok).toBe(false)
})

test('arrays, elements and bases', () => {
  expect(types.arrayTypeOid(oids.int4)).toBe(oids.int4Array)
  expect(types.arrayTypeOid(20_001)).toBe(20_002)
  expect(types.elementTypeOid(20_002)).toBe(20_001)
  expect(types.elementTypeOid(oids.text)).toBeUndefined()
  expect(types.baseTypeOid(20_003)).toBe(oids.int4)
})

test('an enum is compared with itself and with literals, not with text', () => {
  expect(types.resolveOperator('<', 20_001, oids.unknown)).toMatchObject({
    operator: { signature: '<(anyenum,anyenum)' },
    rightOid: 20_001,
  })
  expect(types.resolveOperator('=', 20_001, oids.text)).toMatchObject({
    message: 'operator does not exist: mood = text',
  })
})

test('a domain behaves as its base', () => {
  expect(types.resolveOperator('+', 20_003, oids.int4)).toMatchObject({ resultOid: oids.int4 })
  expect(types.coercion(20_003, oids.int8, 'implicit')).toMatchObject({ kind: 'cast' })
  expect(types.coercion(oids.int8, 20_003, 'assignment')).toMatchObject({
    kind: 'domain',
    base: { kind: 'cast' },
    canRaise: true,
  })
})

test('an opaque type is compared for equality and grouped, nothing more', () => {
  const equal = types.resolveOperator('=', 20_004, oids.unknown)
  expect(equal).toMatchObject({
    operator: { signature: '=(citext,citext)', isLeakproof: false, schema: 'extensions' },
    rightOid: 20_004,
    resultOid: oids.bool,
  })
  expect(types.resolveOperator('<>', 20_004, 20_004)).toMatchObject({ ok: true })
  expect(types.resolveOperator('<', 20_004, 20_004)).toMatchObject({ ok: false })
  expect(types.resolveOperator('=', 20_004, oids.text)).toMatchObject({ ok: false })
  expect(types.resolveFunction('lower', [20_004])).toMatchObject({ ok: false })
  expect(types.comparison(20_004)).toMatchObject({ equal: { name: '=' } })
  expect(types.comparison(20_004)?.less).toBeUndefined()
  expect(types.wireKind(20_004)).toEqual({ kind: 'text' })
})

test("an opaque type's own operator is preferred to the assumed one", () => {
  const own = types.resolveOperator('=', 20_004, 20_004)
  if (!own.ok) throw new Error(own.message)
  const listed = { ...own.operator, oid: 77, functionName: 'citext_eq' }
  const system = createTypeSystem({ types: [citext], operators: [listed] })
  expect(system.resolveOperator('=', 20_004, 20_004)).toMatchObject({ operator: { oid: 77 } })
})

test('functions and casts that a connection allows', () => {
  const lower = types.functionsNamed('lower')[0]
  if (lower === undefined) throw new Error('no lower')
  const similarity = {
    ...lower,
    oid: 78,
    name: 'similarity',
    argumentOids: [oids.text, oids.text],
    resultOid: oids.float4,
    signature: 'similarity(text,text)',
    schema: 'extensions',
  }
  const cast = {
    sourceOid: citext.oid,
    targetOid: oids.text,
    context: 'implicit',
    method: 'binary',
    volatility: 'immutable',
    isLeakproof: true,
    canRaise: false,
  } as const
  const system = createTypeSystem({ types: [citext], functions: [similarity], casts: [cast] })
  expect(system.resolveFunction('similarity', [oids.unknown, citext.oid])).toMatchObject({
    resultOid: oids.float4,
    argumentOids: [oids.text, oids.text],
  })
  expect(createTypeSystem().resolveFunction('similarity', [oids.text, oids.text])).toMatchObject({
    reason: 'unknown',
  })
})

test('coercions by context', () => {
  const kind = (source: number, target: number, context: 'implicit' | 'assignment' | 'explicit') =>
    types.coercion(source, target, context)?.kind
  expect(kind(oids.int4, oids.int4, 'implicit')).toBe('none')
  expect(kind(oids.varchar, oids.text, 'implicit')).toBe('relabel')
  expect(kind(oids.int4, oids.int8, 'implicit')).toBe('cast')
  expect(kind(oids.int8, oids.int4, 'implicit')).toBeUndefined()
  expect(kind(oids.int8, oids.int4, 'assignment')).toBe('cast')
  expect(kind(oids.int4, oids.text, 'assignment')).toBe('inout')
  expect(kind(oids.text, oids.int4, 'assignment')).toBeUndefined()
  expect(kind(oids.text, oids.int4, 'explicit')).toBe('inout')
  expect(kind(oids.unknown, oids.date, 'implicit')).toBe('unknownLiteral')
  expect(kind(oids.int4Array, oids.textArray, 'explicit')).toBe('arrayCast')
  expect(kind(oids.text, 20_001, 'explicit')).toBe('inout')
})

test('what a coercion may raise', () => {
  expect(types.coercion(oids.int4, oids.int8, 'implicit')).toMatchObject({
    isLeakproof: true,
    canRaise: false,
  })
  expect(types.coercion(oids.int4, oids.text, 'explicit')).toMatchObject({ canRaise: false })
  expect(types.coercion(oids.text, oids.int4, 'explicit')).toMatchObject({ canRaise: true })
  expect(types.coercion(oids.int8Array, oids.int4Array, 'explicit')).toMatchObject({
    canRaise: true,
  })
})

test('common types', () => {
  expect(types.commonType([oids.int4, oids.numeric, oids.unknown], 'CASE')).toEqual({
    ok: true,
    oid: oids.numeric,
  })
  expect(types.commonType([oids.unknown, oids.unknown], 'UNION')).toEqual({
    ok: true,
    oid: oids.text,
  })
  expect(types.commonType([20_003, 20_003], 'COALESCE')).toEqual({ ok: true, oid: 20_003 })
  expect(types.commonType([20_003, oids.unknown], 'COALESCE')).toEqual({ ok: true, oid: oids.int4 })
  expect(types.commonType([oids.int4, oids.text], 'UNION')).toEqual({
    ok: false,
    reason: 'noMatch',
    culprit: 1,
    sqlState: '42804',
    message: 'UNION types integer and text cannot be matched',
  })
  expect(types.commonType([oids.timestamp, oids.time], 'COALESCE')).toMatchObject({
    sqlState: '42846',
    message:
      'COALESCE could not convert type time without time zone to timestamp without time zone',
  })
})

test('which types are sorted by what', () => {
  expect(types.comparison(oids.varchar)?.less?.signature).toBe('<(text,text)')
  expect(types.comparison(oids.textArray)?.equal.signature).toBe('=(anyarray,anyarray)')
  expect(types.comparison(20_001)?.greater?.signature).toBe('>(anyenum,anyenum)')
  expect(types.comparison(20_003)?.equal.signature).toBe('=(int4,int4)')
  expect(types.comparison(oids.json)).toBeUndefined()
  expect(types.comparison(oids.jsonArray)).toBeUndefined()
  expect(types.comparison(oids.point)).toBeUndefined()
})

test('which types have lengths', () => {
  expect(
    [oids.varchar, oids.varcharArray, oids.numeric, oids.interval].map(types.hasLengthCoercion),
  ).toEqual([true, true, true, true])
  expect([oids.text, oids.int4, oids.date, oids.uuid].map(types.hasLengthCoercion)).toEqual([
    false,
    false,
    false,
    false,
  ])
})
