import { expect, test } from 'vitest'
import { badInputCases } from './bad-input/index.ts'
import { inOrder } from './case.ts'
import { queryCases } from './queries/index.ts'
import { rejectedCases } from './rejected/index.ts'
import { writeCases } from './writes/index.ts'

test('braces around a table become its qualified name, others stay', () => {
  expect(inOrder('x', `select '{}', '{a}', '{"orders": 1}' from {orders}, {odd names}`).sql).toBe(
    `select '{}', '{a}', '{"orders": 1}' from "main"."orders", "main"."odd names"`,
  )
})

test.each([
  ['queries', queryCases, 600],
  ['writes', writeCases, 100],
  ['rejected statements', rejectedCases, 80],
  ['bad bodies', badInputCases, 60],
])('the %s are many and named uniquely', (_, cases, atLeast) => {
  const names = cases.map(({ group, name }) => `${group}: ${name}`)
  expect(new Set(names).size).toBe(names.length)
  expect(names.length).toBeGreaterThanOrEqual(atLeast)
})

test('most queries are portable', () => {
  const portable = queryCases.filter((query) => query.portable)
  expect(portable.length / queryCases.length).toBeGreaterThan(0.85)
})

test('a body that may be answered is never one that writes', () => {
  const answerable = badInputCases.filter(({ allowed }) => allowed.includes(200))
  for (const { body } of answerable) expect(String(body)).not.toMatch(/insert|update|delete|drop/)
})
