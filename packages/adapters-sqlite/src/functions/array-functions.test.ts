import { expect, test } from 'vitest'
import { arrayFunctions } from './array-functions.ts'

const call = (name: string, ...args: readonly (string | bigint | null)[]) =>
  arrayFunctions[name]?.call(...args)

test('arrays are written as PostgreSQL writes them', () => {
  expect(call('array_text', '["a","b c",null,"","NULL","x\\"y\\\\"]', 'text')).toBe(
    '{a,"b c",NULL,"","NULL","x\\"y\\\\"}',
  )
  expect(call('array_text', '[true,false]', 'bool')).toBe('{t,f}')
  expect(call('array_text', '[[1,2],[3,4]]', 'int4')).toBe('{{1,2},{3,4}}')
})

test('digits that a double would lose are kept', () => {
  expect(call('array_item', '[9007199254740993]', 1n)).toBe(9007199254740993n)
  expect(call('array_json', '["9007199254740993.10"]', 'numeric')).toBe('[9007199254740993.10]')
})

test('lists in lists become one list', () => {
  expect(call('array_flat', '[[1,2],[3,"a]"]]')).toBe('[1,2,3,"a]"]')
})

test('texts are split and joined; NULL has its own words', () => {
  expect(call('text_split', 'a,b,,c', ',', '')).toBe('["a","b",null,"c"]')
  expect(call('text_split', 'abc', null)).toBe('["a","b","c"]')
  expect(call('array_join', '["a",null,"c"]', 'text', '-')).toBe('a-c')
  expect(call('array_join', '["a",null,"c"]', 'text', '-', '*')).toBe('a-*-c')
})

test('positions outside of a list are NULL', () => {
  expect(call('array_item', '[1]', 0n)).toBeNull()
  expect(call('array_item', '[1]', 2n)).toBeNull()
  expect(call('array_slice', '[1,2,3]', 2n, 9n)).toBe('[2,3]')
})

test('keys of rows differ where rows do', () => {
  expect(call('row_key', '1', 2n)).not.toBe(call('row_key', 1n, '2'))
})
