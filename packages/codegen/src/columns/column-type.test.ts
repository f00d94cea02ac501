import { expect, test } from 'vitest'
import { readColumnType } from './column-type.ts'

test.each([
  ['integer', 'integer', 'integer', [], false],
  ['numeric(10,2)', 'decimal', 'numeric', [10, 2], false],
  ['numeric(10,2)[]', 'decimal', 'numeric', [10, 2], true],
  ['character varying(20)', 'text', 'character varying', [20], false],
  ['timestamp(3) with time zone', 'text', 'timestamp with time zone', [3], false],
  ['timestamp without time zone[]', 'text', 'timestamp without time zone', [], true],
  ['double precision', 'float', 'double precision', [], false],
  ['jsonb', 'json', 'jsonb', [], false],
  ['mood', 'text', 'mood', [], false],
  ['public.json', 'text', 'public.json', [], false],
  ['"integer[]"', 'text', '"integer[]"', [], false],
  ['"Shirt ""size"""[]', 'text', '"Shirt ""size"""', [], true],
  ['', 'text', '', [], false],
] as const)('%s', (type, kind, name, modifiers, isArray) => {
  expect(readColumnType(type)).toEqual({ kind, name, modifiers, isArray })
})
