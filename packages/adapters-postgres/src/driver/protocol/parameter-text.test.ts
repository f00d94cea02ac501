import { expect, test } from 'vitest'
import { parameterText } from './parameter-text.ts'

test.each([
  [null, null],
  ['a "b" \\', 'a "b" \\'],
  [[], '{}'],
  [['1', null, 'NULL'], '{"1",NULL,"NULL"}'],
  [['a"b', 'c\\d', 'e,f', '{g}', ''], '{"a\\"b","c\\\\d","e,f","{g}",""}'],
  [
    [
      ['1', '2'],
      ['3', null],
    ],
    '{{"1","2"},{"3",NULL}}',
  ],
])('%j → %s', (value, text) => {
  expect(parameterText(value, ',')).toBe(text)
})

test('boxes are separated by semicolons', () => {
  expect(parameterText(['(1,1),(0,0)', '(2,2),(1,1)'], ';')).toBe('{"(1,1),(0,0)";"(2,2),(1,1)"}')
})
