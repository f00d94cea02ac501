/** @module Mutants that change nothing anyone could notice, each with the reason. */
import type { Mutant } from './mutant.ts'

/** Places by file; `nth` where the same text stands there more than once. */
type Place = readonly [original: string, replacement: string, nth?: number]
interface Reason {
  readonly reason: string
  readonly places: Readonly<Record<string, readonly Place[]>>
}

const reasons: readonly Reason[] = []

const plain = (text: string) => text.replaceAll(/\s+/g, ' ')

/** Why a mutant cannot be noticed; undefined: it should be. */
export function equivalence(mutant: Mutant): string | undefined {
  const isIt = ([original, replacement, nth = 1]: Place) =>
    plain(mutant.original) === original &&
    plain(mutant.replacement) === replacement &&
    mutant.nth === nth
  return reasons.find(({ places }) =>
    Object.entries(places).some(([file, list]) => mutant.file.endsWith(file) && list.some(isIt)),
  )?.reason
}
