import { expect, test } from 'vitest'
import { refusalReason } from './refusal-reason.ts'

test('a reason is the construct, without the database and the place', () => {
  expect(refusalReason('FULL JOIN is not supported on MariaDB (position 8)')).toBe('FULL JOIN')
  expect(refusalReason('TABLESAMPLE is not supported (position 8)')).toBe('TABLESAMPLE')
  expect(refusalReason('The statement reads two databases (position 3)')).toBe(
    'The statement reads two databases',
  )
})
