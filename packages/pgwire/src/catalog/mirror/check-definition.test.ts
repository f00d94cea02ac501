import { loadParser } from '@engine/core/session'
import { beforeAll, expect, test } from 'vitest'
import { isCheckDefinition } from './check-definition.ts'

beforeAll(loadParser)

test.each([
  'CHECK ((quantity > 0))',
  'CHECK (((status)::text = ANY (ARRAY[1, 2]::text[]))) NOT VALID',
])('%s is one', (definition) => {
  expect(isCheckDefinition(definition)).toBe(true)
})

test.each([
  'CHECK (true); drop schema main cascade',
  'CHECK (true), owner to pg_engine_client',
  'CHECK (true',
  'UNIQUE (id)',
  '',
  '; select 1',
  'CHECK (true) -- \n; drop table x',
])('%s is none', (definition) => {
  expect(isCheckDefinition(definition)).toBe(false)
})
