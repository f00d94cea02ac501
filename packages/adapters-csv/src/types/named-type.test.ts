import { expect, test } from 'vitest'
import { namedType } from './named-type.ts'

test.each([
  ['text', { kind: 'text', digits: undefined }],
  ['Double Precision', { kind: 'float', digits: undefined }],
  ['numeric(10, 2)', { kind: 'decimal', digits: { precision: 10, scale: 2 } }],
  ['numeric(10)', { kind: 'decimal', digits: { precision: 10, scale: 0 } }],
  ['numeric(2,10)', undefined],
  ['text(10)', undefined],
  ['', undefined],
  ['constructor', undefined],
])('%s', (name, expected) => {
  expect(namedType(name)).toEqual(expected)
})
