import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { GatewayError } from '../../foundation/errors.ts'
import { isPassing, isUniqueViolation, storeError } from './store-error.ts'

const reported = (sqlState: string) => new GatewayError('conflict', 'SECRET', { sqlState })

test('a taken key stays what it is', () => {
  const taken = reported('23505')
  expect(storeError(taken)).toMatchObject({ problem: 'conflict', sqlState: '23505' })
  expect(isUniqueViolation(taken)).toBe(true)
  expect(isUniqueViolation(reported('23503'))).toBe(false)
  expect(isUniqueViolation(new Error('23505'))).toBe(false)
})

test.each([
  '08006',
  '28000',
  '3D000',
  '53300',
  '57014',
  '57P03',
  '25006',
  '42501',
  '40001',
  '40P01',
])('%s: the service is not available', (sqlState) => {
  const error = storeError(reported(sqlState))
  expect(error).toMatchObject({ problem: 'unavailable', sqlState })
  expect(error.message).not.toContain('SECRET')
})

test.each([reported('42P01'), reported('23503'), reported('22001'), new Error('SECRET')])(
  'anything else is a fault of ours: %o',
  (thrown) => {
    const error = storeError(thrown)
    expect(error.problem).toBe('internal')
    expect(error.message).not.toContain('SECRET')
  },
)

test('the cause says what happened where, and quotes nothing', () => {
  const said = Object.assign(new Error('duplicate entry SECRET'), {
    code: '23505',
    table: 'engine_users',
    constraint: 'engine_users_email',
    detail: 'Key (email)=(SECRET) already exists.',
    sql: 'SECRET',
  })
  const taken = new GatewayError('conflict', 'taken', { cause: said, sqlState: '23505' })
  const { cause } = storeError(taken)
  expect(cause).toMatchObject({ message: 'SQLSTATE 23505', table: 'engine_users', code: '23505' })
  expect(inspect(cause, { showHidden: true })).not.toContain('SECRET')
  const missing = new GatewayError('internal', '', {
    cause: new Error('no such table: engine_users'),
    sqlState: '42P01',
  })
  expect(storeError(missing).cause).toMatchObject({ message: 'no such table: engine_users' })
})

test('what is worth another attempt can still be told after it was wrapped', () => {
  expect(isPassing(storeError(reported('40P01')))).toBe(true)
  expect(isPassing(storeError(reported('08006')))).toBe(false)
})
