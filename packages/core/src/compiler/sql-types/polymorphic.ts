/**
 * @module `anyelement`, `anyarray`, `anycompatible` and similar types: do the actual types match, and which types do they give
 * the declared ones?
 * @see PostgreSQL documentation, "Polymorphic Types"
 */
import { canCoerce } from './coercion-path.ts'
import { selectCommonType } from './common-type.ts'
import { formatType } from './format-type.ts'
import { type Oid, oids } from './oids.ts'
import type { ResolutionFailure } from './resolution.ts'
import type { TypeTable } from './type-table.ts'

/** Arguments of these types have exactly the same type (or its array or range). */
const sameFamily: ReadonlySet<Oid> = new Set([
  oids.anyelement,
  oids.anyarray,
  oids.anynonarray,
  oids.anyenum,
  oids.anyrange,
  oids.anymultirange,
])

/** A domain over such a type counts as its base type. */
const madeOfElements: ReadonlySet<Oid> = new Set([oids.anyarray, oids.anyrange, oids.anymultirange])

/** Arguments of these types are coerced to a common type. */
const compatibleFamily: ReadonlySet<Oid> = new Set([
  oids.anycompatible,
  oids.anycompatiblearray,
  oids.anycompatiblenonarray,
  oids.anycompatiblerange,
  oids.anycompatiblemultirange,
])

export function isPolymorphic(oid: Oid): boolean {
  return sameFamily.has(oid) || compatibleFamily.has(oid)
}

/** Do the actual types match? Unknown ones always do. */
export function fitsPolymorphic(
  types: TypeTable,
  declared: readonly Oid[],
  actual: readonly Oid[],
): boolean {
  return deduce(types, declared, actual) !== undefined
}

export interface PolymorphicCall {
  readonly ok: true
  readonly argumentOids: readonly Oid[]
  readonly resultOid: Oid
}

/**
 * Replaces declared types by concrete ones; the arguments must match. Fails when no argument determines the type
 * (`array_length(null, 1)`), or when the result would be an array of arrays.
 */
export function resolvePolymorphic(
  types: TypeTable,
  declared: readonly Oid[],
  actual: readonly Oid[],
  resultOid: Oid,
): PolymorphicCall | ResolutionFailure {
  if (!declared.some(isPolymorphic)) {
    return { ok: true, argumentOids: declared.map((oid, i) => concrete(oid, actual[i])), resultOid }
  }
  const deduced = deduce(types, declared, actual) ?? {}
  const replace = (oid: Oid, actualOid: Oid): Oid | undefined => {
    if (compatibleFamily.has(oid)) return compatibleType(types, oid, deduced)
    if (!sameFamily.has(oid)) return concrete(oid, actualOid)
    if (deduced.element === undefined) return undefined
    if (actualOid === oids.unknown) return sameType(types, oid, deduced)
    return madeOfElements.has(oid) ? types.baseTypeOid(actualOid) : actualOid
  }
  const argumentOids = declared.map((oid, i) => replace(oid, actual[i] ?? oids.unknown))
  const result = replace(resultOid, oids.unknown)
  if (result === undefined || !argumentOids.every((oid) => oid !== undefined)) {
    return deduced.compatible === undefined ? undetermined : noArrayOf(types, deduced.compatible)
  }
  return { ok: true, argumentOids, resultOid: result }
}

const undetermined: ResolutionFailure = {
  ok: false,
  reason: 'undetermined',
  sqlState: '42804',
  message: 'could not determine polymorphic type because input has type unknown',
}

function noArrayOf(types: TypeTable, oid: Oid): ResolutionFailure {
  const message = `could not find array type for data type ${formatType(types, oid)}`
  return { ok: false, reason: 'undetermined', sqlState: '42704', message }
}

/** An `"any"` argument takes any type. */
function concrete(declaredOid: Oid, actualOid: Oid = oids.unknown): Oid {
  return declaredOid === oids.any ? actualOid : declaredOid
}

function sameType(types: TypeTable, oid: Oid, deduced: Deduced): Oid | undefined {
  if (oid === oids.anyrange) return deduced.range
  if (oid === oids.anymultirange) {
    return deduced.range === undefined ? undefined : types.multirangeTypeOid(deduced.range)
  }
  if (oid !== oids.anyarray || deduced.element === undefined) return deduced.element
  return deduced.array ?? types.arrayTypeOid(deduced.element)
}

function compatibleType(types: TypeTable, oid: Oid, deduced: Deduced): Oid | undefined {
  const common = deduced.compatible ?? oids.text
  return oid === oids.anycompatiblearray ? types.arrayTypeOid(common) : common
}

interface Deduced {
  readonly element?: Oid | undefined
  readonly array?: Oid | undefined
  readonly range?: Oid | undefined
  readonly compatible?: Oid | undefined
}

/** One argument with a known actual type. */
interface Known {
  readonly declared: Oid
  readonly actual: Oid
}

/** The types that the known arguments give each family; undefined when they contradict each other. */
function deduce(
  types: TypeTable,
  declared: readonly Oid[],
  actual: readonly Oid[],
): Deduced | undefined {
  const known = declared.flatMap((oid, i): Known[] => {
    const actualOid = actual[i] ?? oids.unknown
    return actualOid === oids.unknown ? [] : [{ declared: oid, actual: actualOid }]
  })
  const same = deduceSame(types, declared, known)
  const compatible = deduceCompatible(types, declared, known)
  return same === undefined || compatible === undefined ? undefined : { ...same, ...compatible }
}

function deduceSame(
  types: TypeTable,
  declared: readonly Oid[],
  known: readonly Known[],
): Deduced | undefined {
  const actualOf = (...wanted: readonly Oid[]) =>
    known.filter((argument) => wanted.includes(argument.declared)).map(({ actual }) => actual)
  const arrays = actualOf(oids.anyarray).map(types.baseTypeOid)
  const multiranges = actualOf(oids.anymultirange).map(types.baseTypeOid)
  const ranges = [
    ...actualOf(oids.anyrange).map(types.baseTypeOid),
    ...multiranges.map(types.rangeTypeOid),
  ]
  const elements = [
    ...actualOf(oids.anyelement, oids.anynonarray, oids.anyenum),
    ...arrays.map(types.elementTypeOid),
    ...ranges.map((oid) => oid && types.subtypeOid(oid)),
  ]
  const [element] = elements
  if (elements.length > 0 && element === undefined) return undefined
  if (![elements, arrays, ranges, multiranges].every(isUniform)) return undefined
  if (declared.includes(oids.anynonarray) && isArray(types, element)) return undefined
  if (declared.includes(oids.anyenum) && !isEnum(types, element)) return undefined
  return { element, array: arrays[0], range: ranges[0] }
}

function deduceCompatible(
  types: TypeTable,
  declared: readonly Oid[],
  known: readonly Known[],
): Deduced | undefined {
  const parts = known
    .filter((argument) => compatibleFamily.has(argument.declared))
    .map((argument) => compatiblePart(types, argument))
  if (parts.length === 0) return {}
  if (!parts.every((oid) => oid !== undefined)) return undefined
  const selected = selectCommonType(types, parts)
  if (!selected.ok) return undefined
  const compatible = selected.oid
  if (!parts.every((oid) => canCoerce(types, oid, compatible, 'implicit'))) return undefined
  if (declared.includes(oids.anycompatiblenonarray) && isArray(types, compatible)) return undefined
  return { compatible }
}

/** The type that an argument contributes to the common one. Ranges are not allowed. */
function compatiblePart(types: TypeTable, argument: Known): Oid | undefined {
  switch (argument.declared) {
    case oids.anycompatible:
    case oids.anycompatiblenonarray:
      return argument.actual
    case oids.anycompatiblearray:
      return types.elementTypeOid(argument.actual)
    default:
      return undefined
  }
}

function isUniform(all: readonly (Oid | undefined)[]): boolean {
  return all.every((oid) => oid === all[0])
}

function isArray(types: TypeTable, oid: Oid | undefined): boolean {
  return oid !== undefined && types.elementTypeOid(oid) !== undefined
}

function isEnum(types: TypeTable, oid: Oid | undefined): boolean {
  return oid !== undefined && types.typeByOid(oid)?.kind === 'enum'
}
