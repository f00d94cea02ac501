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
import { always, type Formula, never, unknown } from './kleene.ts'
import { type Preset, type Sided, samePresets, type WriteGrant, writeCover } from './writes.ts'

type Grant = WriteGrant<Question, Preset>

const columns = [0, 1, 2]
const preset = (key: string, isPresent = true): Preset => ({ key, isPresent })
const [a, b, c] = [ask('a'), ask('b'), ask('c')]

function grant(
  before: Formula<Question>,
  after: Formula<Question>,
  rest: Partial<Grant> = {},
): Grant {
  return { columns: new Set(columns), presets: new Map(), old: before, new: after, ...rest }
}

const grants = fc.array(
  fc
    .tuple(formulas, formulas, fc.subarray(columns))
    .map(([before, after, listed]) => grant(before, after, { columns: new Set(listed) })),
  { maxLength: 3 },
)

/** The check of a cover for a given row before and after the write. */
function holds(check: Formula<Sided<Question>>, before: Answers, after: Answers): Truth {
  switch (check.kind) {
    case 'leaf':
      return truthOf(check.condition, check.side === 'old' ? before : after)
    case 'and':
      return check.operands.every((part) => holds(part, before, after) === true)
    case 'or':
      return check.operands.some((part) => holds(part, before, after) === true)
    default:
      return check.kind === 'true'
  }
}

describe('a write', () => {
  test('is covered where one grant covers its columns, the row before and the row after', () => {
    const restrictions = fc.array(formulas, { maxLength: 1 })
    const written = fc.subarray(columns)
    fc.assert(
      fc.property(
        fc.record({ grants, restrictions, written, before: answers, after: answers }),
        (given) => {
          const cover = writeCover(given.grants, given.restrictions, given.written)
          const isCovered =
            given.restrictions.every((each) => truthOf(each, given.after) === true) &&
            given.grants.some(
              (each) =>
                given.written.every((column) => each.columns.has(column)) &&
                truthOf(each.old, given.before) === true &&
                truthOf(each.new, given.after) === true,
            )
          const isAllowed =
            !('refused' in cover) &&
            truthOf(cover.rows, given.before) === true &&
            holds(cover.check, given.before, given.after) === true
          expect(isAllowed).toBe(isCovered)
        },
      ),
      { numRuns: 1_000 },
    )
  })
  test('asks nothing of what it stores where the grant asks nothing', () => {
    expect(writeCover([grant(a, always)], [], [0])).toEqual({
      rows: a,
      check: always,
      presets: new Map(),
    })
  })
  test('of one grant asks for its new row only: its old row has been chosen', () => {
    expect(writeCover([grant(a, b)], [c], [0])).toEqual({
      rows: a,
      check: {
        kind: 'and',
        operands: [
          { kind: 'leaf', side: 'new', condition: b },
          { kind: 'leaf', side: 'new', condition: c },
        ],
      },
      presets: new Map(),
    })
  })
  test('of several never combines the halves of two', () => {
    const cover = writeCover([grant(a, b), grant(c, a), grant(b, always)], [], [])
    expect(cover).toEqual({
      rows: { kind: 'or', operands: [a, c, b] },
      check: {
        kind: 'or',
        operands: [
          {
            kind: 'and',
            operands: [
              { kind: 'leaf', side: 'old', condition: a },
              { kind: 'leaf', side: 'new', condition: b },
            ],
          },
          {
            kind: 'and',
            operands: [
              { kind: 'leaf', side: 'old', condition: c },
              { kind: 'leaf', side: 'new', condition: a },
            ],
          },
          { kind: 'leaf', side: 'old', condition: b },
        ],
      },
      presets: new Map(),
    })
  })
})

describe('a write is refused', () => {
  test('where no grant has all its columns', () => {
    const [one, two] = columns.map((column) => grant(a, b, { columns: new Set([column]) }))
    const list = [one, two].filter((each) => each !== undefined)
    expect(writeCover(list, [], [0, 1])).toEqual({ refused: 'columns' })
    expect(writeCover([], [], [])).toEqual({ refused: 'columns' })
    expect(writeCover(list, [], [1])).not.toHaveProperty('refused')
  })
  test('where it names a column that the grant sets itself', () => {
    const presets = new Map([[1, preset('x')]])
    expect(writeCover([grant(a, b, { presets })], [], [1])).toEqual({ refused: 'columns' })
    expect(writeCover([grant(a, b, { presets })], [], [0])).toMatchObject({ presets })
  })
  test('where two grants would set different values', () => {
    const list = ['x', 'y'].map((key) => grant(a, b, { presets: new Map([[1, preset(key)]]) }))
    expect(writeCover(list, [], [0])).toEqual({ refused: 'presets' })
    expect(writeCover([...list.slice(1), grant(a, b)], [], [0])).toEqual({ refused: 'presets' })
  })
  test('where the caller lacks what a preset is made of', () => {
    const presets = new Map([
      [1, preset('x')],
      [2, preset('y', false)],
    ])
    expect(writeCover([grant(a, b, { presets })], [], [0])).toEqual({ refused: 'missingPreset' })
  })
  test.each<[string, Grant, Formula<Question>]>([
    ['the row before', grant(unknown, b), always],
    ['the row after', grant(a, never), always],
    ['the restriction', grant(a, b), unknown],
  ])('where %s can never be right', (_, only, restriction) => {
    expect(writeCover([only], [restriction], [0])).toEqual({ refused: 'conditions' })
  })
  test('not where another grant can be met', () => {
    expect(writeCover([grant(unknown, b), grant(a, always)], [], [0])).toMatchObject({ rows: a })
  })
})

test('presets are the same where they set the same columns to the same values', () => {
  const one = new Map([
    [1, preset('x')],
    [2, preset('y')],
  ])
  expect(samePresets(one, new Map(one))).toBe(true)
  expect(samePresets(one, new Map([[1, preset('x')]]))).toBe(false)
  expect(samePresets(new Map([[1, preset('x')]]), one)).toBe(false)
  expect(samePresets(one, new Map(one).set(2, preset('z')))).toBe(false)
  expect(samePresets(new Map([[1, preset('x')]]), new Map([[3, preset('x')]]))).toBe(false)
})
