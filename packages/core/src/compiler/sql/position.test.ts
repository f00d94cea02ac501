import fc from 'fast-check'
import { expect, test } from 'vitest'
import { characterPositions } from './position.ts'

test('in ASCII a position is the offset counted from one', () => {
  const positionOf = characterPositions('select a')
  expect([0, 7, 8].map(positionOf)).toEqual([1, 8, 9])
})

test('characters of several bytes count once', () => {
  const positionOf = characterPositions('"é€😀"+a')
  expect([0, 1, 3, 6, 10, 11, 12].map(positionOf)).toEqual([1, 2, 3, 4, 5, 6, 7])
})

test('the start of every character of any text is found', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const positionOf = characterPositions(text)
      const characters = [...text]
      characters.forEach((_, i) => {
        const offset = Buffer.byteLength(characters.slice(0, i).join(''), 'utf8')
        expect(positionOf(offset)).toBe(i + 1)
      })
    }),
  )
})
