import { expect, test } from 'vitest'
import { refusalOf } from './warnings.ts'

test.each([
  ['Warning', 1260, 'limitExceeded', '54000'],
  ['Warning', 1292, 'unsupported', '22P02'],
  ['Error', 1690, 'unsupported', '22003'],
  ['Warning', 4038, 'unsupported', '0A000'],
])('a %s %i refuses the answer as %s', (level, code, problem, sqlState) => {
  const refusal = refusalOf([
    ['Note', 1265, 'rounded'],
    [level, code, 'CANARY'],
  ])
  expect(refusal).toMatchObject({ problem, status: 400, sqlState })
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
