/** One change to one place of a source file. */
export interface Mutant {
  readonly id: number
  /** Relative to the repository. */
  readonly file: string
  /** From 1. */
  readonly line: number
  readonly operator: string
  readonly original: string
  readonly replacement: string
  /** Its number among those with the same file, text and replacement; from 1. */
  readonly nth: number
}
