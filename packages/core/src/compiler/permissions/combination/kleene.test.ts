import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Answers,
  answers,
  ask,
  formulas,
  type Question,
  type Truth,
  truthOf,
} from '../test-support/random-formula.ts'
import {
  allOf,
  always,
  anyOf,
  atomsOf,
  canBe,
  type Formula,
  negationOf,
  never,
  substitute,
  unknown,
  whenTrue,
  withoutRows,
} from './kleene.ts'

const [a, b, c] = [ask('a'), ask('b'), ask('c')]
const none: readonly Formula<Question>[] = []

describe('AND and OR', () => {
  test('follow Kleene', () => {
    fc.assert(
      fc.property(fc.array(formulas, { maxLength: 3 }), answers, (operands, given) => {
        expect(truthOf(allOf(operands), given)).toBe(truthOf({ kind: 'and', operands }, given))
        expect(truthOf(anyOf(operands), given)).toBe(truthOf({ kind: 'or', operands }, given))
      }),
    )
  })
  test('of nothing are TRUE and FALSE', () => {
    expect(allOf(none)).toBe(always)
    expect(anyOf(none)).toBe(never)
  })
  test('of one formula are that formula', () => {
    expect(allOf([a])).toBe(a)
    expect(anyOf([always, a].slice(1))).toBe(a)
    expect(allOf([unknown])).toBe(unknown)
  })
  test('drop what makes no difference and end where all is said', () => {
    expect(allOf([always, a, always, b])).toEqual({ kind: 'and', operands: [a, b] })
    expect(anyOf([never, a, never, b])).toEqual({ kind: 'or', operands: [a, b] })
    expect(allOf([a, never, unknown])).toBe(never)
    expect(anyOf([a, always, unknown])).toBe(always)
  })
  test('keep one UNKNOWN, the last', () => {
    expect(allOf([unknown, a, unknown])).toEqual({ kind: 'and', operands: [a, unknown] })
    expect(anyOf([unknown, a, unknown])).toEqual({ kind: 'or', operands: [a, unknown] })
    expect(allOf([unknown, always])).toBe(unknown)
    expect(anyOf([never, unknown])).toBe(unknown)
  })
  test('take in those of their own kind only', () => {
    const both: Formula<Question> = { kind: 'and', operands: [a, b] }
    const either: Formula<Question> = { kind: 'or', operands: [a, b] }
    expect(allOf([both, c])).toEqual({ kind: 'and', operands: [a, b, c] })
    expect(anyOf([either, c])).toEqual({ kind: 'or', operands: [a, b, c] })
    expect(allOf([either, c])).toEqual({ kind: 'and', operands: [either, c] })
    expect(anyOf([both, c])).toEqual({ kind: 'or', operands: [both, c] })
  })
})

test('NOT turns TRUE and FALSE around, leaves UNKNOWN, and undoes itself', () => {
  expect(negationOf(always)).toBe(never)
  expect(negationOf(never)).toBe(always)
  expect(negationOf(unknown)).toBe(unknown)
  expect(negationOf(a)).toEqual({ kind: 'not', operand: a })
  expect(negationOf({ kind: 'not', operand: a })).toBe(a)
})

describe('what is known of atoms', () => {
  test('takes their place wherever they stand', () => {
    const known: Readonly<Record<string, Formula<Question>>> = { a: always, b: never, c: unknown }
    fc.assert(
      fc.property(formulas, answers, (formula, given) => {
        const replaced = substitute(formula, (atom) => known[atom.name] ?? atom)
        const expected: Answers = { a: true, b: false, c: null, d: given['d'] ?? null }
        expect(truthOf(replaced, given)).toBe(truthOf(formula, expected))
        expect(atomsOf(replaced).every(({ name }) => name === 'd')).toBe(true)
      }),
    )
  })
  test('leaves nothing of a formula that it decides', () => {
    const formula: Formula<Question> = {
      kind: 'and',
      operands: [{ kind: 'not', operand: { kind: 'or', operands: [a, b] } }, c],
    }
    expect(substitute(formula, () => never)).toBe(never)
    expect(substitute(formula, (atom) => (atom === c ? always : never))).toBe(always)
  })
  test('atoms are found in every part', () => {
    expect(atomsOf({ kind: 'or', operands: [a, { kind: 'not', operand: b }, always] })).toEqual([
      a,
      b,
    ])
    expect([always, never, unknown].flatMap((constant) => atomsOf(constant))).toEqual([])
  })
})

/** The same formula in which every question occurs once. */
function readOnce(formula: Formula<Question>): Formula<Question> {
  let count = 0
  const renamed = (part: Formula<Question>): Formula<Question> => {
    switch (part.kind) {
      case 'and':
      case 'or':
        return { kind: part.kind, operands: part.operands.map(renamed) }
      case 'not':
        return { kind: 'not', operand: renamed(part.operand) }
      case 'leaf':
        count += 1
        return ask(`q${count}`)
      default:
        return part
    }
  }
  return renamed(formula)
}

/** Every truth value that a formula can have if each answer is TRUE or FALSE. */
function outcomes(formula: Formula<Question>): ReadonlySet<Truth> {
  const asked = atomsOf(formula).map(({ name }) => name)
  const found = new Set<Truth>()
  for (let bits = 0; bits < 2 ** asked.length; bits += 1) {
    const given = asked.map((name, i) => [name, Math.floor(bits / 2 ** i) % 2 === 1])
    found.add(truthOf(formula, Object.fromEntries(given)))
  }
  return found
}

describe('what a formula can be', () => {
  test('is what it is for some answers', () => {
    const small = formulas.map(readOnce).filter((formula) => atomsOf(formula).length <= 8)
    fc.assert(
      fc.property(small, (formula) => {
        const found = outcomes(formula)
        expect(canBe(formula, true)).toBe(found.has(true))
        expect(canBe(formula, false)).toBe(found.has(false))
      }),
      { numRuns: 300 },
    )
  })
  test.each<[Formula<Question>, boolean, boolean]>([
    [always, true, false],
    [never, false, true],
    [unknown, false, false],
    [a, true, true],
    [{ kind: 'and', operands: [a, unknown] }, false, true],
    [{ kind: 'or', operands: [a, unknown] }, true, false],
    [{ kind: 'not', operand: { kind: 'and', operands: [a, unknown] } }, true, false],
    [{ kind: 'not', operand: { kind: 'or', operands: [a, unknown] } }, false, true],
  ])('%j', (formula, mayBeTrue, mayBeFalse) => {
    expect(canBe(formula, true)).toBe(mayBeTrue)
    expect(canBe(formula, false)).toBe(mayBeFalse)
  })
})

describe('where only TRUE counts', () => {
  test('the same rows are left, and nothing that can never be TRUE', () => {
    const isClean = (formula: Formula<Question>): boolean =>
      formula.kind === 'and' || formula.kind === 'or'
        ? formula.operands.every((part) => canBe(part, true) && isClean(part))
        : formula.kind !== 'unknown'
    fc.assert(
      fc.property(formulas, answers, (formula, given) => {
        const left = whenTrue(formula)
        expect(truthOf(left, given) === true).toBe(truthOf(formula, given) === true)
        expect(isClean(left)).toBe(true)
      }),
    )
  })
  test.each<[Formula<Question>, Formula<Question>]>([
    [unknown, never],
    [{ kind: 'or', operands: [a, unknown] }, a],
    [{ kind: 'and', operands: [a, unknown] }, never],
    [
      { kind: 'and', operands: [a, { kind: 'or', operands: [b, unknown] }] },
      { kind: 'and', operands: [a, b] },
    ],
    [
      { kind: 'not', operand: { kind: 'and', operands: [a, unknown] } },
      { kind: 'not', operand: { kind: 'and', operands: [a, unknown] } },
    ],
  ])('of %j is left %j', (formula, left) => {
    expect(whenTrue(formula)).toEqual(left)
  })
})

describe('quantifiers over related rows', () => {
  const closed: Formula<Question> = { kind: 'and', operands: [a, unknown] }
  const open: Formula<Question> = { kind: 'or', operands: [a, unknown] }
  type Early = Formula<Question> | undefined
  test.each<[Formula<Question>, Early, Early, Early]>([
    [always, undefined, always, undefined],
    [never, never, undefined, always],
    [unknown, unknown, unknown, unknown],
    [closed, unknown, unknown, unknown],
    [open, undefined, undefined, undefined],
    [a, undefined, undefined, undefined],
  ])('over %j', (inner, some, every, notOne) => {
    expect(withoutRows('some', inner)).toBe(some)
    expect(withoutRows('every', inner)).toBe(every)
    expect(withoutRows('none', inner)).toBe(notOne)
  })
  test('that need no rows answer as they would with them', () => {
    const rows = fc.array(answers, { maxLength: 3 })
    fc.assert(
      fc.property(formulas, rows, (inner, related) => {
        const truths = related.map((row) => truthOf(inner, row))
        const some = withoutRows('some', inner)
        if (some === never || withoutRows('none', inner) === always) {
          expect(truths).not.toContain(true)
        }
        if (withoutRows('every', inner) === always) {
          expect(truths.every((truth) => truth === true)).toBe(true)
        }
      }),
    )
  })
})
