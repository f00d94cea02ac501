import { expect, test } from 'vitest'
import { reasonIn } from './probe.ts'

test('a reason is the construct, without the database and the place', () => {
  expect(reasonIn('FULL JOIN is not supported on MariaDB (position 8)')).toBe('FULL JOIN')
  expect(reasonIn('TABLESAMPLE is not supported (position 8)')).toBe('TABLESAMPLE')
  expect(reasonIn('The statement reads two databases (position 3)')).toBe(
    'The statement reads two databases',
  )
})
