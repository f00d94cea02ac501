import { expect, test } from 'vitest'
import { bindFailure, bindText, bindTypes } from '../test-support/bind-for-test.ts'

test.for([
  ['array[1, $1]', `(array:integer[] '1':integer $1:integer)`],
  ['array[i, 2.5]', `(array:numeric[] (implicit numeric/function i) '2.5':numeric)`],
  ['array[]::text[]', '(array:text[])'],
  [`array['1', i]::bigint[]`, `(array:bigint[] '1':bigint (cast bigint/function i))`],
  [
    'array[[1, 2], [3, $1]]',
    `(array:integer[] (array:integer[] '1':integer '2':integer) (array:integer[] '3':integer $1:integer))`,
  ],
  [`array[ia, '{1}']`, `(array:integer[] ia {'1'}:integer[])`],
  ['ia[1]', `(subscript ia '1':integer)`],
  ['ta[$1]', '(subscript ta $1:integer)'],
  ['(array[1, 2])[i]', `(subscript (array:integer[] '1':integer '2':integer) i)`],
  [`jb['a'][0]`, `(#>(jsonb,_text) jb {'a','0'}:text[])`],
  ['ia[1:2]', `(section ia '1':integer:'2':integer)`],
  ['ia[:]', '(section ia :)'],
  ['ia[$1:]', '(section ia $1:integer:)'],
  ['ia[1][i]', `(section ia '1':integer i)`],
  ['ia[:i][2]', `(section ia :i '2':integer)`],
  ['(ia[1:2])[1]', `(subscript (section ia '1':integer:'2':integer) '1':integer)`],
  ['t collate "C"', '(collate t)'],
  ['$1 collate "C"', '(collate $1:text)'],
])('%s', ([expression, text]) => {
  expect(bindText(expression ?? '')).toBe(text)
})

test('elements keep the length that all of them have', () => {
  expect(bindTypes('array[v, v]')).toBe('character varying(20)[]')
  expect(bindTypes('array[v, t]')).toBe('character varying[]')
})

test('a slice is an array, several subscripts reach an element', () => {
  expect(bindTypes('ia[1:2]')).toBe('integer[]')
  expect(bindTypes('ia[1][2:3]')).toBe('integer[]')
  expect(bindTypes('ia[1][2]')).toBe('integer')
})

test('a subscript of jsonb that is no constant is a part of a path', () => {
  expect(bindText(`jb['a'][0]`)).toBe(`(#>(jsonb,_text) jb {'a','0'}:text[])`)
  expect(bindText('jb[t][i]')).toBe('(#>(jsonb,_text) jb (array:text[] t (cast text/inout i)))')
  expect(bindText('jb[$1]')).toBe('(#>(jsonb,_text) jb (array:text[] $1:text))')
})

test.for([
  ['array[]', '42P18: cannot determine type of empty array'],
  ['array[i, t]', '42804: ARRAY types integer and text cannot be matched'],
  [`array['x']::int[]`, 'dataError 22P02'],
  ['ia[t]', '42804'],
  ['i[1]', '42804: cannot subscript type integer'],
  ['ia[1][1][1][1][1][1][1]', '54000: number of array dimensions (7) exceeds the maximum'],
  [`jb[1:2]`, '0A000: jsonb subscript does not support slices'],
  ['ia[t:1]', '42804'],
  [`jb[d]`, '42804: subscript type date is not supported'],
  [`jb[n]`, '42804: subscript type numeric is not supported'],
  ['i collate "C"', '42804: collations are not supported by type integer'],
  ['t collate "en_US"', 'unsupported 0A000: the collation "en_US"'],
  ['t collate x."C"', 'unsupported 0A000'],
])('%s is refused', ([expression, failure]) => {
  expect(bindFailure(expression ?? '')).toContain(failure)
})
