import { methods } from '@engine/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseBatchRequest, parseDataRequest } from '../request/data-request.ts'
import { batchRequest, dataRequest } from './wire-schemas.ts'

function isTaken(parse: (body: unknown) => unknown, body: unknown): boolean {
  try {
    parse(body)
    return true
  } catch {
    return false
  }
}

const anything = fc.jsonValue({ maxDepth: 2 })
const nearlyAStatement = fc.record(
  {
    sql: fc.oneof(fc.string(), anything),
    params: fc.oneof(fc.array(anything), anything),
    method: fc.oneof(fc.constantFrom(...methods), fc.constant('toString'), anything),
    meta: fc.oneof(fc.boolean(), anything),
    extra: anything,
  },
  { requiredKeys: [] },
)
const statement = fc.record(
  { sql: fc.string(), params: fc.array(anything), method: fc.constantFrom(...methods) },
  { requiredKeys: ['sql', 'params', 'method'] },
)

test('the schema of a statement takes exactly what the check by hand takes', () => {
  fc.assert(
    fc.property(fc.oneof(nearlyAStatement, statement, anything), (body) => {
      expect(dataRequest.safeParse(body).success).toBe(isTaken(parseDataRequest, body))
    }),
    { numRuns: 2_000 },
  )
})

test('so does the schema of a batch', () => {
  const statements = fc.array(fc.oneof({ weight: 9, arbitrary: statement }, nearlyAStatement))
  const batch = fc.record({ statements, more: anything }, { requiredKeys: [] })
  fc.assert(
    fc.property(fc.oneof(batch, anything), (body) => {
      expect(batchRequest.safeParse(body).success).toBe(isTaken(parseBatchRequest, body))
    }),
    { numRuns: 1_000 },
  )
})

test('a batch has a hundred statements at most, by both', () => {
  const one = { sql: 'select 1', params: [], method: 'all' }
  for (const length of [0, 1, 100, 101]) {
    const body = { statements: Array.from({ length }, () => one) }
    const expected = length > 0 && length <= 100
    expect(batchRequest.safeParse(body).success).toBe(expected)
    expect(isTaken(parseBatchRequest, body)).toBe(expected)
  }
})
