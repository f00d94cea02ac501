import { expect, test } from 'vitest'
import { parameterJson } from './parameter-json.ts'

test.each([
  [undefined, null],
  [null, null],
  [true, true],
  [1.5, 1.5],
  [2n ** 64n, '18446744073709551616'],
  [new Date(0), '1970-01-01T00:00:00.000Z'],
  [new Uint8Array([0, 255]), '\\x00ff'],
  [{ a: [1] }, { a: [1] }],
])('%o becomes %o', (value, json) => {
  expect(parameterJson(value)).toEqual(json)
})
