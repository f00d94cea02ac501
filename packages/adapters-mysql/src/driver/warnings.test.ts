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
