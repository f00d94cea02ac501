import fc from 'fast-check'
import { loadModule, parseSync } from 'libpg-query'
import { beforeAll, describe, expect, test } from 'vitest'
import { textShape } from './text-shape.ts'

beforeAll(loadModule)

test('nesting counts brackets and CASE, whatever strings and comments hold', () => {
  expect(textShape("select '((((' /* ((( */ , (1), [2]").nesting).toBe(1)
  expect(textShape('select f(g(case when (1) then 2 end))').nesting).toBe(4)
  expect(textShape('select a.case, a.case, a.end').nesting).toBe(0)
})

test('AND and OR lists are flat, operators stack', () => {
  const flat = `select ${Array(1000).fill('a = 1').join(' and ')}`
  expect(textShape(flat).height).toBeLessThan(5)
  expect(textShape(`select a${'+a'.repeat(1000)}`).height).toBe(1000)
  expect(textShape(`select ${'not '.repeat(100)}a`).height).toBe(100)
})

test('the AND of a BETWEEN does not hide a stack', () => {
  expect(textShape(`select ${'a between b and not '.repeat(100)}a`).height).toBeGreaterThan(100)
})

test('joins and set operations stack across commas', () => {
  expect(textShape(`select 1, 2${' union select 1, 2'.repeat(100)}`).height).toBe(100)
  expect(textShape(`select 1 from a${' join a on b = c and d'.repeat(99)}`).height).toBeGreaterThan(
    98,
  )
})

test('a number with a dot does not make a name of the word behind it', () => {
  expect(textShape(`select a${' at time zone 1.'.repeat(100)}`).height).toBe(100)
})

test('a field called "end" does not end a CASE', () => {
  expect(
    textShape(`select ${'case when $1.end then '.repeat(50)}1${' end'.repeat(50)}`).nesting,
  ).toBe(50)
})

describe('the right side of SET (…) = … is repeated for every column', () => {
  const assignment = (columns: number) =>
    `update t set (${Array(columns).fill('a').join()}) = (${Array(columns).fill('1').join()})`

  test('tokens are counted as often', () => {
    expect(textShape(assignment(10)).repeated).toBeGreaterThan(9 * 20)
    expect(textShape(assignment(1000)).repeated).toBeGreaterThan(999 * 2000)
  })

  test('an AND behind it does not end it', () => {
    expect(textShape('update t set (a, b, c, d) = 1 and (1, 2, 3)').repeated).toBeGreaterThan(
      3 * 10,
    )
  })

  test('inside another it multiplies', () => {
    const nested = (depth: number): string =>
      depth === 0
        ? '(1, 2)'
        : `(with x as (update t set (a, b) = ${nested(depth - 1)}) select 1, 2)`
    expect(textShape(`update t set (a, b) = ${nested(10)}`).repeated).toBeGreaterThan(2 ** 10)
  })

  test('other lists are not', () => {
    expect(textShape('insert into t (a, b) values (1, 2), (3, 4)').repeated).toBe(0)
    expect(textShape('select (a, b) > (1, 2) and c = (select 1)').repeated).toBe(0)
  })
})

test('the height is never below a third of the depth of the tree', () => {
  const { expression } = fc.letrec<{ expression: string }>((tie) => {
    const inner = tie('expression')
    const pair = (join: (left: string, right: string) => string) =>
      fc.tuple(inner, inner).map(([left, right]) => join(left, right))
    const wrap = (join: (operand: string) => string) => inner.map(join)
    return {
      expression: fc.oneof(
        { depthSize: 'medium', withCrossShrink: true },
        fc.constantFrom('a', '1', '$1', "'x'", 'b.c', '1.5', 'null'),
        ...[
          '+',
          '||',
          '->',
          '=',
          '@>',
          'and',
          'or',
          'between 1 and',
          'like',
          'is distinct from',
        ].map((operator) => pair((left, right) => `(${left} ${operator} ${right})`)),
        ...['+', '||', '->', 'and', 'or'].map((operator) =>
          pair((left, right) => `${left} ${operator} ${right}`),
        ),
        wrap((x) => `not ${x}`),
        wrap((x) => `- ${x}`),
        wrap((x) => `${x}::int`),
        wrap((x) => `${x} is null`),
        wrap((x) => `${x} collate "C"`),
        wrap((x) => `case when ${x} then ${x} else b end`),
        wrap((x) => `(select ${x} from t where ${x} group by ${x})`),
        wrap((x) => `exists (select 1 from a join b on ${x} join c on ${x})`),
        wrap((x) => `f(${x}, ${x}) filter (where ${x}) over (order by ${x})`),
        wrap((x) => `array[${x}]`),
        wrap((x) => `a[${x}]`),
        wrap((x) => `a in (${x}, ${x})`),
        wrap((x) => `(select ${x} union select ${x})`),
      ),
    }
  })
  fc.assert(
    fc.property(expression, (text) => {
      const sql = `select ${text}`
      const tree = parsed(sql)
      fc.pre(tree !== undefined)
      expect(depthOf(tree)).toBeLessThanOrEqual(3 * textShape(sql).height + 6)
    }),
    { numRuns: 500 },
  )
})

function parsed(sql: string): unknown {
  try {
    return parseSync(sql).stmts?.[0]?.stmt
  } catch {
    return undefined
  }
}

/** The depth of nested nodes. */
function depthOf(tree: unknown): number {
  if (typeof tree !== 'object' || tree === null) return 0
  const inner = Math.max(0, ...Object.values(tree).map(depthOf))
  const [key] = Object.keys(tree)
  return key !== undefined && /^[A-Z]/.test(key) ? inner + 1 : inner
}
