/**
 * @module Chooses one of several overloads of a function or an operator.
 * @see PostgreSQL documentation, "Operator Type Resolution" and "Function Type Resolution"
 */
import { canCoerce } from './coercion-path.ts'
import { type Oid, oids } from './oids.ts'
import { fitsPolymorphic, isPolymorphic } from './polymorphic.ts'
import { stringCategory, type TypeTable } from './type-table.ts'

/** An overload with the same number of parameters as the call has arguments. */
export interface Candidate {
  readonly parameterOids: readonly Oid[]
}

export type Choice<C extends Candidate> =
  | { readonly ok: true; readonly candidate: C }
  | { readonly ok: false; readonly reason: 'noMatch' | 'ambiguous' }

/** The best candidate that the arguments can be coerced to without a cast. */
export function chooseOverload<C extends Candidate>(
  types: TypeTable,
  candidates: readonly C[],
  argumentOids: readonly Oid[],
): Choice<C> {
  const fitting = candidates.filter(({ parameterOids }) => fits(types, parameterOids, argumentOids))
  if (fitting.length === 0) return { ok: false, reason: 'noMatch' }
  const candidate = fitting.length === 1 ? fitting[0] : narrow(types, fitting, argumentOids)
  return candidate === undefined ? { ok: false, reason: 'ambiguous' } : { ok: true, candidate }
}

/** Can all arguments be coerced implicitly, and do the polymorphic ones agree? */
export function fits(
  types: TypeTable,
  parameterOids: readonly Oid[],
  argumentOids: readonly Oid[],
): boolean {
  const isEachFine = argumentOids.every((argument, i) => {
    const parameter = parameterOids[i] ?? oids.any
    return isPolymorphic(parameter) || canCoerce(types, argument, parameter, 'implicit')
  })
  if (!isEachFine || !parameterOids.some(isPolymorphic)) return isEachFine
  return fitsPolymorphic(types, parameterOids, argumentOids)
}

/** PostgreSQL's tie breakers, in their order; undefined when several candidates remain. */
function narrow<C extends Candidate>(
  types: TypeTable,
  fitting: readonly C[],
  argumentOids: readonly Oid[],
): C | undefined {
  const inputs = argumentOids.map((oid) => types.baseTypeOid(oid))
  const isExact = (parameter: Oid, input: Oid) => parameter === input
  const isExactOrPreferred = (parameter: Oid, input: Oid) =>
    parameter === input || isPreferredOver(types, parameter, input)

  const exact = mostMatches(fitting, inputs, isExact)
  if (exact.length === 1) return exact[0]
  const preferred = mostMatches(exact, inputs, isExactOrPreferred)
  if (preferred.length === 1) return preferred[0]
  if (!inputs.includes(oids.unknown)) return undefined
  const ofCategory = byUnknownCategories(types, preferred, inputs)
  if (ofCategory.length === 1) return ofCategory[0]
  const [known, ...others] = new Set(inputs.filter((oid) => oid !== oids.unknown))
  if (known === undefined || others.length > 0) return undefined
  const asKnown = ofCategory.filter(({ parameterOids }) =>
    fits(
      types,
      parameterOids,
      inputs.map(() => known),
    ),
  )
  return asKnown.length === 1 ? asKnown[0] : undefined
}

function isPreferredOver(types: TypeTable, parameter: Oid, input: Oid): boolean {
  const type = types.typeByOid(parameter)
  return type?.isPreferred === true && type.category === types.typeByOid(input)?.category
}

/** The candidates with the most matching known arguments, or all when none matches. */
function mostMatches<C extends Candidate>(
  candidates: readonly C[],
  inputs: readonly Oid[],
  isMatch: (parameter: Oid, input: Oid) => boolean,
): readonly C[] {
  const scores = candidates.map(
    ({ parameterOids }) =>
      inputs.filter(
        (input, i) => input !== oids.unknown && isMatch(parameterOids[i] ?? oids.any, input),
      ).length,
  )
  const best = Math.max(...scores)
  return candidates.filter((_, i) => scores[i] === best)
}

/** At each unknown argument the candidates decide on a category; strings have priority, then preferred types. */
function byUnknownCategories<C extends Candidate>(
  types: TypeTable,
  candidates: readonly C[],
  inputs: readonly Oid[],
): readonly C[] {
  const wanted = inputs.map((input, i) =>
    input === oids.unknown ? voteCategory(types, candidates, i) : undefined,
  )
  if (wanted.includes('conflict')) return candidates
  const kept = candidates.filter(({ parameterOids }) =>
    parameterOids.every((oid, i) => {
      const vote = wanted[i]
      if (vote === undefined || vote === 'conflict') return true
      const type = types.typeByOid(oid)
      return type?.category === vote.category && (type.isPreferred || !vote.hasPreferred)
    }),
  )
  return kept.length === 0 ? candidates : kept
}

type Vote = { readonly category: string; readonly hasPreferred: boolean } | 'conflict'

function voteCategory(types: TypeTable, candidates: readonly Candidate[], position: number): Vote {
  const offered = candidates.map((candidate) => {
    const type = types.typeByOid(candidate.parameterOids[position] ?? oids.any)
    return { category: type?.category ?? '', isPreferred: type?.isPreferred === true }
  })
  const first = offered[0]?.category ?? ''
  const hasString = offered.some(({ category }) => category === stringCategory)
  const category = hasString ? stringCategory : first
  if (!hasString && offered.some((offer) => offer.category !== first)) return 'conflict'
  const hasPreferred = offered.some((offer) => offer.category === category && offer.isPreferred)
  return { category, hasPreferred }
}
