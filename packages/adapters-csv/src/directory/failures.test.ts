import { expect, test } from 'vitest'
import { createFailures } from './failures.ts'

const failure = { table: 't', path: '/t.csv', signature: 's1', reason: 'full', isOfFile: false }

test('a file with a fault in it is not read again before it changes', () => {
  let now = 0
  const failures = createFailures(() => now)
  failures.note({ ...failure, isOfFile: true })
  now = 1e9
  expect(failures.isWorthTrying('t', 's1')).toBe(false)
  expect(failures.isWorthTrying('t', 's2')).toBe(true)
  expect(failures.isWorthTrying('other', 's1')).toBe(true)
})

test('what the machine could not do is tried again after a while', () => {
  let now = 0
  const failures = createFailures(() => now)
  failures.note(failure)
  now = 4_999
  expect(failures.isWorthTrying('t', 's1')).toBe(false)
  now = 5_000
  expect(failures.isWorthTrying('t', 's1')).toBe(true)
})

test('the same failure is news only once', () => {
  const failures = createFailures(() => 0)
  expect(failures.note(failure)).toBe(true)
  expect(failures.note(failure)).toBe(false)
  expect(failures.note({ ...failure, reason: 'may not' })).toBe(true)
  failures.forget('t')
  expect(failures.note({ ...failure, reason: 'may not' })).toBe(true)
})
