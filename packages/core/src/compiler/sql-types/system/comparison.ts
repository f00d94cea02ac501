/** @module The operators that ORDER BY, GROUP BY, DISTINCT, UNION and MIN/MAX-like constructs use. */

import { type Oid, oids } from '../oids.ts'
import type { PgAttribute } from '../pg-type.ts'
import type { Comparison } from '../resolution.ts'
import type { TypeTable } from '../type-table.ts'
import { builtinComparisons } from './builtin-catalog.ts'

/** `equalities`: `=` of opaque types, by type. */
export function comparisonOf(
  types: TypeTable,
  equalities: ReadonlyMap<Oid, Comparison>,
  oid: Oid,
): Comparison | undefined {
  const baseOid = types.baseTypeOid(oid)
  const type = types.typeByOid(baseOid)
  const own = builtinComparisons.get(baseOid) ?? equalities.get(baseOid)
  if (type?.attributes !== undefined) return comparisonOfRow(types, equalities, type.attributes)
  if (own !== undefined || type === undefined) return own
  if (type.kind === 'enum') return builtinComparisons.get(oids.anyenum)
  if (type.kind === 'range') return builtinComparisons.get(oids.anyrange)
  if (type.kind === 'multirange') return builtinComparisons.get(oids.anymultirange)
  if (type.elementOid !== undefined) {
    const element = comparisonOf(types, equalities, type.elementOid)
    return element?.less === undefined ? undefined : builtinComparisons.get(oids.anyarray)
  }
  const relabelled = relabelledAs.get(baseOid)
  return relabelled === undefined ? undefined : builtinComparisons.get(relabelled)
}

/** A composite type is sorted as a record is, if all its attributes can be. */
function comparisonOfRow(
  types: TypeTable,
  equalities: ReadonlyMap<Oid, Comparison>,
  attributes: readonly PgAttribute[],
): Comparison | undefined {
  const isSorted = attributes.every(
    ({ oid }) => comparisonOf(types, equalities, oid)?.less !== undefined,
  )
  return isSorted ? builtinComparisons.get(oids.record) : undefined
}

/** Types that are compared as another type with the same bytes. */
const relabelledAs: ReadonlyMap<Oid, Oid> = new Map<Oid, Oid>([
  [oids.varchar, oids.text],
  [oids.cidr, oids.inet],
])
