/** @module Details of filters: types, faults, forms that are almost right. */
import { describe, expect, test } from 'vitest'
import { createFaults, suggestion } from '../../../foundation/faults.ts'
import { isPlainObject } from '../../../foundation/plain-object.ts'
import type { Expression, OperatorCall } from '../../bind/tree/expression.ts'
import { functionCall, implicitCast, made, operatorCall } from '../../bind/tree/typed-call.ts'
import type { Relationship, Table } from '../../catalog/catalog.ts'
import { oids } from '../../sql-types/oids.ts'
import { configKey } from '../permission/config-key.ts'
import { parsePermission } from '../permission/parse-permission.ts'
import { shop } from '../test-support/authorize-for-test.ts'
import { booleanConstant, combine } from './filter-expression.ts'
import { jsonValue } from './json-value.ts'
import { parseFilter } from './parse-filter.ts'
import { hasUnknown, type PolicyFilter, slotsOf } from './policy-filter.ts'
import { equalColumns } from './policy-operand.ts'

const { connection } = shop
const { types } = connection

function parse(input: unknown, table: Table = shop.table('orders'), outer?: Table) {
  const faults = createFaults()
  const filter = parseFilter(input, { connection, table, outer, faults }, 'where')
  return { filter, faults: faults.list.map(({ path, message }) => `${path}: ${message}`) }
}

const samples = shop.table('samples')

/** The expression of a filter with one condition. */
function built(input: unknown, table?: Table): Expression {
  const { filter, faults } = parse(input, table)
  expect(faults).toEqual([])
  if (filter.kind !== 'leaf') throw new Error(filter.kind)
  return filter.build(1, undefined)
}

describe('an operator that is almost right is suggested', () => {
  test.each([
    '$eq',
    '$ne',
    '$gt',
    '$gte',
    '$lt',
    '$lte',
    '$like',
    '$nlike',
    '$ilike',
    '$nilike',
    '$in',
    '$nin',
    '$between',
    '$isNull',
    '$null',
    '$notNull',
    '$startsWith',
    '$endsWith',
    '$contains',
    '$containedBy',
    '$overlaps',
    '$hasKey',
    '$not',
  ])('%s', (name) => {
    expect(parse({ status: { [`${name}_`]: 1 } }).faults).toEqual([
      `where.status.${name}_: unknown operator ${name}_; did you mean "${name}"?`,
    ])
  })
})

describe('faults', () => {
  const expects = 'expects a value, "$user.<field>", $col, $now or $literal'
  test.each([
    [{ labels: { $endsWith: 'x' } }, 'where.labels.$endsWith: $endsWith is for text'],
    [{ labels: { $startsWith: 'x' } }, 'where.labels.$startsWith: $startsWith is for text'],
    [
      { doc: { $contains: { a: 1 } } },
      'where.doc.$contains: operator does not exist: json @> json',
    ],
    [{ labels: { $in: '$user.x' } }, 'where.labels.$in: expects a list or "$user.<field>"'],
    [{ twice: { $in: '$userx.y' } }, 'where.twice.$in: expects a list or "$user.<field>"'],
    [{ twice: { $in: 'x.y' } }, 'where.twice.$in: expects a list or "$user.<field>"'],
    [{ twice: { $in: '$user.' } }, 'where.twice.$in: expects a list or "$user.<field>"'],
    [{ twice: { $literal: 1, x: 2 } }, `where.twice: ${expects}`],
    [{ at: { $now: '0s', x: 2 } }, `where.at: ${expects}`],
    [{ twice: { $col: 'twice', x: 2 } }, `where.twice: ${expects}`],
    [{ twice: { $eq: { a: 1 } } }, `where.twice.$eq: ${expects}`],
    [{ data: { $eq: { $x: 1 } } }, `where.data.$eq: ${expects}`],
    [{ data: { $eq: { a: 1, $x: 1 } } }, `where.data.$eq: ${expects}`],
    [{ data: null }, 'where.data: null is written as { $isNull: true }'],
    [
      { at: { $now: false } },
      'where.at: $now expects an interval such as "-30d", "+12h", "-1 month" or "0s"',
    ],
    [
      { at: { $now: 5 } },
      'where.at: $now expects an interval such as "-30d", "+12h", "-1 month" or "0s"',
    ],
    [{ '$user.x': {} }, 'where.$user.x: expects a value or operators such as { $gt: 1 }'],
    [{ '$user.x': { $col: 'nope' } }, 'where.$user.x.$col: main.samples has no column "nope"'],
    [{ '$user.x': { $col: 5 } }, 'where.$user.x.$col: main.samples has no column "5"'],
    [
      { code: { $startsWith: { $col: 'nope' } } },
      'where.code.$startsWith.$col: main.samples has no column "nope"',
    ],
  ])('%j', (input, fault) => {
    const { filter, faults } = parse(input, samples)
    expect(faults).toEqual(
      [fault].map((each) => expect.stringContaining(each.split(': ')[1] ?? '')),
    )
    expect(faults[0]?.startsWith(fault.split(':')[0] ?? '')).toBe(true)
    expect(filter).toEqual({ kind: 'unknown' })
  })
  test('of an $outer with something beside it', () => {
    const { faults } = parse(
      { id: { $outer: 'id', x: 1 } },
      shop.table('orders'),
      shop.table('tags'),
    )
    expect(faults).toEqual([`where.id: ${expects}`])
  })
  test('of names that every object has', () => {
    expect(parse({ tags: { constructor: {} } }).faults).toEqual([
      'where.tags.constructor: a to-many relation expects $some, $every or $none',
    ])
  })
  test('of a table of another connection whose name is as long', () => {
    expect(parse({ $exists: { table: 'mainxtags' } }).faults).toEqual([
      'where.$exists.table: there is no table "mainxtags" in connection main',
    ])
  })
})

describe('values', () => {
  test('of JSON are constants, whatever their keys end with', () => {
    expect(built({ data: { $eq: { a$: 1 } } }, samples)).toMatchObject({
      right: { kind: 'constant', value: '{"a$": 1}', type: { oid: oids.jsonb, typmod: -1 } },
    })
  })
  test.each<[unknown, number, unknown]>([
    ['-30d', -30 * 86_400_000, undefined],
    ['0s', 0, undefined],
    [0, 0, undefined],
    ['', 0, undefined],
    [true, 0, undefined],
    ['-2 months', 0, { startOfDay: false, months: -2 }],
  ])('$now with %j', ($now, offsetMs, calendar) => {
    const condition = built({ at: { $gt: { $now } } }, samples)
    expect(condition).toMatchObject({
      right: { kind: 'requestTime', offsetMs, calendar, type: { oid: oids.timestamp, typmod: -1 } },
    })
    // A client must not stop the time of a permission by keeping a transaction open.
    expect(condition).not.toHaveProperty('right.ofTransaction')
  })
  test('of a list of the caller are compared as elements', () => {
    expect(built({ id: { $in: '$user.ids' } })).toMatchObject({
      kind: 'quantifiedArray',
      quantifier: 'any',
      operator: { signature: '=(int4,int4)' },
      operand: { kind: 'column', column: 0 },
      array: { kind: 'caller', type: { oid: oids.int4Array, typmod: -1 } },
      type: { oid: oids.bool, typmod: -1 },
    })
  })
  test.each<[unknown, number]>([
    [true, oids.bool],
    [5, oids.numeric],
    ['x', oids.text],
    [[1], oids.numeric],
    [{ $in: [true] }, oids.bool],
    [{ $isNull: true }, oids.text],
    [{ $null: true }, oids.text],
    [{ $notNull: true }, oids.text],
    [{ $col: 'born' }, oids.date],
    [{ $eq: { $col: 'at' } }, oids.timestamp],
    [{ $gte: '$user.y' }, oids.text],
  ])('a field of the caller beside %j', (value, oid) => {
    const { filter } = parse({ '$user.x': value }, samples)
    const expected = Array.isArray(value) ? [] : [{ oid, typmod: -1 }]
    expect(
      slotsOf(filter)
        .slice(0, 1)
        .map(({ type }) => type),
    ).toEqual(expected)
  })
  test('of plain objects only, whoever made them', () => {
    expect(isPlainObject(Object.assign(Object.create(null), { a: 1 }))).toBe(true)
    expect(isPlainObject({})).toBe(true)
    expect([[], null, undefined, 'x', new Date(), Object.create({})].some(isPlainObject)).toBe(
      false,
    )
  })
  test('have keys that tell them apart', () => {
    const values = [1, '1', 1n, null, Number.NaN, Number.POSITIVE_INFINITY, 0, true, [], {}]
    expect(new Set(values.map((value) => configKey({ value }))).size).toBe(values.length)
    expect(configKey({ a: 1 })).toBe('{"a":1}')
    expect(configKey(2n)).toBe('{"$bigint":"2"}')
    expect(configKey(Number.NaN)).toBe('{"$number":"NaN"}')
  })
})

describe('relations', () => {
  const orders = shop.table('orders')
  const broken = (relation: Partial<Relationship>): Table => ({
    ...orders,
    relationships: new Map([
      [
        'broken',
        {
          name: 'broken',
          type: 'many-to-one',
          table: 'customers',
          from: ['id'],
          to: ['id'],
          through: undefined,
          ...relation,
        } as Relationship,
      ],
    ]),
  })
  test.each<[Partial<Relationship>, string]>([
    [{ to: ['name'] }, 'the relation cannot be joined: operator does not exist: integer = text'],
    [
      { table: 'tags', through: { table: 'nope', from: ['a'], to: ['b'] } },
      'the relation cannot be joined: there is no table "nope"',
    ],
    [
      { table: 'tags', through: { table: 'members', from: ['who'], to: ['id'] } },
      'the relation cannot be joined: operator does not exist: integer = text',
    ],
    [
      { table: 'tags', through: { table: 'members', from: ['id'], to: ['who'] } },
      'the relation cannot be joined: operator does not exist: text = integer',
    ],
    [{ table: 'nope' }, 'a relation expects a filter on the related table'],
  ])('%j', (relation, message) => {
    expect(parse({ broken: {} }, broken(relation)).faults).toEqual([`where.broken: ${message}`])
  })
  test('to a table that several others join have to say by which one', () => {
    const tags = orders.relationships.get('tags')
    if (tags?.through === undefined) throw new Error('the shop has no junction')
    const marks = { ...tags, name: 'tags_via_marks', through: { ...tags.through, table: 'marks' } }
    const several = { ...orders, relationships: new Map([...orders.relationships, ['x', marks]]) }
    expect(parse({ tags: { $some: {} } }, several).faults).toEqual([
      'where.tags: several tables join orders and tags (order_tags, marks): declare which one is meant, ' +
        'with its "through", in connections.main.relationships.orders',
    ])
    expect(parse({ tags: { $some: {} } }, orders).faults).toEqual([])
  })
  test('know their quantifier', () => {
    for (const quantifier of ['some', 'every', 'none']) {
      const { filter } = parse({ tags: { [`$${quantifier}`]: { name: 'x' } } })
      expect(filter).toMatchObject({ kind: 'relation', quantifier, path: [{}, {}] })
    }
    expect(parse({ customer: {} }).filter).toMatchObject({ kind: 'relation', quantifier: 'some' })
  })
  test('of columns that are not there are a mistake of the catalog', () => {
    expect(() => equalColumns(types, orders, ['nope'], orders, ['id'])).toThrow('no column nope')
    expect(() => equalColumns(types, orders, ['id'], orders, [])).toThrow('no column undefined')
  })
})

describe('conditions that are put together', () => {
  const equal = (column: number, name = '='): Expression =>
    made(
      operatorCall(
        types,
        name,
        { kind: 'column', relation: 1, column, type: { oid: oids.int4, typmod: -1 } },
        { kind: 'constant', value: '1', type: { oid: oids.int4, typmod: -1 } },
      ),
    )
  const logical = (operator: 'and' | 'or', operands: readonly Expression[]) =>
    ({ kind: 'logical', operator, operands, type: { oid: oids.bool, typmod: -1 } }) as const
  test('of none are constants', () => {
    expect(combine('and', [])).toEqual(booleanConstant(true))
    expect(combine('or', [])).toEqual(booleanConstant(false))
    expect([true, false, null].map((value) => booleanConstant(value))).toEqual(
      ['true', 'false', null].map((value) => ({
        kind: 'constant',
        value,
        type: { oid: oids.bool, typmod: -1 },
      })),
    )
  })
  test('of the same kind are one', () => {
    const [a, b, c] = [equal(0), equal(1), equal(2)]
    expect(combine('and', [a])).toBe(a)
    expect(combine('and', [logical('and', [a, b]), c])).toEqual(logical('and', [a, b, c]))
    expect(combine('or', [logical('and', [a, b]), c])).toEqual(
      logical('or', [logical('and', [a, b]), c]),
    )
    expect(combine('or', [{ kind: 'not', operand: a, type: a.type }, b])).toMatchObject({
      operands: [{ kind: 'not' }, b],
    })
  })
  test('say the same only once, unless saying it could fail', () => {
    const any: Expression = {
      kind: 'quantifiedArray',
      operator: (equal(0) as OperatorCall).operator,
      quantifier: 'any',
      operand: { kind: 'column', relation: 1, column: 0, type: { oid: oids.int4, typmod: -1 } },
      array: { kind: 'parameter', index: 0, type: { oid: oids.int4Array, typmod: -1 } },
      type: { oid: oids.bool, typmod: -1 },
    }
    expect(combine('and', [equal(0), equal(1), equal(0)])).toEqual(
      logical('and', [equal(0), equal(1)]),
    )
    expect(combine('and', [any, any])).toBe(any)
    const sum = equal(0, '/')
    expect(combine('and', [sum, sum])).toEqual(logical('and', [sum, sum]))
    const isNull: Expression = { kind: 'nullTest', operand: any, negated: false, type: any.type }
    expect(combine('or', [isNull, isNull])).toEqual(logical('or', [isNull, isNull]))
  })
})

describe('typed calls', () => {
  const int: Expression = { kind: 'constant', value: '1', type: { oid: oids.int4, typmod: -1 } }
  const text: Expression = { kind: 'constant', value: 'a', type: { oid: oids.text, typmod: -1 } }
  test('say why there is none', () => {
    expect(functionCall(types, 'nope', [int])).toEqual({ error: expect.stringContaining('nope') })
    expect(functionCall(types, 'int4', [text])).toHaveProperty('error')
    expect(operatorCall(types, '~~', int, int)).toEqual({
      error: 'operator does not exist: integer ~~ integer',
    })
    expect(() => made({ error: 'nothing there' })).toThrow('nothing there')
  })
  test('cast what they must, and nothing else', () => {
    expect(implicitCast(types, int, oids.int4)).toBe(int)
    expect(implicitCast(types, int, oids.int8)).toEqual({
      kind: 'cast',
      operand: int,
      method: 'function',
      isExplicit: false,
      type: { oid: oids.int8, typmod: -1 },
    })
    const long: Expression = { kind: 'constant', value: '1', type: { oid: oids.int8, typmod: -1 } }
    expect(implicitCast(types, long, oids.int4)).toBe(long)
    expect(functionCall(types, 'length', [text])).toMatchObject({
      kind: 'call',
      args: [text],
      type: { oid: oids.int4, typmod: -1 },
    })
  })
})

test('an UNKNOWN is found under a negation, and nowhere else', () => {
  const leaf = parse({ id: 1 }).filter
  const inside = (operand: PolicyFilter): PolicyFilter => ({ kind: 'not', operand })
  expect(hasUnknown(inside({ kind: 'and', operands: [leaf, { kind: 'unknown' }] }))).toBe(true)
  expect(hasUnknown(inside(leaf))).toBe(false)
  expect(hasUnknown(leaf)).toBe(false)
  expect(hasUnknown({ kind: 'true' })).toBe(false)
})

describe('a name that is close to a known one', () => {
  test.each([
    ['abcdefghi', 'abcdefxyz', true],
    ['abcdefghi', 'abcdewxyz', false],
    ['abc', 'xyz', false],
    ['abc', 'abx', true],
    ['ab', 'axx', false],
    ['', 'a', true],
    ['ordes', 'orders', true],
    ['xorders', 'orders', true],
    ['order', 'orders', true],
    ['sredro', 'orders', false],
    ['o', 'orders', false],
  ])('%s, %s: %j', (name, known, isClose) => {
    expect(suggestion(name, [known])).toBe(isClose ? `; did you mean "${known}"?` : '')
  })
  test('is the closest, the first of several', () => {
    expect(suggestion('orderx', ['odexx', 'orders', 'ordery'])).toBe('; did you mean "orders"?')
  })
})

describe('the shape of a permission', () => {
  const good = { table: 'main.orders', roles: ['r'], select: {} }
  const faultsOf = (change: unknown) => {
    const faults = createFaults()
    const parsed = parsePermission({ ...good, ...(change as object) }, faults, 'p')
    expect(parsed === undefined).toBe(faults.list.length > 0)
    return faults.list.map(({ path }) => path)
  }
  test.each<[object, readonly string[]]>([
    [{}, []],
    [{ table: ['main.orders'] }, ['p.table']],
    [{ description: 5 }, ['p.description']],
    [{ name: 5 }, ['p.name']],
    [{ delete: { where: 5 } }, ['p.delete.where']],
    [{ update: { where: 5, check: 6 } }, ['p.update.where', 'p.update.check']],
    [{ insert: { check: 5 } }, ['p.insert.check']],
    [{ restrict: 5 }, ['p.restrict']],
  ])('%j', (change, paths) => expect(faultsOf(change)).toEqual(paths))
})

describe('implicit casts are made as PostgreSQL makes them', () => {
  test.each([
    [oids.varchar, oids.text, 'binary'],
    [oids.int4, oids.float8, 'function'],
    [oids.int4Array, 1016, 'array'],
    [705, oids.int4, 'inout'],
  ])('%i to %i: %s', (from, to, method) => {
    const value: Expression = { kind: 'parameter', index: 0, type: { oid: from, typmod: -1 } }
    expect(implicitCast(types, value, to)).toMatchObject({ method, type: { oid: to, typmod: -1 } })
  })
  test('of a domain to its base type', () => {
    const positive = shop.connection.types.typeByOid(90_003)
    const value: Expression = { kind: 'parameter', index: 0, type: { oid: 90_003, typmod: -1 } }
    expect(positive?.kind).toBe('domain')
    expect(implicitCast(types, value, oids.int4)).toMatchObject({ method: 'binary' })
  })
})

test('a text in the place of JSON is a JSON string, whichever JSON it is', () => {
  const values = [oids.json, oids.jsonb, oids.text].map((oid) =>
    jsonValue(types, { oid, typmod: -1 }, 'x'),
  )
  expect(values).toEqual(['"x"', '"x"', 'x'])
  expect(jsonValue(types, { oid: oids.jsonb, typmod: -1 }, 5)).toBe(5)
})
