import { expect, test } from 'vitest'
import { isNumericType } from './numeric-types.ts'

test.each([
  'smallint',
  'integer',
  'bigint',
  'numeric',
  'numeric(10,2)',
  'real',
  'double precision',
])('%s is numeric', (type) => expect(isNumericType(type)).toBe(true))

test.each(['text', 'integer[]', 'numeric(10,2)[]', 'boolean', 'date', 'interval', 'int4range'])(
  '%s is not',
  (type) => expect(isNumericType(type)).toBe(false),
)
