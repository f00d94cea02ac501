import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { createSizeCheck } from './size-check.ts'

test('a database is small until it has grown, which is noticed when it looks again', () => {
  const database = new Database(':memory:')
  onTestFinished(() => void database.close())
  database.defaultSafeIntegers(true)
  database.exec('create table page (content blob)')
  let clockMs = 0
  const isSmall = createSizeCheck(database, () => clockMs)

  expect(isSmall()).toBe(true)
  database.exec('insert into page values (zeroblob(40000000))')
  clockMs = 249
  expect(isSmall()).toBe(true)
  clockMs = 250
  expect(isSmall()).toBe(false)
})
