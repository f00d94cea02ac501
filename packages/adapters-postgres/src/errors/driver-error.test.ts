import { GatewayError, isConnectionLost } from '@engine/core/adapter'
import { DatabaseError } from 'pg'
import { describe, expect, test } from 'vitest'
import { driverError, isStalePlan } from './driver-error.ts'

function databaseError(code: string, routine = ''): DatabaseError {
  const error = new DatabaseError('duplicate key: CANARY', 0, 'error')
  return Object.assign(error, { code, routine, detail: 'Key (secret)=(CANARY) exists.' })
}

test('the text of the database stays in the log', () => {
  const cause = databaseError('23505')
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
  ['22003', true, 'invalidValue', 422],
  ['22003', false, 'dataError', 400],
  ['23502', true, 'invalidValue', 422],
  ['40001', true, 'conflict', 409],
  ['42P01', false, 'staleCatalog', 500],
  ['53300', false, 'unavailable', 503],
  ['57014', false, 'queryTimeout', 408],
  ['57P01', false, 'unavailable', 503],
  ['XX000', false, 'internal', 500],
  ['42601', false, 'internal', 500],
])('%s (write: %s) is %s', (code, isWrite, problem, status) => {
  expect(driverError(databaseError(code), isWrite)).toMatchObject({ problem, status })
})

test('what a parser of a type refuses is a wrong value, not a fault of ours', () => {
  const tsquery = Object.assign(databaseError('42601', 'makepol'), { file: 'tsquery.c' })
  const jsonpath = Object.assign(databaseError('42601'), { file: 'jsonpath_gram.y' })
  const bounds = Object.assign(databaseError('42601', 'range_parse_flags'), {
    file: 'rangetypes.c',
  })
  const options = Object.assign(databaseError('42601'), { file: 'tsearchcmds.c' })
  const escapes = databaseError('42601', 'unistr')
  const ours = Object.assign(databaseError('42601', 'scanner_yyerror'), { file: 'scan.l' })
  const configuration = databaseError('42704', 'get_ts_config_oid')
  expect(driverError(tsquery, false).problem).toBe('dataError')
  expect(driverError(jsonpath, true).problem).toBe('invalidValue')
  expect(driverError(bounds, false).problem).toBe('dataError')
  expect(driverError(options, false).problem).toBe('dataError')
  expect(driverError(escapes, false)).toMatchObject({ problem: 'dataError', sqlState: '42601' })
  expect(driverError(configuration, false).problem).toBe('dataError')
  expect(driverError(ours, false).problem).toBe('internal')
})

test('an error that the database did not report is a lost connection', () => {
  expect(driverError(new Error('ECONNRESET'), false)).toMatchObject({
    problem: 'unavailable',
    sqlState: '08006',
  })
})

test('an error of our own stays as it is', () => {
  const error = new GatewayError('checkFailed', 'no')

  expect(driverError(error, true)).toBe(error)
})

describe('a stale plan', () => {
  test.each([
    [databaseError('0A000', 'RevalidateCachedQuery'), true],
    [databaseError('26000'), true],
    [databaseError('0A000', 'transformSelectStmt'), false],
    [new Error('other'), false],
  ])('%#', (error, isStale) => {
    expect(isStalePlan(error)).toBe(isStale)
  })

  test('asks for a new look at the catalog when preparing again did not help', () => {
    const error = databaseError('0A000', 'RevalidateCachedQuery')

    expect(driverError(error, false).problem).toBe('staleCatalog')
  })
})

test.each([
  [driverError(new Error('reset'), false), true],
  [driverError(databaseError('57P01'), false), true],
  [driverError(databaseError('53300'), false), false],
  [driverError(databaseError('57014'), false), false],
  [new GatewayError('unavailable', 'nobody there', { sqlState: '08001' }), false],
  [new Error('other'), false],
])('lost connections are known: %#', (error, isLost) => {
  expect(isConnectionLost(error)).toBe(isLost)
})
