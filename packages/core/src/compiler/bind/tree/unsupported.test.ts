import { expect, test } from 'vitest'
import { unsupportedConstruct } from './unsupported.ts'

test('a refusal names construct, database and position', () => {
  expect(unsupportedConstruct('DISTINCT ON', 'SQLite', 8)).toMatchObject({
    message: 'DISTINCT ON is not supported on SQLite (position 8)',
    status: 400,
    sqlState: '0A000',
    position: 8,
  })
})

test('what a policy added has no position', () => {
  expect(unsupportedConstruct('LATERAL', 'SQLite', undefined).message).toBe(
    'LATERAL is not supported on SQLite',
  )
})
