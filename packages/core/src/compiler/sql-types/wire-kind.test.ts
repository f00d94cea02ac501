import { type ScalarWireKind, wireKinds } from '@engine/contract'
import { expect, test } from 'vitest'
import { oids } from './oids.ts'
import { builtinTypes } from './system/builtin-catalog.ts'
import { createTypeSystem } from './system/type-system.ts'
import { typeScriptOf, wireForms } from './wire-kind.ts'

const types = createTypeSystem()

test('the JSON form of each type', () => {
  const kinds: readonly (readonly [number, ScalarWireKind])[] = [
    [oids.bool, 'boolean'],
    [oids.int2, 'integer'],
    [oids.int4, 'integer'],
    [oids.int8, 'bigint'],
    [oids.numeric, 'decimal'],
    [oids.float4, 'float'],
    [oids.bytea, 'bytes'],
    [oids.jsonb, 'json'],
    [oids.text, 'text'],
    [oids.timestamptz, 'text'],
    [oids.interval, 'text'],
    [oids.uuid, 'text'],
    [oids.money, 'text'],
    [999_999, 'text'],
  ]
  for (const [oid, kind] of kinds) expect(types.wireKind(oid)).toEqual({ kind })
})

test('each type has the form that the contract has for its name', () => {
  const scalars = builtinTypes.filter(({ oid }) => types.wireKind(oid).kind !== 'array')
  const forms = scalars.map(({ oid }) => {
    const name = types.formatType(oid)
    return [name, types.wireKind(oid).kind, wireKinds[name] ?? 'text']
  })
  expect(forms.filter(([, form, named]) => form !== named)).toEqual([])
  expect(Object.keys(wireKinds).filter((name) => !forms.some(([known]) => known === name))).toEqual(
    [],
  )
})

test('arrays', () => {
  expect(types.wireKind(oids.int4Array)).toEqual({
    kind: 'array',
    element: 'integer',
    delimiter: ',',
  })
  const boxArray = 1020
  expect(types.wireKind(boxArray)).toMatchObject({ element: 'text', delimiter: ';' })
})

test('int2vector and oidvector are arrays by catalog, text by output', () => {
  expect(types.wireKind(oids.int2vector)).toEqual({ kind: 'text' })
})

test('TypeScript types', () => {
  expect(typeScriptOf(types.wireKind(oids.int8))).toBe('string')
  expect(typeScriptOf(types.wireKind(oids.boolArray))).toBe('(boolean | null)[]')
  expect(wireForms.json.typeScript).toBe('unknown')
})
