/** @module Functions and casts that come with a range type that a user made: its constructors, and those of its multirange type. */
import { signatureText } from './catalog-rows.ts'
import { oids } from './oids.ts'
import type { PgCast, PgFunction, PgType } from './pg-type.ts'

export interface RangeAdditions {
  readonly functions: readonly PgFunction[]
  readonly casts: readonly PgCast[]
}

/**
 * For `create type span as range (subtype = text, multirange_type_name = spans)`: `span(text, text)`, `span(text, text, text)`,
 * `spans()`, `spans(span)`, `spans(variadic span[])`, and the cast of `span` to `spans`.
 *
 * @param types a connection's own types; of two with the same name the last one has priority
 * @param nameOf a type's name, also of a built-in one
 */
export function rangeAdditions(
  types: readonly PgType[],
  nameOf: (oid: number) => string,
): RangeAdditions {
  const byOid = new Map(types.map((type) => [type.oid, type]))
  const made = types.toReversed().flatMap((range) => {
    if (range.kind !== 'range') return []
    const multirange = byOid.get(range.multirangeOid ?? 0)
    return [{ range, multirange }]
  })
  return {
    functions: made.flatMap(({ range, multirange }) => [
      ...rangeConstructors(range, nameOf),
      ...(multirange === undefined ? [] : multirangeConstructors(range, multirange, nameOf)),
    ]),
    casts: made.flatMap(({ range, multirange }) =>
      multirange === undefined ? [] : [toMultirange(range, multirange)],
    ),
  }
}

function rangeConstructors(range: PgType, nameOf: NameOf): readonly PgFunction[] {
  const bound = range.subtypeOid ?? oids.text
  // A bound may be NULL: it is infinite.
  return [
    [bound, bound],
    [bound, bound, oids.text],
  ].map((argumentOids) => constructorOf(range, argumentOids, nameOf, { isStrict: false }))
}

function multirangeConstructors(
  range: PgType,
  multirange: PgType,
  nameOf: NameOf,
): readonly PgFunction[] {
  const plain = [[], [range.oid]].map((argumentOids) =>
    constructorOf(multirange, argumentOids, nameOf, { isStrict: true }),
  )
  if (range.arrayOid === undefined) return plain
  const variadic = { isStrict: true, variadicOid: range.oid }
  return [...plain, constructorOf(multirange, [range.arrayOid], nameOf, variadic)]
}

type NameOf = (oid: number) => string

function constructorOf(
  { oid, name, schema }: PgType,
  argumentOids: readonly number[],
  nameOf: NameOf,
  properties: Pick<PgFunction, 'isStrict' | 'variadicOid'>,
): PgFunction {
  return {
    // Not known, and not needed: a call is resolved and printed by name.
    oid: 0,
    name,
    kind: 'function',
    argumentOids,
    defaultCount: 0,
    resultOid: oid,
    returnsSet: false,
    volatility: 'immutable',
    isLeakproof: false,
    canRaise: true,
    isAllowed: true,
    signature: signatureText(name, argumentOids.map(nameOf)),
    ...properties,
    ...(schema === undefined ? {} : { schema }),
  }
}

function toMultirange(range: PgType, multirange: PgType): PgCast {
  return {
    sourceOid: range.oid,
    targetOid: multirange.oid,
    context: 'explicit',
    method: 'function',
    volatility: 'immutable',
    isLeakproof: false,
    canRaise: true,
  }
}
