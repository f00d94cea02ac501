/** @module Formulas over named questions, and their truth values by Kleene's tables, written down a second time. */
import fc from 'fast-check'
import { always, type Formula, never, unknown } from '../combination/kleene.ts'

export type Truth = boolean | null

export interface Question {
  readonly kind: 'leaf'
  readonly name: string
}

/** Answers by name; a question without an answer is UNKNOWN. */
export type Answers = Readonly<Record<string, Truth>>

export const names = ['a', 'b', 'c', 'd'] as const

export const ask = (name: string): Question => ({ kind: 'leaf', name })

export const formulas: fc.Arbitrary<Formula<Question>> = fc.letrec<{
  formula: Formula<Question>
}>((tie) => ({
  formula: fc.oneof(
    { maxDepth: 3 },
    { weight: 3, arbitrary: fc.constantFrom(...names).map(ask) },
    { weight: 1, arbitrary: fc.constantFrom<Formula<Question>>(always, never, unknown) },
    fc
      .record({
        kind: fc.constantFrom('and' as const, 'or' as const),
        operands: fc.array(tie('formula'), { maxLength: 3 }),
      })
      .map((formula): Formula<Question> => formula),
    tie('formula').map((operand): Formula<Question> => ({ kind: 'not', operand })),
  ),
})).formula

export const answers: fc.Arbitrary<Answers> = fc.record({
  a: fc.constantFrom<Truth>(true, false, null),
  b: fc.constantFrom<Truth>(true, false, null),
  c: fc.constantFrom<Truth>(true, false, null),
  d: fc.constantFrom<Truth>(true, false, null),
})

export function truthOf(formula: Formula<Question>, given: Answers): Truth {
  switch (formula.kind) {
    case 'true':
      return true
    case 'false':
      return false
    case 'unknown':
      return null
    case 'not': {
      const inner = truthOf(formula.operand, given)
      return inner === null ? null : !inner
    }
    case 'and': {
      const inner = formula.operands.map((operand) => truthOf(operand, given))
      return inner.includes(false) ? false : inner.includes(null) ? null : true
    }
    case 'or': {
      const inner = formula.operands.map((operand) => truthOf(operand, given))
      return inner.includes(true) ? true : inner.includes(null) ? null : false
    }
    case 'leaf':
      return given[formula.name] ?? null
  }
}
