import { expect, test } from 'vitest'
import { oids } from './oids.ts'
import type { PgType } from './pg-type.ts'
import { createTypeSystem } from './system/type-system.ts'

const own = { isPreferred: false, isCollatable: false, isNameable: true, schema: 'stock' } as const
const span: PgType = {
  ...own,
  oid: 30_001,
  name: 'span',
  category: 'R',
  kind: 'range',
  arrayOid: 30_002,
  subtypeOid: oids.text,
  multirangeOid: 30_003,
}
const spans: PgType = {
  ...own,
  oid: 30_002,
  name: '_span',
  category: 'A',
  kind: 'base',
  elementOid: 30_001,
}
const areas: PgType = {
  ...own,
  oid: 30_003,
  name: 'areas',
  category: 'R',
  kind: 'multirange',
}
const narrow: PgType = {
  ...own,
  oid: 30_004,
  name: 'narrow',
  category: 'R',
  kind: 'domain',
  baseOid: 30_001,
}
const types = createTypeSystem({ types: [span, spans, areas, narrow] })

test('a range that a user made has its constructors, and its multirange has those of a multirange', () => {
  const resolve = (name: string, ...given: readonly number[]) => types.resolveFunction(name, given)
  expect(resolve('span', oids.unknown, oids.text)).toMatchObject({
    function: { schema: 'stock', signature: 'span(text,text)', isStrict: false },
    resultOid: span.oid,
  })
  expect(resolve('span', oids.text, oids.text, oids.unknown)).toMatchObject({ resultOid: span.oid })
  expect(resolve('areas')).toMatchObject({ resultOid: areas.oid })
  expect(resolve('areas', span.oid)).toMatchObject({
    function: { signature: 'areas(span)', schema: 'stock' },
  })
  expect(resolve('areas', span.oid, oids.unknown)).toMatchObject({
    argumentOids: [span.oid, span.oid],
    variadicFrom: 0,
  })
  expect(resolve('span', oids.int4, oids.int4)).toMatchObject({ sqlState: '42883' })
})

test('the polymorphic functions and operators take it, and a domain over it', () => {
  const resultOf = (name: string, ...given: readonly number[]) => {
    const found = types.resolveFunction(name, given)
    return found.ok && found.kind === 'function' ? found.resultOid : undefined
  }
  expect(resultOf('lower', span.oid)).toBe(oids.text)
  expect(resultOf('lower', narrow.oid)).toBe(oids.text)
  expect(resultOf('lower', areas.oid)).toBe(oids.text)
  expect(resultOf('range_merge', areas.oid)).toBe(span.oid)
  expect(resultOf('range_agg', span.oid)).toBe(areas.oid)
  expect(resultOf('multirange', narrow.oid)).toBe(areas.oid)
  expect(resultOf('unnest', areas.oid)).toBe(span.oid)
  expect(types.resolveOperator('&&', narrow.oid, areas.oid)).toMatchObject({
    leftOid: span.oid,
    rightOid: areas.oid,
    operator: { signature: '&&(anyrange,anymultirange)' },
  })
  expect(types.resolveOperator('@>', span.oid, oids.text)).toMatchObject({
    operator: { signature: '@>(anyrange,anyelement)' },
  })
  expect(types.resolveOperator('@>', span.oid, oids.int4)).toMatchObject({ sqlState: '42883' })
  expect(types.resolveOperator('*', span.oid, span.oid)).toMatchObject({ resultOid: span.oid })
})

test('it is sorted, grouped and compared like any range', () => {
  expect(types.comparison(span.oid)?.less?.signature).toBe('<(anyrange,anyrange)')
  expect(types.comparison(areas.oid)?.equal.signature).toBe('=(anymultirange,anymultirange)')
  expect(types.resolveOperator('=', span.oid, span.oid)).toMatchObject({
    operator: { signature: '=(anyrange,anyrange)' },
  })
})

test('it is cast to its multirange where a cast is written, and only there', () => {
  expect(types.coercion(span.oid, areas.oid, 'explicit')).toMatchObject({ kind: 'cast' })
  expect(types.coercion(span.oid, areas.oid, 'assignment')).toBeUndefined()
})

test('writing it as text can fail only if writing its bounds can', () => {
  const opaque: PgType = { ...own, oid: 30_010, name: 'odd', category: 'U', kind: 'opaque' }
  const odd: PgType = {
    ...span,
    oid: 30_011,
    name: 'odd_range',
    subtypeOid: 30_010,
    arrayOid: 30_012,
    multirangeOid: 30_013,
  }
  const system = createTypeSystem({ types: [opaque, odd, span, areas] })
  const canRaise = (oid: number) => system.coercion(oid, oids.text, 'explicit')?.canRaise
  expect([span.oid, areas.oid, odd.oid].map(canRaise)).toEqual([false, false, true])
})

test('a caller who may see one of its types may use all of them, one who sees none has none', () => {
  for (const seen of [span, areas, narrow]) {
    const system = types.narrowTo(new Set([seen.oid]))
    expect(system.typeByName('areas')).toEqual(areas)
    expect(system.resolveFunction('span', [oids.text, oids.text]).ok).toBe(true)
  }
  const nothing = types.narrowTo(new Set())
  expect(nothing.typeByName('span')).toBeUndefined()
  expect(nothing.resolveFunction('span', [oids.text, oids.text])).toMatchObject({
    sqlState: '42883',
  })
  expect(nothing.ownTypes).toEqual([])
})

test('of two schemas with a range of one name the constructor is that of the type that the name means', () => {
  const other: PgType = {
    ...span,
    oid: 30_021,
    schema: 'later',
    arrayOid: 30_022,
    multirangeOid: 30_023,
  }
  const system = createTypeSystem({ types: [other, span, areas] })
  expect(system.typeByName('span')).toEqual(span)
  expect(system.resolveFunction('span', [oids.text, oids.text])).toMatchObject({
    function: { schema: 'stock' },
  })
})
