import { GatewayError } from '@engine/core'
import { expect, test } from 'vitest'
import { describeError } from './describe-error.ts'

test('name, message, code, stack and cause are printed; nothing else that a driver adds', () => {
  const cause = Object.assign(new TypeError('low'), { code: '23505', detail: 'Key (email)=(x)' })
  const error = Object.assign(new Error('high', { cause }), { sql: 'select 1', parameters: ['x'] })
  expect(describeError(error)).toEqual({
    type: 'Error',
    message: 'high',
    stack: expect.stringContaining('high'),
    cause: { type: 'TypeError', message: 'low', code: '23505', stack: expect.any(String) },
  })
})

test('our own errors are printed with their problem', () => {
  const error = new GatewayError('unavailable', 'away', { details: { table: 'x' } })
  expect(describeError(error)).toMatchObject({ type: 'GatewayError', code: 'unavailable' })
  expect(describeError(error)).not.toHaveProperty('details')
})

test('what is no error is not told, it may be anything', () => {
  expect(describeError('a secret')).toEqual({
    type: 'string',
    message: 'something that is no error',
  })
})

test('causes in a circle end', () => {
  const error = new Error('round')
  error.cause = error
  expect(JSON.stringify(describeError(error)).match(/"round"/g)).toHaveLength(6)
})
