import { expect, test } from 'vitest'
import { oids } from '../../compiler/sql-types/oids.ts'
import type { PgType } from '../../compiler/sql-types/pg-type.ts'
import { createTypeSystem } from '../../compiler/sql-types/system/type-system.ts'
import { encodeTypmod, noTypmod } from '../../compiler/sql-types/typmod.ts'
import { columnTypeName } from './column-type-name.ts'

function type(oid: number, name: string, more: Partial<PgType>): PgType {
  return {
    oid,
    name,
    category: 'U',
    isPreferred: false,
    kind: 'base',
    isCollatable: false,
    isNameable: true,
    schema: 'public',
    ...more,
  }
}

const price = encodeTypmod(oids.numeric, [10, 2], 'numeric')
const types = createTypeSystem({
  types: [
    type(20_001, 'mood', { kind: 'enum', arrayOid: 20_002, enumLabels: ['sad'] }),
    type(20_002, '_mood', { elementOid: 20_001, category: 'A' }),
    type(20_003, 'price', {
      kind: 'domain',
      baseOid: oids.numeric,
      baseTypmod: price.ok ? price.typmod : noTypmod,
      arrayOid: 20_004,
    }),
    type(20_004, '_price', { elementOid: 20_003, category: 'A' }),
    type(20_005, 'discount', { kind: 'domain', baseOid: 20_003 }),
    type(20_006, 'json', { kind: 'enum', enumLabels: ['{}'] }),
    type(20_007, 'Shirt "size"', { kind: 'enum', enumLabels: ['m'] }),
    type(20_008, 'labels', { kind: 'domain', baseOid: oids.textArray }),
  ],
})

test.each([
  ['a type of PostgreSQL', oids.int4, 'integer'],
  ['a list', oids.textArray, 'text[]'],
  ['words that are no list', oids.int2vector, 'int2vector'],
  ['an enum', 20_001, 'mood'],
  ['a list of an enum', 20_002, 'mood[]'],
  ['a domain, with its limits', 20_003, 'numeric(10,2)'],
  ['a list of a domain', 20_004, 'numeric(10,2)[]'],
  ['a domain of a domain', 20_005, 'numeric(10,2)'],
  ['a domain of a list', 20_008, 'text[]'],
  ['an enum that is called like a type of PostgreSQL', 20_006, 'public.json'],
  ['a name that needs quotes', 20_007, '"Shirt ""size"""'],
])('%s', (_, oid, name) => {
  expect(columnTypeName(types, { oid, typmod: noTypmod })).toBe(name)
})

test('a modifier is part of the name', () => {
  expect(columnTypeName(types, { oid: oids.varchar, typmod: 24 })).toBe('character varying(20)')
})
