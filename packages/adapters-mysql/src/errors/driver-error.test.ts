import { GatewayError } from '@engine/core/adapter'
import { expect, test } from 'vitest'
import { driverError, isStaleStatement } from './driver-error.ts'

function serverError(errno: number, message = 'Duplicate entry CANARY for key x'): Error {
  return Object.assign(new Error(message), { errno, code: 'ER_SOMETHING', sqlState: 'HY000' })
}

test('the text of the database stays in the log', () => {
  const cause = serverError(1062)
  const error = driverError(cause, true)

  expect(error).toMatchObject({
    problem: 'conflict',
    status: 409,
    sqlState: '23505',
    details: undefined,
    cause,
  })
  expect(error.message + error.publicMessage).not.toContain('CANARY')
})

test.each([
  [1264, true, 'invalidValue', 422],
  [1264, false, 'dataError', 400],
  [1048, true, 'invalidValue', 422],
  [4025, true, 'invalidValue', 422],
  [1213, true, 'conflict', 409],
  [1205, true, 'conflict', 409],
  [1146, false, 'staleCatalog', 500],
  [1040, false, 'unavailable', 503],
  [1045, false, 'unavailable', 503],
  [1969, false, 'queryTimeout', 408],
  [1317, false, 'queryTimeout', 408],
  [1927, false, 'unavailable', 503],
  [1390, false, 'limitExceeded', 400],
  [4086, false, 'limitExceeded', 400],
  [1267, false, 'unsupported', 400],
  [4015, false, 'unsupported', 400],
  [1064, false, 'internal', 500],
  [99_999, false, 'internal', 500],
])('%i (write: %s) is %s', (errno, isWrite, problem, status) => {
  expect(driverError(serverError(errno), isWrite)).toMatchObject({ problem, status })
})

test('a text that its column cannot hold is not one that is no number', () => {
  const text = serverError(
    1366,
    "Incorrect string value: '\\xCE\\xA9' for column `a`.`b`.`c` at row 1",
  )
  const number = serverError(1366, "Incorrect integer value: 'x' for column `a`.`b`.`c` at row 1")
  expect(driverError(text, true)).toMatchObject({ sqlState: '22P05', status: 422 })
  expect(driverError(number, true)).toMatchObject({ sqlState: '22P02', status: 422 })
})

test('what is no report of the database is a lost connection', () => {
  for (const mark of [{ code: 'ECONNRESET' }, { fatal: true }]) {
    expect(driverError(Object.assign(new Error('gone'), mark), false)).toMatchObject({
      problem: 'unavailable',
      sqlState: '08006',
    })
  }
})

test('a fault of our own is not taken for the network', () => {
  expect(driverError(new TypeError('x is not a function'), false)).toMatchObject({
    problem: 'internal',
    status: 500,
  })
})

test('an error of our own stays as it is', () => {
  const error = new GatewayError('checkFailed', 'no')

  expect(driverError(error, true)).toBe(error)
})

test('a statement that has to be prepared again', () => {
  expect([1615, 1243, 1062].map((errno) => isStaleStatement(serverError(errno)))).toEqual([
    true,
    true,
    false,
  ])
})

test('the zero date as a default of a required column is a missing value', () => {
  const target = { name: 'drafts', keys: new Map(), requiredDates: new Set(['day']) }
  const stateOf = (message: string) =>
    driverError(serverError(1292, message), true, target).sqlState

  expect(stateOf("Incorrect date value: '0000-00-00' for column 'day' at row 1")).toBe('23502')
  expect(stateOf("Incorrect date value: '0000-00-00' for column 'due' at row 1")).toBe('22007')
  expect(stateOf("Incorrect date value: '2024-02-30' for column 'day' at row 1")).toBe('22007')
})
