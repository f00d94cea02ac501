import { expect, test } from 'vitest'
import { createStatementCache } from './statement-cache.ts'

test('a statement counts as prepared once the server says so', () => {
  const statements = createStatementCache()

  expect(statements.use('a')).toBe(false)
  expect(statements.use('a')).toBe(false)
  statements.add('a')
  expect(statements.use('a')).toBe(true)
})

test('the least recently used one makes room', () => {
  const statements = createStatementCache(2)
  for (const name of ['a', 'b']) {
    statements.use(name)
    statements.add(name)
  }
  statements.use('a')

  expect(statements.use('c')).toBe(false)
  expect(statements.takeDropped()).toEqual(['b'])
  expect(statements.takeDropped()).toEqual([])
  expect(statements.use('a')).toBe(true)
})

test('a new epoch drops everything, once', () => {
  const statements = createStatementCache()
  statements.add('a')
  statements.renew(1)
  statements.add('b')
  statements.renew(1)

  expect(statements.takeDropped()).toEqual(['a'])
  expect(statements.use('b')).toBe(true)
})

test('columns are those of the statement that is prepared', () => {
  const statements = createStatementCache()
  statements.describe('a', [23])
  expect(statements.columnsOf('a')).toBeUndefined()
  statements.add('a')
  statements.describe('a', [23])
  statements.add('b')
  expect(statements.use('a')).toBe(true)
  expect(statements.columnsOf('a')).toEqual([23])
  statements.drop('a')
  expect(statements.columnsOf('a')).toBeUndefined()
})
