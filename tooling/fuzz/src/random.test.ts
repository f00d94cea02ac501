import { expect, test } from 'vitest'
import { createRandom } from './random.ts'

const draws = (seed: number): readonly number[] => {
  const random = createRandom(seed)
  return Array.from({ length: 20 }, () => random.integer(1, 1_000_000))
}

test('a seed gives the same choices each time', () => {
  expect(draws(7)).toEqual(draws(7))
})

test('neighbouring seeds have nothing in common', () => {
  expect(new Set(draws(1)).intersection(new Set(draws(2))).size).toBeLessThan(2)
})

test('weights of zero are never drawn', () => {
  const random = createRandom(3)
  const drawn = Array.from({ length: 200 }, () =>
    random.weighted([
      [0, 'never'],
      [1, 'often'],
    ]),
  )

  expect(drawn).not.toContain('never')
})
