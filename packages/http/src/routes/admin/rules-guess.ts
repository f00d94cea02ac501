/** @module The first rules of a role, as the program that serves guesses them. A person reads them before they are saved. */
import type { RulesGuess } from '@engine/contract/admin-api'
import type { Connection } from '@engine/core/catalog'

/** Guesses rules for one connection. */
export type GuessRules = (connection: Connection, asked: AskedScope) => Promise<RulesGuess>

/** By what rows belong to a caller; undefined: the first guess. */
export interface AskedScope {
  /** An empty text: by nothing, all rows are alike. */
  readonly column: string | undefined
  /** Its value is `$user.<field>`. */
  readonly field: string | undefined
}
