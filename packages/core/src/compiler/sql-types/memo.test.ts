import { expect, test } from 'vitest'
import { createMemo } from './memo.ts'

test('an answer is made once', () => {
  const memo = createMemo<number>(2)
  let calls = 0
  const make = () => ++calls
  expect([memo('a', make), memo('a', make), memo('b', make), memo('a', make)]).toEqual([1, 1, 2, 1])
})

test('a full memo forgets', () => {
  const memo = createMemo<string>(2)
  for (const key of ['a', 'b', 'c']) memo(key, () => key)
  expect(memo('a', () => 'again')).toBe('again')
  expect(memo('c', () => 'again')).toBe('c')
})
