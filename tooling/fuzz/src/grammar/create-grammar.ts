/** @module The grammar of one statement: connects its parts. Start at `createGrammar`. */
import type { Random } from '../random.ts'
import { expression } from './expression.ts'
import type { Grammar, VisibleTable } from './grammar.ts'
import { query } from './query.ts'
import { keyTypes } from './types.ts'
import type { Volatility } from './volatility.ts'

export interface GrammarOptions {
  readonly tables: readonly VisibleTable[]
  /** Probability of a template that can fail, in percent. */
  readonly risk: number
  /** Sorts only by types that every database can sort. */
  readonly isPortable: boolean
  readonly volatility?: Volatility | undefined
  readonly taken?: Grammar['taken']
}

export function createGrammar(
  random: Random,
  { tables, risk, isPortable, volatility, taken = () => [] }: GrammarOptions,
): Grammar {
  const counters = new Map<string, number>()
  const grammar: Grammar = {
    random,
    tables,
    risk,
    volatility,
    taken,
    keyTypes: isPortable ? keyTypes.filter((type) => !type.endsWith('[]')) : keyTypes,
    name: (prefix) => {
      const number = (counters.get(prefix) ?? 0) + 1
      counters.set(prefix, number)
      return `${prefix}${number}`
    },
    expression: (scope, type, depth) => expression(grammar, scope, type, depth),
    query: (scope, options) => query(grammar, scope, options),
  }
  return grammar
}
