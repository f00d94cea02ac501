/** @module Expressions to call a function with, over the sample tables. */
import { builtinTypes, type PgFunction } from '@engine/core/catalog'
import { concrete, sampleOf } from '@engine/fuzz/nesting'

const names = new Map(builtinTypes.map(({ oid, name }) => [oid, name]))

const range = 'int4range(t.c_int4, t.c_int4)'
const multirange = 'cast(t.c_text as int4multirange)'

/** For types that no column has. */
const expressions: Readonly<Record<string, string>> = {
  anycompatiblemultirange: multirange,
  anycompatiblerange: range,
  anymultirange: multirange,
  anyrange: range,
  record: 't',
  regconfig: "'english'",
}

/** Direct arguments of ordered-set aggregates, which must not be columns. */
const directArguments: Readonly<Record<string, string>> = {
  _float8: 'array[0.5]',
  any: '1',
  float8: '0.5',
}

/** A value of a type; undefined for types of which there is none: enums, and those that are internal to PostgreSQL. */
export function sampleValue(oid: number): string | undefined {
  const known = expressions[names.get(oid) ?? '']
  if (known !== undefined) return known
  const type = concrete(oid)
  return type === undefined ? undefined : sampleOf(type)
}

/** An argument for each parameter of a function; undefined where one has none. */
export function sampleArguments(called: PgFunction): readonly string[] | undefined {
  if (called.name === 'count' && called.argumentOids.length === 0) return ['*']
  // Its one parameter stands for the direct argument and for what is sorted.
  if (called.aggregateKind === 'hypotheticalSet') return ['1', 't.c_int4']
  const direct = called.directArgumentCount ?? 0
  const samples = called.argumentOids.map((oid, index) => {
    if (index < direct) return directArguments[names.get(oid) ?? ''] ?? sampleValue(oid)
    const isLast = index === called.argumentOids.length - 1
    return sampleValue(isLast ? (called.variadicOid ?? oid) : oid)
  })
  const known = samples.filter((each) => each !== undefined)
  return known.length === samples.length ? known : undefined
}
