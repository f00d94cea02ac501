import { describe, expect, test } from 'vitest'
import type { Flavor } from '../../server/flavor.ts'
import { compiledForTest, mariaDb, mySql } from '../test-support/compiled-for-test.ts'
import { nest, nestedCases } from '../test-support/nested-cases.ts'

async function sizeOf(expression: string, flavor: Flavor): Promise<number> {
  const params = expression.includes('$1') ? [1.5] : []
  const steps = await compiledForTest(`select ${expression} from main.item`, { params, flavor })
  return steps.join().length
}

/** Short operands are repeated, up to a limit. */
const shortForms = 4000

/** Is SQL for twice the operands at most twice as long? */
async function requireLinear(
  expressionOf: (count: number) => string,
  count: number,
  flavor: Flavor,
) {
  const size = await sizeOf(expressionOf(count), flavor)
  const twice = await sizeOf(expressionOf(2 * count), flavor)
  expect(twice, expressionOf(2)).toBeLessThan(2.2 * size + shortForms)
}

const lists: Readonly<Record<string, (count: number) => string>> = {
  'a sum': (count) => repeated('a', ' + ', count),
  'a sum of numerics': (count) => repeated('$1::numeric', ' + ', Math.min(count, 9)),
  'a sum of quotients': (count) => repeated('price / a', ' + ', Math.min(count, 24)),
  'a chain of texts': (count) => repeated('lower(nick)', ' || ', count),
  greatest: (count) => `greatest(${repeated('a', ', ', count)})`,
  'greatest of numerics': (count) => `greatest(${repeated('price, 1.5', ', ', count)})`,
  coalesce: (count) => `coalesce(${repeated('price, 1.5', ', ', count)})`,
  case: (count) => `case ${repeated('when a > 1 then price', ' ', count)} else 1.5 end`,
  in: (count) => `sqrt(a) in (${repeated('a', ', ', count)})`,
  'any of an array': (count) =>
    `initcap(nick || name) > any (array[${repeated('name', ', ', count)}])`,
}

function repeated(part: string, separator: string, count: number): string {
  return Array.from({ length: count }, () => part).join(separator)
}

describe.each([mariaDb, mySql])('$kind', (flavor) => {
  test.each(Object.entries(nestedCases))(
    '%s inside each other are as long as they are deep',
    async (_, { seed, wraps, most = 10 }) => {
      for (const wrap of wraps) {
        const isRepeated = wrap.split('{x}').length > 2
        if (!isRepeated) await requireLinear((depth) => nest(seed, wrap, depth), most, flavor)
      }
    },
    60_000,
  )

  test.each(Object.entries(lists))('%s is as long as it has operands', async (_, expressionOf) => {
    await requireLinear(expressionOf, 50, flavor)
  })

  test.each([
    'random()::text',
    'sqrt(random())',
    'nullif(random(), 0.5)',
    'width_bucket(random(), 0, 1, 10)',
    'greatest(random(), 0.5)',
    'random()::numeric / 3',
    '(random() * 10)::int % 3',
    '(random() * 10)::int >> 1',
    `timestamp '2024-01-01' + make_interval(days => (random() * 10)::int)`,
  ])('%s draws once', async (expression) => {
    const [step = ''] = await compiledForTest(`select ${expression} from main.item`, { flavor })
    expect(step.split('rand()').length - 1).toBe(1)
  })

  test('a volatile value beside a window function draws once', async () => {
    const sql = `select (random() + sum(a) over ())::text from main.item`
    const [step = ''] = await compiledForTest(sql, { flavor })
    expect(step.split('rand()').length - 1).toBe(1)
  })
})
