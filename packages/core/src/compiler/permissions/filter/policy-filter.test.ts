import fc from 'fast-check'
import { expect, test } from 'vitest'
import { oids } from '../../sql-types/oids.ts'
import type { CallerSlot } from '../../sql-types/value-source.ts'
import { allOf, always, anyOf, negationOf, never, whenTrue } from '../combination/kleene.ts'
import { booleanConstant } from './filter-expression.ts'
import { fold, hasUnknown, type PolicyFilter, slotsOf } from './policy-filter.ts'

/** Kleene's truth values: true, false and null for UNKNOWN. */
type Truth = boolean | null

const slot = (name: string): CallerSlot => ({
  path: [name],
  type: { oid: oids.text, typmod: -1 },
})

/** Leaves are named; `needs` is the caller field a leaf reads. */
interface Leaf {
  readonly name: string
  readonly needs: string | undefined
}

const leaves: readonly Leaf[] = [
  { name: 'a', needs: undefined },
  { name: 'b', needs: undefined },
  { name: 'c', needs: 'x' },
  { name: 'd', needs: 'y' },
]

const nameOf = new WeakMap<object, string>()

function leafFilter({ name, needs }: Leaf): PolicyFilter {
  const filter: PolicyFilter = {
    kind: 'leaf',
    slots: needs === undefined ? [] : [slot(needs)],
    build: () => booleanConstant(true),
  }
  nameOf.set(filter, name)
  return filter
}

const filters: fc.Arbitrary<PolicyFilter> = fc.letrec<{ filter: PolicyFilter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(...leaves).map(leafFilter),
    fc.constantFrom<PolicyFilter>(always, never, { kind: 'unknown' }),
    fc.array(tie('filter'), { maxLength: 3 }).map(
      (operands): PolicyFilter => ({
        kind: 'and',
        operands,
      }),
    ),
    fc.array(tie('filter'), { maxLength: 3 }).map(
      (operands): PolicyFilter => ({
        kind: 'or',
        operands,
      }),
    ),
    tie('filter').map((operand): PolicyFilter => ({ kind: 'not', operand })),
  ),
})).filter

/** Kleene's tables, written down independently of the code under test. */
function truth(filter: PolicyFilter, values: Readonly<Record<string, Truth>>): Truth {
  switch (filter.kind) {
    case 'true':
      return true
    case 'false':
      return false
    case 'unknown':
      return null
    case 'not': {
      const inner = truth(filter.operand, values)
      return inner === null ? null : !inner
    }
    case 'and': {
      const inner = filter.operands.map((operand) => truth(operand, values))
      return inner.includes(false) ? false : inner.includes(null) ? null : true
    }
    case 'or': {
      const inner = filter.operands.map((operand) => truth(operand, values))
      return inner.includes(true) ? true : inner.includes(null) ? null : false
    }
    case 'leaf':
      return values[nameOf.get(filter) ?? ''] ?? null
    case 'relation':
      throw new Error('not generated')
  }
}

const truths = fc.constantFrom<Truth>(true, false, null)
const assignments = fc.record({ a: truths, b: truths, c: truths, d: truths })
const presence = fc.record({ x: fc.boolean(), y: fc.boolean() })

test('folding keeps the truth value, a missing caller field being UNKNOWN', () => {
  fc.assert(
    fc.property(filters, assignments, presence, (filter, values, present) => {
      const folded = fold(filter, ({ path }) => present[path[0] as 'x' | 'y'])
      const known = {
        ...values,
        c: present.x ? values.c : null,
        d: present.y ? values.d : null,
      }
      expect(truth(folded, known)).toBe(truth(filter, known))
    }),
  )
})

test('a folded filter reads no caller field that is missing', () => {
  fc.assert(
    fc.property(filters, presence, (filter, present) => {
      const isPresent = ({ path }: CallerSlot) => present[path[0] as 'x' | 'y']
      expect(slotsOf(fold(filter, isPresent)).every(isPresent)).toBe(true)
    }),
  )
})

test('a missing field under $not denies, beside a TRUE branch of $or it does not', () => {
  const missing = leafFilter({ name: 'c', needs: 'x' })
  const absent = () => false
  expect(whenTrue(fold(negationOf(missing), absent))).toEqual(never)
  expect(fold(anyOf([missing, always]), absent)).toEqual(always)
})

test('an UNKNOWN left inside a related rows condition is found', () => {
  const inner: PolicyFilter = {
    kind: 'and',
    operands: [leafFilter({ name: 'a', needs: undefined }), { kind: 'unknown' }],
  }
  expect(hasUnknown({ kind: 'relation', quantifier: 'some', path: [], filter: inner })).toBe(true)
})

test('quantifiers over conditions that are decided need no rows', () => {
  const relation = (quantifier: 'some' | 'every' | 'none', filter: PolicyFilter): PolicyFilter => ({
    kind: 'relation',
    quantifier,
    path: [],
    filter,
  })
  const absent = () => false
  const missing = leafFilter({ name: 'c', needs: 'x' })
  expect(fold(relation('some', never), absent)).toEqual(never)
  expect(fold(relation('none', never), absent)).toEqual(always)
  expect(fold(relation('every', always), absent)).toEqual(always)
  const plain = leafFilter({ name: 'a', needs: undefined })
  for (const quantifier of ['some', 'every', 'none'] as const) {
    expect(fold(relation(quantifier, missing), absent)).toEqual({ kind: 'unknown' })
    expect(fold(relation(quantifier, allOf([plain, missing])), absent)).toEqual({ kind: 'unknown' })
    expect(fold(relation(quantifier, anyOf([plain, missing])), absent).kind).toBe('relation')
  }
})
