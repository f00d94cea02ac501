import { expect, test } from 'vitest'
import { GatewayError } from '../../foundation/errors.ts'
import { explainSqlState } from './explain-sql-state.ts'

const statusOf = (sqlState: string, isWrite: boolean) => {
  const { problem, message } = explainSqlState(sqlState, isWrite)
  return new GatewayError(problem, message).status
}

test.each([
  ['23505', 409],
  ['23503', 409],
  ['40001', 409],
  ['40P01', 409],
  ['23502', 422],
  ['23514', 422],
  ['44000', 422],
  ['57014', 408],
  ['42501', 403],
  ['08006', 503],
  ['57P01', 503],
  ['53300', 503],
  ['0A000', 400],
  ['XX000', 500],
  ['99999', 500],
])('%s is %d', (sqlState, status) => {
  expect(statusOf(sqlState, true)).toBe(status)
})

test.each(['22003', '22P02', '22012', '22007', '22ZZZ'])(
  '%s, a value that makes no sense, is 400 in a read and 422 in a write',
  (sqlState) => {
    expect(statusOf(sqlState, false)).toBe(400)
    expect(statusOf(sqlState, true)).toBe(422)
  },
)

test('no message names anything of the database', () => {
  for (const sqlState of ['23505', '23503', '23514', '42P01', '42703', 'XX000', '22001']) {
    expect(explainSqlState(sqlState, true).message).toMatch(/^[A-Z][A-Za-z ,:]+\.$/)
  }
})
