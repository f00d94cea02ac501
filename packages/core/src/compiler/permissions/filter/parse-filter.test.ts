import { describe, expect, test } from 'vitest'
import { createFaults } from '../../../foundation/faults.ts'
import { visitExpression } from '../../bind/tree/visit-query.ts'
import { shop } from '../test-support/authorize-for-test.ts'
import { describeExpression } from '../test-support/describe-statement.ts'
import { faultOf } from '../test-support/well-formed.ts'
import type { FilterContext } from './filter-context.ts'
import { filterExpression } from './filter-expression.ts'
import { parseFilter } from './parse-filter.ts'
import { fold, type PolicyFilter } from './policy-filter.ts'

interface Parsed {
  readonly filter: PolicyFilter
  readonly faults: readonly string[]
}

function parse(input: unknown, table = 'orders'): Parsed {
  const faults = createFaults()
  const context: FilterContext = {
    connection: shop.connection,
    table: shop.table(table),
    outer: undefined,
    faults,
  }
  const filter = parseFilter(input, context, 'where')
  return { filter, faults: faults.list.map(({ path, message }) => `${path}: ${message}`) }
}

/** The condition as text, for a caller who has every field except those in `missing`. */
function text(input: unknown, table = 'orders', missing: readonly string[] = []): string {
  const { filter, faults } = parse(input, table)
  expect(faults).toEqual([])
  const folded = fold(filter, ({ path }) => !missing.includes(path.join('.')))
  let id = 1
  const nextId = () => {
    id += 1
    return id
  }
  const expression = filterExpression(folded, 1, nextId)
  visitExpression(expression, {
    expression: (part) => expect(faultOf(part, shop.connection.types)).toBeUndefined(),
  })
  const described = describeExpression(expression, shop.table(table), 1)
  const seen: string[] = []
  return described.replace(/\br\d+\b/g, (relation) => {
    if (!seen.includes(relation)) seen.push(relation)
    return `r${seen.indexOf(relation) + 1}`
  })
}

describe('nothing to test is TRUE', () => {
  test.each([undefined, {}, { $and: [] }, { $and: [{}, {}] }, { $nor: [] }, { $not: { $or: [] } }])(
    '%j',
    (input) => expect(text(input)).toBe('true'),
  )
  test.each([{ $or: [] }, { $nor: [{}] }, { $not: {} }])('%j is FALSE', (input) =>
    expect(text(input)).toBe('false'),
  )
})

describe('operators', () => {
  test.each([
    [{ status: 'paid' }, '(row.status = paid)'],
    [{ status: { $eq: 'paid' } }, '(row.status = paid)'],
    [{ id: { $ne: 5 } }, '(row.id <> 5)'],
    [{ id: { $gt: 1, $lte: 5 } }, '((row.id > 1) and (row.id <= 5))'],
    [{ id: { $gte: 1 }, total: { $lt: 5 } }, '((row.id >= 1) and (row.total < 5))'],
    [{ id: { $in: [1, 2] } }, '((row.id = 1) or (row.id = 2))'],
    [{ id: { $in: [] } }, 'false'],
    [{ id: { $nin: [1] } }, 'not((row.id = 1))'],
    [{ id: { $nin: [] } }, 'true'],
    [{ id: { $between: [1, 5] } }, '((row.id >= 1) and (row.id <= 5))'],
    [{ notes: { $like: 'a%' } }, '(row.notes ~~ a%)'],
    [{ notes: { $nlike: 'a%' } }, '(row.notes !~~ a%)'],
    [{ notes: { $ilike: 'a%' } }, '(row.notes ~~* a%)'],
    [{ notes: { $nilike: 'a%' } }, '(row.notes !~~* a%)'],
    [{ notes: { $startsWith: 'a%' } }, 'starts_with(row.notes, a%)'],
    [{ notes: { $endsWith: 'a' } }, '(right(row.notes, length(a)) = a)'],
    [{ notes: { $contains: 'a' } }, '(strpos(row.notes, a) > 0)'],
    [{ notes: { $isNull: true } }, '(row.notes is null)'],
    [{ notes: { $isNull: false } }, '(row.notes is not null)'],
    [{ notes: { $null: true } }, '(row.notes is null)'],
    [{ notes: { $notNull: true } }, '(row.notes is not null)'],
    [{ notes: { $notNull: false } }, '(row.notes is null)'],
    [{ id: { $not: { $gt: 5 } } }, 'not((row.id > 5))'],
    [{ freight: '5.5' }, '(row.freight = 5.5)'],
    [{ freight: 5 }, '(row.freight = 5)'],
    [{ code: 'longer than the column' }, '(row.code = longer than the column)'],
    [{ status: { $col: 'tenant' } }, '(row.status = row.tenant)'],
    [{ total: { $gt: { $col: 'id' } } }, '(row.total > row.id)'],
    [{ status: { $literal: '$user.x' } }, '(row.status = $user.x)'],
    [
      { status: { $in: ['a', { $literal: '$user' }] } },
      '((row.status = a) or (row.status = $user))',
    ],
  ])('%j', (input, expected) => expect(text(input)).toBe(expected))

  test.each([
    [{ labels: { $contains: ['a'] } }, '(row.labels @> {a})'],
    [{ labels: { $containedBy: ['a', 'b'] } }, '(row.labels <@ {a,b})'],
    [{ labels: { $overlaps: '$user.labels' } }, '(row.labels && $user.labels)'],
    [{ labels: ['a'] }, '(row.labels = {a})'],
    [{ data: { $contains: { a: 1 } } }, '(row.data @> {"a": 1})'],
    [{ data: { $contains: 'blue' } }, '(row.data @> "blue")'],
    [{ data: { $overlaps: '$user.labels' } }, '(row.data ?| $user.labels)'],
    [{ data: { $hasKey: 'a' } }, '(row.data ? a)'],
    [{ data: { $hasKey: '$user.key' } }, '(row.data ? $user.key)'],
    [{ data: { a: 1 } }, undefined],
    [{ mood: 'ok' }, '(row.mood = ok)'],
    [{ mood: { $in: '$user.moods' } }, '(row.mood = any $user.moods)'],
    [{ positive: { $gte: 5 } }, '(row.positive >= 5)'],
    [{ at: { $gte: { $now: '-30d' } } }, '(row.at >= now-2592000000)'],
    [{ born: { $lt: { $now: '0s' } } }, '(row.born < now)'],
    [{ flag: true }, '(row.flag = true)'],
    [{ doc: { $isNull: true } }, '(row.doc is null)'],
  ])('%j of samples', (input, expected) => {
    if (expected === undefined) {
      expect(parse(input, 'samples').faults).toHaveLength(1)
      return
    }
    expect(text(input, 'samples')).toBe(expected)
  })
})

describe('fields of the caller', () => {
  test('are values, whatever they hold', () => {
    expect(text({ tenant: '$user.tenant' })).toBe('(row.tenant = $user.tenant)')
    expect(text({ tenant: { $in: ['x', '$user.org.id'] } })).toBe(
      '((row.tenant = x) or (row.tenant = $user.org.id))',
    )
    expect(text({ tenant: { $nin: '$user.blocked' } })).toBe(
      'not((row.tenant = any $user.blocked))',
    )
  })
  test('are converted to the type of the column, without its length', () => {
    const { filter } = parse({ code: '$user.code', id: { $in: '$user.ids' } })
    const slots =
      filter.kind === 'and' ? filter.operands.flatMap((o) => ('slots' in o ? o.slots : [])) : []
    expect(slots).toEqual([
      { path: ['code'], type: { oid: 1043, typmod: -1 }, connection: 'main' },
      { path: ['ids'], type: { oid: 1007, typmod: -1 }, connection: 'main' },
    ])
  })
  test('may stand on the left', () => {
    expect(text({ '$user.level': { $gte: 3 } })).toBe('($user.level >= 3)')
    expect(text({ '$user.role': { $in: ['a', 'b'] } })).toBe(
      '(($user.role = a) or ($user.role = b))',
    )
    expect(text({ '$user.verified': true })).toBe('($user.verified = true)')
    expect(text({ '$user.id': { $col: 'id' } })).toBe('($user.id = row.id)')
    expect(text({ '$user.email': { $notNull: true } })).toBe('($user.email is not null)')
  })
  test('compare as what they are compared with', () => {
    const typeOf = (input: unknown) => {
      const { filter } = parse(input)
      return filter.kind === 'leaf' ? filter.slots[0]?.type.oid : undefined
    }
    expect(typeOf({ '$user.level': { $gte: 3 } })).toBe(1700)
    expect(typeOf({ '$user.verified': true })).toBe(16)
    expect(typeOf({ '$user.id': { $col: 'id' } })).toBe(23)
    expect(typeOf({ '$user.email': { $notNull: true } })).toBe(25)
    expect(typeOf({ '$user.email': { $null: false } })).toBe(25)
  })
  test('that are missing make their condition UNKNOWN, for good or bad', () => {
    expect(text({ tenant: '$user.tenant' }, 'orders', ['tenant'])).toBe('null')
    expect(text({ $not: { tenant: '$user.tenant' } }, 'orders', ['tenant'])).toBe('null')
    expect(text({ tenant: { $nin: '$user.list' } }, 'orders', ['list'])).toBe('null')
    expect(text({ '$user.x': { $isNull: true } }, 'orders', ['x'])).toBe('null')
    expect(text({ $or: [{ tenant: '$user.tenant' }, { id: 1 }] }, 'orders', ['tenant'])).toBe(
      '((row.id = 1) or null)',
    )
    expect(text({ $or: [{ tenant: '$user.tenant' }, {}] }, 'orders', ['tenant'])).toBe('true')
  })
})

describe('relations', () => {
  test('to one', () => {
    expect(text({ customer: { city: 'Oslo' } })).toBe(
      'exists(select 1 from customers where ((row.customer_id = r1.c1) and (r1.c3 = Oslo)))',
    )
    expect(text({ profiles: { bio: 'x' } }, 'customers')).toBe(
      'exists(select 1 from profiles where ((row.id = r1.c2) and (r1.c3 = x)))',
    )
  })
  test('to many', () => {
    const some = 'exists(select 1 from orders where ((row.id = r1.c2) and (r1.c3 = paid)))'
    expect(text({ orders: { $some: { status: 'paid' } } }, 'customers')).toBe(some)
    expect(text({ orders: { $none: { status: 'paid' } } }, 'customers')).toBe(`not(${some})`)
    expect(text({ orders: { $every: { status: 'paid' } } }, 'customers')).toBe(
      'not(exists(select 1 from orders where ((row.id = r1.c2) and ((r1.c3 = paid) is not true))))',
    )
    expect(text({ orders: { $some: {} } }, 'customers')).toBe(
      'exists(select 1 from orders where ((row.id = r1.c2) and true))',
    )
  })
  test('through a junction', () => {
    expect(text({ tags: { $some: { name: 'vip' } } })).toBe(
      'exists(select 1 from order_tags, tags where ((row.id = r1.c1) and (r1.c2 = r2.c1) and (r2.c2 = vip)))',
    )
  })
  test('nested', () => {
    expect(text({ order_tags: { $some: { order: { customer: { city: 'Oslo' } } } } })).toContain(
      'exists(select 1 from customers where ',
    )
  })
  test('any table', () => {
    const membership = {
      $exists: {
        table: 'main.members',
        where: { who: '$user.id', tenant: { $outer: 'tenant' } },
      },
    }
    expect(text(membership)).toBe(
      'exists(select 1 from members where ((r1.c3 = $user.id) and (r1.c2 = row.tenant)))',
    )
    expect(text({ $not: membership }, 'orders', ['id'])).toBe('null')
  })
  test('an UNKNOWN inside never proves that there is none', () => {
    const none = { orders: { $none: { $or: [{ tenant: '$user.tenant' }, { status: 'paid' }] } } }
    expect(text(none, 'customers', ['tenant'])).toMatch(
      /^not\(case when .* then true else null end\)$/,
    )
    const every = { orders: { $every: { $or: [{ tenant: '$user.tenant' }, { status: 'paid' }] } } }
    const never = { orders: { $every: { tenant: '$user.tenant', status: 'paid' } } }
    expect(text(never, 'customers', ['tenant'])).toBe('null')
    const plain = text(every, 'customers', ['tenant']).replaceAll(/[()]/g, '')
    const found = (test: string) =>
      `existsselect 1 from orders where row.id = r1.c2 and r1.c3 = paid or null ${test}`
    expect(plain.replaceAll('r2.', 'r1.')).toBe(
      `case when ${found('is false')} then false when ${found('is unknown')} then null else true end`,
    )
  })
})

describe('faults', () => {
  test.each([
    [[], 'where: a filter is an object'],
    ['x', 'where: a filter is an object'],
    [null, 'where: a filter is an object'],
    [
      { stats: 'x' },
      'where.stats: main.orders has no column or relation "stats"; did you mean "status"?',
    ],
    [{ $xor: [] }, 'where.$xor: unknown operator $xor; did you mean "$or"?'],
    [{ $user: 1 }, 'where.$user: unknown operator $user; there are $and, $or, $nor, $not, $exists'],
    [{ '$user.': 1 }, 'where.$user.: "$user." is not of the form $user.<field>'],
    [{ '$user.a..b': 1 }, 'where.$user.a..b: "$user.a..b" is not of the form $user.<field>'],
    [{ id: { $gtt: 1 } }, 'where.id.$gtt: unknown operator $gtt; did you mean "$gt"?'],
    [{ id: {} }, 'where.id: expects a value or operators such as { $gt: 1 }'],
    [
      { id: { gt: 1 } },
      'where.id: expects a value or operators such as { $gt: 1 }; "gt" is no operator; did you mean "$gt"?',
    ],
    [
      { id: { _eqq: 1 } },
      'where.id: expects a value or operators such as { $gt: 1 }; "_eqq" is no operator; did you mean "$eq"?',
    ],
    [
      { id: { equals: 1 } },
      'where.id: expects a value or operators such as { $gt: 1 }; "equals" is no operator; did you mean "$eq"?',
    ],
    [
      { id: { zebra: 1 } },
      'where.id: expects a value or operators such as { $gt: 1 }; "zebra" is no operator',
    ],
    [{ id: 'x' }, 'where.id: invalid input syntax for type integer: "x"'],
    [{ id: null }, 'where.id: null is written as { $isNull: true }'],
    [{ id: { $eq: undefined } }, 'where.id.$eq: expected int4, got a value of type undefined'],
    [{ id: { $in: 5 } }, 'where.id.$in: expects a list or "$user.<field>"'],
    [{ id: { $in: '$user' } }, 'where.id.$in: expects a list or "$user.<field>"'],
    [{ id: '$user' }, 'where.id: "$user" is not of the form $user.<field>'],
    [{ status: '$users.x' }, 'where.status: "$users.x" is not of the form $user.<field>'],
    [{ id: { $between: [1] } }, 'where.id.$between: $between expects [from, to]'],
    [{ id: { $isNull: 1 } }, 'where.id.$isNull: expects true or false'],
    [{ id: { $startsWith: '1' } }, 'where.id.$startsWith: $startsWith is for text'],
    [{ id: { $like: '1' } }, 'where.id.$like: operator does not exist: integer ~~ integer'],
    [
      { notes: { $like: 'a\\' } },
      'where.notes.$like: a pattern cannot end in the escape character \\',
    ],
    [
      { notes: { $nilike: { $literal: '\\\\\\' } } },
      'where.notes.$nilike: a pattern cannot end in the escape character \\',
    ],
    [
      { notes: { $like: { $col: 'status' } } },
      'where.notes.$like: a pattern is a constant or "$user.<field>": a stored one could fail on a row',
    ],
    [
      { $exists: { table: 'main.customers', where: { name: { $ilike: { $outer: 'notes' } } } } },
      'where.$exists.where.name.$ilike: a pattern is a constant or "$user.<field>": a stored one could fail on a row',
    ],
    [{ id: { $col: 'nope' } }, 'where.id.$col: main.orders has no column "nope"'],
    [{ id: { $col: 'status' } }, 'where.id: operator does not exist: integer = text'],
    [
      { id: { $col: 'id', $gt: 1 } },
      'where.id: expects a value, "$user.<field>", $col, $now or $literal',
    ],
    [
      { id: { $outer: 'id' } },
      'where.id: expects a value, "$user.<field>", $col, $now or $literal',
    ],
    [{ id: { $now: '0s' } }, 'where.id: $now is compared with a date or timestamp column'],
    [{ customer: 'Oslo' }, 'where.customer: a relation expects a filter on the related table'],
    [
      { customer: { nope: 1 } },
      'where.customer.nope: main.customers has no column or relation "nope"',
    ],
    [{ tags: {} }, 'where.tags: a to-many relation expects $some, $every or $none'],
    [{ tags: { name: 'x' } }, 'where.tags.name: a to-many relation expects $some, $every or $none'],
    [{ tags: { $some: undefined } }, 'where.tags.$some: a filter is missing'],
    [{ $exists: {} }, 'where.$exists: $exists expects { table, where }'],
    [
      { $exists: { table: 'main.nope' } },
      'where.$exists.table: there is no table "main.nope" in connection main',
    ],
    [
      { $exists: { table: 'other.tags' } },
      'where.$exists.table: there is no table "other.tags" in connection main',
    ],
    [{ $exists: { table: 'main.tags', wher: {} } }, 'where.$exists.wher: unknown key'],
    [{ $and: {} }, 'where.$and: expects a list of filters'],
    [{ $or: [5] }, 'where.$or[0]: a filter is an object'],
    [{ $not: undefined }, 'where.$not: a filter is missing'],
    [{ constructor: 1 }, 'where.constructor: main.orders has no column or relation "constructor"'],
  ])('%j', (input, fault) => {
    const { faults, filter } = parse(input)
    expect(faults).toEqual([fault])
    expect(fold(filter, () => true)).not.toEqual({ kind: 'true' })
  })
  test('$now wants a duration', () => {
    expect(parse({ at: { $now: 'yesterday' } }, 'samples').faults).toEqual([
      'where.at: $now expects an interval such as "-30d", "+12h", "-1 month" or "0s"',
    ])
  })
  test('types that cannot be compared are refused at start', () => {
    expect(parse({ doc: { a: 1 } }, 'samples').faults).toHaveLength(1)
    expect(parse({ doc: '{}' }, 'samples').faults).toEqual([
      'where.doc: operator does not exist: json = json',
    ])
  })
  test('every fault of a filter is found', () => {
    expect(parse({ $or: [{ a: 1 }, { $and: [{ b: 1 }] }] }).faults).toHaveLength(2)
  })
})
