/** @module The types that a connection adds to the built-in catalog, and the part of them that is visible to a caller. */
import type { Oid, PgCast, PgFunction, PgOperator, PgType } from '../pg-type.ts'

/** The additions of a connection to the built-in catalog: its enums, domains and extension types. */
export interface ConnectionTypes {
  /** Arrays of these types are listed, too. */
  readonly types?: readonly PgType[]
  readonly functions?: readonly PgFunction[]
  /** An opaque type gets `=` and `<>` even when they are not listed here. */
  readonly operators?: readonly PgOperator[]
  readonly casts?: readonly PgCast[]
  /** Texts of arrays may have bounds: `[0:1]={1,2}`. */
  readonly arrayBounds?: boolean
  /** See `DatabaseTraits.numericExponents`. */
  readonly numericExponents?: boolean
}

/** The types in `seen` and their parts (elements, arrays, domains' base types, bounds, attributes), in their order. */
export function typesWithParts(
  types: readonly PgType[],
  seen: ReadonlySet<Oid>,
): readonly PgType[] {
  const byOid = new Map(types.map((type) => [type.oid, type]))
  const rangeOf = new Map(types.map(({ oid, multirangeOid }) => [multirangeOid, oid]))
  const found = new Set<PgType>()
  const visit = (oid: Oid | undefined): void => {
    const type = oid === undefined ? undefined : byOid.get(oid)
    if (type === undefined || found.has(type)) return
    found.add(type)
    const { elementOid, arrayOid, baseOid, subtypeOid, multirangeOid } = type
    const range = type.kind === 'multirange' ? rangeOf.get(oid) : undefined
    for (const part of [elementOid, arrayOid, baseOid, subtypeOid, multirangeOid, range])
      visit(part)
    for (const attribute of type.attributes ?? []) visit(attribute.oid)
  }
  for (const oid of seen) visit(oid)
  return types.filter((type) => found.has(type))
}

/** Restricts a connection's types to `kept`, and drops functions, operators and casts that use its other types. */
export function restrictConnectionTypes(
  extra: ConnectionTypes,
  kept: readonly PgType[],
): ConnectionTypes {
  const left = new Set((extra.types ?? []).map(({ oid }) => oid))
  for (const { oid } of kept) left.delete(oid)
  const isKept = (...oids: readonly (Oid | undefined)[]) =>
    oids.every((oid) => oid === undefined || !left.has(oid))
  return {
    arrayBounds: extra.arrayBounds === true,
    numericExponents: extra.numericExponents === true,
    types: kept,
    functions: (extra.functions ?? []).filter(({ argumentOids, variadicOid, resultOid }) =>
      isKept(...argumentOids, variadicOid, resultOid),
    ),
    operators: (extra.operators ?? []).filter(({ leftOid, rightOid, resultOid }) =>
      isKept(leftOid, rightOid, resultOid),
    ),
    casts: (extra.casts ?? []).filter(({ sourceOid, targetOid }) => isKept(sourceOid, targetOid)),
  }
}
