import { expect, test } from 'vitest'
import type { Column } from '../../catalog/catalog.ts'
import { oids } from '../../sql-types/oids.ts'
import { shop } from '../test-support/authorize-for-test.ts'
import { knownDefault } from './known-default.ts'

function defaultOf(nativeDefault: string | undefined, oid: number, more: Partial<Column> = {}) {
  const [column] = shop.table('tags').columns
  if (column === undefined) throw new Error('no column')
  const type = { oid, typmod: -1 }
  const known = knownDefault(
    { ...column, type, nativeDefault, hasDefault: nativeDefault !== undefined, ...more },
    shop.connection.types,
  )
  return known?.kind === 'constant' ? known.value : known
}

test.each([
  [undefined, oids.text, null],
  ["'new'", oids.text, 'new'],
  ["'it''s'::text", oids.text, "it's"],
  ["('x'::character varying(5))::text", oids.text, undefined],
  ["'x'::character varying(5)", oids.varchar, 'x'],
  ['0', oids.int4, '0'],
  ['(-5)', oids.int4, '-5'],
  ["'-5'::integer", oids.int4, '-5'],
  ['1.50', oids.numeric, '1.50'],
  ['true', oids.bool, 'true'],
  ['TRUE', oids.bool, 'true'],
  ['NULL::text', oids.text, null],
  ['null', oids.int4, null],
  ['now()', oids.timestamptz, undefined],
  ["nextval('orders_id_seq'::regclass)", oids.int4, undefined],
  ['CURRENT_TIMESTAMP', oids.timestamptz, undefined],
  ["'a' || 'b'", oids.text, undefined],
  ["E'\\n'", oids.text, undefined],
  ["'2024-01-01 00:00:00'::timestamp without time zone", oids.timestamp, '2024-01-01 00:00:00'],
  ['1 + 1', oids.int4, undefined],
])('%s of type %s', (text, oid, expected) => {
  expect(defaultOf(text, oid)).toBe(expected)
})

test('what is generated, or computed by a type, is not known', () => {
  expect(defaultOf(undefined, oids.int4, { generated: 'always' })).toBeUndefined()
  expect(defaultOf(undefined, oids.int4, { generated: 'identity' })).toBeUndefined()
  expect(defaultOf(undefined, oids.int4, { hasDefault: true })).toBeUndefined()
})
