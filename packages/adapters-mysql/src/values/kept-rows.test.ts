import { expect, test } from 'vitest'
import { keptRow, keptText, storedRow } from './kept-rows.ts'

test('kept rows are a JSON array of arrays', () => {
  expect(keptText([keptRow([1, 'a"', null]), keptRow([Buffer.from([0, 255])])])).toBe(
    '[[1,"a\\"",null],["00FF"]]',
  )
})

test.each([
  [17n, '[1,"a"]', '[3,17,1,"a"]'],
  [0n, '[]', '[3,0]'],
  [2n ** 64n - 5n, '[null]', '[3,-5,null]'],
])('a stored row with the number %s follows its position', (number, row, stored) => {
  expect(storedRow(3, number, row)).toBe(stored)
})
