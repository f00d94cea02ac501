/** The errors that an editor shows for permissions over a schema; the compiler reads this file. */
import {
  type FilterOperatorName,
  type FilterTypeClass,
  filterOperatorNames,
  filterOperatorTable,
  filterTypes,
  typesWithoutEquality,
} from '@engine/contract'
import { expect, expectTypeOf, test } from 'vitest'
import { createFaults } from '../../../foundation/faults.ts'
import { columnTypeName } from '../../../runtime/schema/column-type-name.ts'
import { buildCatalog } from '../../catalog/build-catalog.ts'
import type { IntrospectedColumn } from '../../catalog/introspection.ts'
import { builtinTypes } from '../../sql-types/system/builtin-catalog.ts'
import { parseFilter } from '../filter/parse-filter.ts'
import type { ConditionOf, OperandsOf, TableFilter } from '../filter/typed-filter.ts'
import { definePermission, definePermissions } from './define-permissions.ts'
import type { Permission } from './permission.ts'

interface Schema {
  'main.customers': {
    columns: { id: 'integer'; name: 'text'; city: 'character varying'; born: 'date' }
    relations: {
      orders: { table: 'main.orders'; many: true }
      profile: { table: 'main.profiles'; many: false }
    }
  }
  'main.profiles': {
    columns: { customer_id: 'integer'; bio: 'text' }
    relations: { customer: { table: 'main.customers'; many: false } }
  }
  'main.orders': {
    columns: {
      id: 'bigint'
      customer_id: 'integer'
      status: 'mood'
      total: 'numeric'
      placed: 'timestamp with time zone'
      tags: 'text[]'
      data: 'jsonb'
      raw: 'json'
      paid: 'boolean'
    }
    relations: { customer: { table: 'main.customers'; many: false } }
  }
  'logs.lines': { columns: { at: 'date' }; relations: Record<never, never> }
}

type Orders = TableFilter<Schema, 'main.orders'>

test('permissions come back as they are', () => {
  const permissions = {
    own: {
      table: 'main.orders',
      roles: ['customer'],
      restrict: { paid: true },
      select: { columns: ['id', 'total'], where: { customer_id: '$user.customer_id' }, limit: 10 },
      insert: {
        columns: ['total'],
        preset: { status: 'new', paid: false, placed: { $now: '0s' } },
      },
      update: { columns: '*', where: { id: { $gt: 1 } }, check: {}, preset: { tags: null } },
      delete: {},
    },
    lines: { table: 'logs.lines', roles: ['*'], select: {} },
  } as const
  const defined = definePermissions<Schema>(permissions)
  expect(defined).toBe(permissions)
  expectTypeOf(defined).toEqualTypeOf<Readonly<Record<string, Permission>>>()
  expect(definePermissions(permissions)).toBe(permissions)
  expect(definePermission<Schema>(permissions.own)).toBe(permissions.own)
  expect(definePermission(permissions.own)).toBe(permissions.own)
})

test('without a schema every name is taken, and operators are known', () => {
  definePermissions({ any: { table: 'a.b', roles: ['r'], select: { where: { c: { $gt: 1 } } } } })
  definePermissions({
    // @ts-expect-error no such operator
    any: { table: 'a.b', roles: ['r'], select: { where: { c: { $startWith: 'x' } } } },
  })
})

test('a wrong name is an error', () => {
  const orders = { table: 'main.orders', roles: ['r'] } as const
  const customers = { table: 'main.customers', roles: ['r'] } as const
  // @ts-expect-error no such table
  definePermission<Schema>({ table: 'main.order', roles: ['r'], select: {} })
  // @ts-expect-error no such table
  definePermissions<Schema>({ a: { table: 'main.order', roles: ['r'], select: {} } })
  // @ts-expect-error no such column
  definePermission<Schema>({ ...orders, select: { columns: ['id', 'name'] } })
  // @ts-expect-error no such column
  definePermission<Schema>({ ...orders, insert: { columns: ['idd'], preset: { id: 1 } } })
  // @ts-expect-error a column of another table
  definePermission<Schema>({ ...orders, update: { preset: { bio: '' } } })
  // @ts-expect-error presets are no columns
  definePermission<Schema>({ ...orders, update: { preset: { id: { $col: 'customer_id' } } } })
  // @ts-expect-error not a number
  definePermission<Schema>({ ...orders, insert: { preset: { total: 'much' } } })
  // @ts-expect-error no such column
  definePermission<Schema>({ ...orders, delete: { where: { name: 'x' } } })
  // @ts-expect-error no such relation
  definePermission<Schema>({ ...orders, restrict: { buyer: { city: 'Oslo' } } })
  // @ts-expect-error a column of another table, in a relation
  definePermission<Schema>({ ...orders, select: { where: { customer: { total: 1 } } } })
  // @ts-expect-error no such operation
  definePermission<Schema>({ ...orders, remove: {} })
  // @ts-expect-error to-many relations have $some, $every and $none
  definePermission<Schema>({ ...customers, select: { where: { orders: { total: 1 } } } })
  // @ts-expect-error no such column of the row
  definePermission<Schema>({ ...customers, update: { where: { name: { $col: 'total' } } } })
  // @ts-expect-error $outer is for $exists
  definePermission<Schema>({ ...customers, delete: { where: { name: { $outer: 'name' } } } })
})

test('listed values are the only ones that a column is compared with', () => {
  interface Listed {
    'main.films': {
      columns: {
        rating: { type: 'film_rating'; values: 'G' | 'PG' }
        status: { type: 'text'; values: 'new' | 'paid' }
        stars: { type: 'integer'; values: 1 | 2 }
        moods: { type: 'mood[]'; values: 'sad' }
      }
      relations: Record<never, never>
    }
  }
  const films = { table: 'main.films', roles: ['r'] } as const
  const filters: readonly TableFilter<Listed, 'main.films'>[] = [
    { rating: 'G', status: { $in: ['new', 'paid'] }, stars: { $lt: 2 } },
    { status: { $like: 'n%', $startsWith: 'p', $ne: '$user.status' }, moods: ['sad', null] },
    { rating: { $not: 'PG' }, stars: { $lte: { $col: 'stars' } }, moods: { $contains: ['sad'] } },
  ]
  expect(filters.length).toBe(3)
  definePermission<Listed>({ ...films, insert: { preset: { status: 'new', stars: 2 } } })
  // @ts-expect-error no such value
  definePermission<Listed>({ ...films, insert: { preset: { status: 'old' } } })
  // @ts-expect-error no such value
  definePermission<Listed>({ ...films, delete: { where: { rating: 'R' } } })
  // @ts-expect-error no such value
  definePermission<Listed>({ ...films, delete: { where: { status: { $in: ['new', 'old'] } } } })
  // @ts-expect-error no such value
  definePermission<Listed>({ ...films, delete: { where: { stars: { $eq: 3 } } } })
  // @ts-expect-error an operator of texts
  definePermission<Listed>({ ...films, delete: { where: { rating: { $startsWith: 'G' } } } })
})

test('what the documentation shows is a filter', () => {
  const filters: readonly Orders[] = [
    {},
    { status: 'paid', total: { $gte: 100, $lt: 200n } },
    { total: '1.50', id: { $in: [1, '2', 3n] }, paid: { $ne: true } },
    { $or: [{ id: 1 }, { $not: { status: { $in: ['x'] } } }], $and: [], $nor: [{}] },
    { customer_id: '$user.customer_id', '$user.level': { $gte: 3 }, '$user.flag': true },
    { total: { $lt: { $col: 'customer_id' } }, status: { $literal: '$user.x' } },
    { placed: { $gte: { $now: '-30d' }, $between: ['2026-01-01', { $now: '0s' }] } },
    { customer: { city: 'Oslo', orders: { $some: { total: { $gt: 1 } }, $none: {} } } },
    { status: { $not: { $in: ['draft'] } }, customer_id: { $in: '$user.customers' } },
    { data: { $contains: { a: [1] }, $hasKey: 'theme', $overlaps: ['x'] }, raw: { $isNull: true } },
    { tags: { $contains: ['x'], $overlaps: '$user.tags' }, data: ['a'] },
    {
      $exists: {
        table: 'main.profiles',
        where: {
          customer_id: { $outer: 'customer_id' },
          $or: [{ customer_id: { $eq: { $outer: 'id' } } }],
          $exists: { table: 'main.customers', where: { id: { $outer: 'customer_id' } } },
        },
      },
    },
  ]
  expect(filters).toHaveLength(12)
})

test('a wrong operator or value is an error', () => {
  const filters: readonly Orders[] = [
    // @ts-expect-error no such operator
    { total: { $greater: 1 } },
    // @ts-expect-error no such operator on a text either
    { customer: { name: { $startWith: 'a' } } },
    // @ts-expect-error $startsWith is for texts
    { total: { $startsWith: '1' } },
    // @ts-expect-error and not for enums
    { status: { $startsWith: 'p' } },
    // @ts-expect-error $hasKey is for JSON
    { tags: { $hasKey: 'x' } },
    // @ts-expect-error json has no equality
    { raw: 'x' },
    // @ts-expect-error nor an order
    { raw: { $gt: 'x' } },
    // @ts-expect-error $now is for moments
    { total: { $gt: { $now: '-30d' } } },
    // @ts-expect-error not a number
    { total: 'much' },
    // @ts-expect-error not a boolean
    { paid: 'yes' },
    // @ts-expect-error NULL is asked with $isNull
    { total: null },
    // @ts-expect-error a list of two
    { total: { $between: [1] } },
    // @ts-expect-error of texts
    { tags: { $contains: [1] } },
    // @ts-expect-error neither a column nor logic
    { $any: [] },
    // @ts-expect-error a table of another connection
    { $exists: { table: 'logs.lines' } },
    // @ts-expect-error $outer names columns of the row around
    { $exists: { table: 'main.profiles', where: { bio: { $outer: 'bio' } } } },
    // @ts-expect-error a relation has no row around
    { $exists: { table: 'main.profiles', where: { customer: { id: { $outer: 'id' } } } } },
  ]
  expect(filters).toHaveLength(17)
})

/** Types of all classes; `box` has no `<>`. The engine is the judge of what the table of operators says about them. */
const types = [
  'boolean',
  'smallint',
  'integer',
  'bigint',
  'real',
  'double precision',
  'numeric',
  'money',
  'text',
  'character varying',
  'bpchar',
  'name',
  'bytea',
  'uuid',
  'date',
  'time without time zone',
  'time with time zone',
  'timestamp without time zone',
  'timestamp with time zone',
  'interval',
  'inet',
  'cidr',
  'macaddr',
  'int4range',
  'nummultirange',
  'tsquery',
  'json',
  'xml',
  'circle',
  'polygon',
  'jsonb',
  'integer[]',
  'text[]',
  'jsonb[]',
] as const

/** The operators that the table has for a type. */
function operatorsOf(type: string): readonly FilterOperatorName[] {
  const lists: Readonly<Partial<Record<FilterTypeClass, readonly string[]>>> = filterTypes
  const isComparable = !(typesWithoutEquality as readonly string[]).includes(type)
  const isOf = (needed: string) =>
    needed === 'any' ||
    (isComparable && (needed === 'equality' || needed === 'order')) ||
    (needed === 'array' && type.endsWith('[]')) ||
    lists[needed as FilterTypeClass]?.includes(type) === true
  return filterOperatorNames.filter(
    (name) => name !== '$not' && Object.keys(filterOperatorTable[name].operands).some(isOf),
  )
}

test('each type has the operators that the engine takes', () => {
  expect(takenOperators(types)).toEqual(
    Object.fromEntries(types.map((type) => [type, operatorsOf(type).toSorted()])),
  )
})

test('the compiler knows the operators of a type', () => {
  type Of<Type extends string> = keyof OperandsOf<Type, unknown>
  type Lacks<Type extends string, Names> = Extract<Names, Of<Type>>
  expectTypeOf<'$null' | '$notNull'>().toExtend<Of<'json'>>()
  expectTypeOf<Lacks<'json', '$eq' | '$gt' | '$contains' | '$like'>>().toBeNever()
  expectTypeOf<'$eq' | '$in' | '$between' | '$isNull'>().toExtend<Of<'integer'>>()
  expectTypeOf<Lacks<'integer', '$like' | '$contains' | '$overlaps' | '$not'>>().toBeNever()
  expectTypeOf<'$lt' | '$nilike' | '$endsWith' | '$contains'>().toExtend<Of<'character varying'>>()
  expectTypeOf<Lacks<'text', '$containedBy' | '$overlaps' | '$hasKey'>>().toBeNever()
  expectTypeOf<'$gte' | '$like' | '$nlike'>().toExtend<Of<'bytea'>>()
  expectTypeOf<Lacks<'bytea', '$ilike' | '$startsWith'>>().toBeNever()
  expectTypeOf<'$ne' | '$overlaps'>().toExtend<Of<'cidr'>>()
  expectTypeOf<Lacks<'cidr', '$containedBy'>>().toBeNever()
  expectTypeOf<'$eq' | '$containedBy' | '$overlaps'>().toExtend<Of<'int4range'>>()
  expectTypeOf<Lacks<'int4range', '$contains'>>().toBeNever()
  expectTypeOf<'$containedBy' | '$isNull'>().toExtend<Of<'polygon'>>()
  expectTypeOf<Lacks<'polygon', '$eq' | '$lt'>>().toBeNever()
  expectTypeOf<'$contains' | '$overlaps' | '$between'>().toExtend<Of<'text[]'>>()
  expectTypeOf<'$eq' | '$contains' | '$overlaps' | '$hasKey'>().toExtend<Of<'jsonb'>>()
})

test('a condition on a text and one on a number are not the same', () => {
  expectTypeOf<'paid'>().toExtend<ConditionOf<'text', 'a'>>()
  expectTypeOf<'paid'>().not.toExtend<ConditionOf<'integer', 'a'>>()
  expectTypeOf<'$user.id'>().toExtend<ConditionOf<'integer', 'a'>>()
})

function takenOperators(types: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const column = (oid: number): IntrospectedColumn => ({
    name: `c${oid}`,
    type: { oid, typmod: -1 },
    nullable: true,
    hasDefault: false,
    generated: 'no',
    nativeType: '',
    nativeDefault: undefined,
    collation: undefined,
    native: undefined,
    comment: undefined,
  })
  const columns = builtinTypes.map(({ oid }) => column(oid))
  const keys = { kind: 'table', primaryKey: [], uniqueKeys: [], foreignKeys: [] } as const
  const all = { schema: 'public', name: 'all', comment: undefined, columns, ...keys }
  const introspection = { tables: [all], types: [] }
  const main = { name: 'main', kind: 'postgres', introspection, relationships: {} } as const
  const catalog = buildCatalog([main], 1, (path, message) => {
    throw new Error(`${path}: ${message}`)
  })
  const connection = catalog.connections.get('main')
  const table = connection?.tables.get('all')
  if (connection === undefined || table === undefined) throw new Error('there is no table')
  return Object.fromEntries(
    table.columns.flatMap(({ name, type }) => {
      const typeName = columnTypeName(connection.types, type)
      if (!types.includes(typeName)) return []
      const taken = filterOperatorNames.filter((operator) => {
        const faults = createFaults()
        const operand = operandFor(operator, name)
        parseFilter(
          { [name]: { [operator]: operand } },
          { connection, table, outer: undefined, faults },
          'where',
        )
        return operator !== '$not' && faults.list.length === 0
      })
      return [[typeName, taken.toSorted()]]
    }),
  )
}

/** An operand that does not determine a type. */
function operandFor(operator: FilterOperatorName, column: string): unknown {
  const [form] = Object.values(filterOperatorTable[operator].operands)
  if (form === 'flag') return true
  const same = { $col: column }
  return form === 'list' || form === 'range' ? [same, same] : '$user.x'
}
