import { expect, test } from 'vitest'
import { refusalOf } from './warnings.ts'

test.each([
  ['Warning', 1260, 'limitExceeded', '54000', 400],
  ['Warning', 1977, 'invalidValue', '22P05', 422],
  ['Warning', 1292, 'unsupported', '22P02', 400],
  ['Error', 1690, 'unsupported', '22003', 400],
  ['Warning', 4038, 'unsupported', '0A000', 400],
])('a %s %i refuses the answer as %s', (level, code, problem, sqlState, status) => {
  const refusal = refusalOf([
    ['Note', 1265, 'rounded'],
    [level, code, 'CANARY'],
  ])
  expect(refusal).toMatchObject({ problem, status, sqlState })
  expect(refusal?.message).not.toContain('CANARY')
})

test('notes and deprecations change nothing', () => {
  expect(
    refusalOf([
      ['Note', 1265, 'rounded'],
      ['Warning', 1287, 'is deprecated'],
    ]),
  ).toBeUndefined()
})

test.each([
  ["Incorrect datetime value: '0000-00-00 00:00:00' for column 'c1' at row 1", undefined],
  ["Incorrect date value: '0000-00-00' for column 'c1' at row 7", undefined],
  // In a temporary table it becomes 0000-00-00.
  ["Incorrect date value: '2024-00-01' for column 'c1' at row 1", '22P02'],
  // A cast makes NULL of it.
  ["Incorrect datetime value: '0000-00-00 00:00:00'", '22P02'],
])('%s: %s', (text, sqlState) => {
  expect(refusalOf([['Warning', 1292, text]])?.sqlState).toBe(sqlState)
})

test('warnings that the server has not kept are not taken for harmless ones', () => {
  const notes = [['Note', 1265, 'rounded']]
  expect(refusalOf(notes, 1)).toBeUndefined()
  expect(refusalOf(notes, 2)).toMatchObject({ problem: 'unsupported', sqlState: '0A000' })
})
