import { expect, test } from 'vitest'
import { createPreparedStatements, type PreparedStatements } from './prepared-statements.ts'

/** Ids in the commands that close statements. */
function closedIn(statements: PreparedStatements): readonly number[] {
  return statements.takeClosed().map((command) => {
    expect([...command.subarray(0, 5)]).toEqual([5, 0, 0, 0, 0x19])
    return command.readUInt32LE(5)
  })
}

test('the statement that was not used for the longest time makes room, and is closed', () => {
  const statements = createPreparedStatements(2)
  statements.add('a', 1)
  statements.add('b', 2)
  expect(statements.get('a')?.id).toBe(1)
  statements.add('c', 3)

  expect(statements.get('b')).toBeUndefined()
  expect(statements.get('a')?.id).toBe(1)
  expect(statements.get('c')?.id).toBe(3)
  expect(closedIn(statements)).toEqual([2])
  expect(closedIn(statements)).toEqual([])
})

test('a dropped statement is closed once', () => {
  const statements = createPreparedStatements(2)
  statements.add('a', 7)
  statements.drop('a')
  statements.drop('a')

  expect(statements.get('a')).toBeUndefined()
  expect(closedIn(statements)).toEqual([7])
})

test('a statement that is prepared again takes the place of the old one', () => {
  const statements = createPreparedStatements(2)
  statements.add('a', 1)
  statements.add('a', 2)

  expect(statements.get('a')?.id).toBe(2)
  expect(closedIn(statements)).toEqual([1])
})

test('who yields room closes all, and keeps half as many from then on', () => {
  const statements = createPreparedStatements(250)
  for (const [id, sql] of ['a', 'b', 'c', 'd'].entries()) statements.add(sql, id)

  expect(statements.yieldRoom()).toBe(true)
  expect(closedIn(statements)).toEqual([0, 1, 2, 3])
  expect(statements.yieldRoom()).toBe(false)
  for (const [id, sql] of ['a', 'b', 'c'].entries()) statements.add(sql, 10 + id)
  expect(closedIn(statements)).toEqual([10])
})
