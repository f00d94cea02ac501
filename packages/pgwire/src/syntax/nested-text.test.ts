import { expect, test } from 'vitest'
import { listInBrackets, textAfterWord, textInBrackets } from './nested-text.ts'

test('the text after a word, not where it is a name or inside of brackets', () => {
  expect(textAfterWord('prepare "as" (int) as select 1 as x', 'as')).toEqual({
    sql: 'select 1 as x',
    offset: 22,
  })
  expect(textAfterWord('declare c cursor /* for */ FOR\n select 1 for update', 'for')).toEqual({
    sql: 'select 1 for update',
    offset: 32,
  })
})

test('offsets count characters', () => {
  expect(textAfterWord('prepare "😀" as select 1', 'as').offset).toBe(15)
})

test('the text in the first brackets', () => {
  expect(textInBrackets("copy ( select (1), ')' from t ) to stdout (format csv)")).toEqual({
    sql: "select (1), ')' from t",
    offset: 7,
  })
})

test('lists are split at their own commas', () => {
  expect(listInBrackets("execute p ( 1, f(2, 3), array[4, 5], '6,7' , (8) )")).toEqual([
    '1',
    'f(2, 3)',
    'array[4, 5]',
    "'6,7'",
    '(8)',
  ])
})
