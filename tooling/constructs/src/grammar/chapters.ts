/** @module The chapters of the grammar. */
import type { Attempt, Construct } from '../construct.ts'
import type { Clause } from './clause.ts'
import { calls, expressions } from './expressions.ts'
import { fromItems } from './from.ts'
import { selectClauses } from './select.ts'
import { statements } from './statements.ts'
import { deletes, inserts, merges, updates, writesInWith } from './writes.ts'

type Kind = 'read' | 'write' | 'other'

/** In the order of the page. */
export const grammarChapters: readonly (readonly [
  name: string,
  kind: Kind,
  clauses: readonly Clause[],
])[] = [
  ['SELECT', 'read', selectClauses],
  ['FROM', 'read', fromItems],
  ['Expressions', 'read', expressions],
  ['Calls of aggregates and window functions', 'read', calls],
  ['INSERT', 'write', inserts],
  ['UPDATE', 'write', updates],
  ['DELETE', 'write', deletes],
  ['MERGE', 'write', merges],
  ['Writes in WITH', 'write', writesInWith],
  ['Other statements', 'other', statements],
]

/** Every clause of every chapter. */
export const grammarClauses: readonly Clause[] = grammarChapters.flatMap(([, , clauses]) => clauses)

export function grammarConstructs(): readonly Construct[] {
  return grammarChapters.flatMap(([chapter, kind, clauses]) =>
    clauses.map((each) => ({
      id: `${chapter}: ${each.name}`,
      chapter,
      row: each.name,
      variant: '',
      attempts: () => [attemptOf(kind, each)],
    })),
  )
}

function attemptOf(kind: Kind, { sql, isOrdered }: Clause): Attempt {
  switch (kind) {
    case 'read':
      return { kind: 'statement', sql, isOrdered }
    case 'write':
      return { kind: 'write', sql }
    case 'other':
      return { kind: 'question', sql }
  }
}
