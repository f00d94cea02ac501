/**
 * @module The one type of UNION columns, CASE branches, ARRAY elements and similar constructs.
 * @see PostgreSQL documentation, "UNION, CASE, and Related Constructs"
 */
import { canCoerce } from './coercion-path.ts'
import { formatType } from './format-type.ts'
import { type Oid, oids } from './oids.ts'
import type { CommonTypeContext, CommonTypeResolution } from './resolution.ts'
import type { TypeTable } from './type-table.ts'

/** At least one type; if all are unknown, the result is text. Every given type can be coerced to the result. */
export function commonType(
  types: TypeTable,
  candidates: readonly Oid[],
  context: CommonTypeContext,
): CommonTypeResolution {
  const selected = selectCommonType(types, candidates)
  if (!selected.ok) {
    const [left, right] = selected.mismatch.map((oid) => formatType(types, oid))
    return failure(
      '42804',
      selected.culprit,
      `${context} types ${left} and ${right} cannot be matched`,
    )
  }
  const culprit = candidates.findIndex((oid) => !canCoerce(types, oid, selected.oid, 'implicit'))
  const misfit = candidates[culprit]
  if (misfit === undefined) return { ok: true, oid: selected.oid }
  return failure(
    '42846',
    culprit,
    `${context} could not convert type ${formatType(types, misfit)} to ${formatType(types, selected.oid)}`,
  )
}

function failure(
  sqlState: '42804' | '42846',
  culprit: number,
  message: string,
): CommonTypeResolution {
  return { ok: false, reason: 'noMatch', sqlState, culprit, message }
}

type Selection =
  | { readonly ok: true; readonly oid: Oid }
  | { readonly ok: false; readonly mismatch: readonly [Oid, Oid]; readonly culprit: number }

/** PostgreSQL's choice, which is not yet proof that every candidate can be converted to it. */
export function selectCommonType(types: TypeTable, candidates: readonly Oid[]): Selection {
  const [first = oids.unknown, ...rest] = candidates
  if (first !== oids.unknown && rest.every((oid) => oid === first)) return { ok: true, oid: first }
  let chosen = types.baseTypeOid(first)
  for (const [i, candidate] of rest.entries()) {
    const next = types.baseTypeOid(candidate)
    if (next === oids.unknown || next === chosen) continue
    if (chosen === oids.unknown) {
      chosen = next
      continue
    }
    const chosenType = types.typeByOid(chosen)
    if (types.typeByOid(next)?.category !== chosenType?.category) {
      return { ok: false, mismatch: [chosen, next], culprit: i + 1 }
    }
    const isWider =
      canCoerce(types, chosen, next, 'implicit') && !canCoerce(types, next, chosen, 'implicit')
    if (chosenType?.isPreferred !== true && isWider) chosen = next
  }
  return { ok: true, oid: chosen === oids.unknown ? oids.text : chosen }
}
