import { expect, test } from 'vitest'
import { createPace } from './pace.ts'

test('a statement is short once it was', () => {
  const pace = createPace()
  expect(pace.isShort()).toBe(false)
  pace.note(20)
  expect(pace.isShort()).toBe(false)
  pace.note(0.5)
  pace.note(20)
  expect(pace.isShort()).toBe(true)
})

test('what was long ago does not count', () => {
  const pace = createPace()
  pace.note(0.5)
  for (let run = 0; run < 200; run++) pace.note(20)
  expect(pace.isShort()).toBe(false)
})

test('one that kept others waiting is not short for a good while', () => {
  const pace = createPace()
  pace.note(0.5)
  pace.bar()
  for (let run = 0; run < 125; run++) pace.note(0.5)
  expect(pace.isShort()).toBe(false)
  for (let run = 0; run < 125; run++) pace.note(0.5)
  expect(pace.isShort()).toBe(true)
})
