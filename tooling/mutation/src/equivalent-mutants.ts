/** @module Mutants that change nothing anyone could notice, each with the reason. */
import type { Mutant } from './mutant.ts'

interface Equivalent extends Pick<Mutant, 'file' | 'original' | 'replacement'> {
  readonly reason: string
}

const equivalent: readonly Equivalent[] = []

export function isEquivalent(mutant: Mutant): boolean {
  return equivalent.some(
    ({ file, original, replacement }) =>
      mutant.file.endsWith(file) &&
      mutant.original === original &&
      mutant.replacement === replacement,
  )
}
