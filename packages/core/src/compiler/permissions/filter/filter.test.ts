import { expectTypeOf, test } from 'vitest'
import type { Filter } from './filter.ts'

test('what the documentation shows is a filter', () => {
  expectTypeOf({ status: 'paid', total: { $gte: 100, $lt: 200 } } as const).toExtend<Filter>()
  expectTypeOf({
    tenant_id: '$user.tenant_id',
    '$user.level': { $gte: 3 },
  } as const).toExtend<Filter>()
  expectTypeOf({ '$user.flag': true } as const).toExtend<Filter>()
  expectTypeOf({
    created_at: { $gte: { $now: '-30d' } },
    a: { $col: 'b' },
  } as const).toExtend<Filter>()
  expectTypeOf({ $or: [{ a: 1 }, { $not: { b: { $in: ['x'] } } }] } as const).toExtend<Filter>()
  expectTypeOf({ customer: { city: 'Oslo' } } as const).toExtend<Filter>()
  expectTypeOf({ orders: { $some: { total: { $gt: 1 } } } } as const).toExtend<Filter>()
  expectTypeOf({
    $exists: { table: 'main.members', where: { team_id: { $outer: 'team_id' } } },
  } as const).toExtend<Filter>()
  expectTypeOf({
    data: { $contains: { a: [1, { b: null }] } },
    tags: { $contains: ['x'] },
  } as const).toExtend<Filter>()
})

test('a wrong operator is none', () => {
  expectTypeOf({ name: { $startWith: 'a' } } as const).not.toExtend<Filter>()
  expectTypeOf({ total: { $greater: 1 } } as const).not.toExtend<Filter>()
  expectTypeOf({ total: { $within: [1, 2] } } as const).not.toExtend<Filter>()
  expectTypeOf({ $any: 'x' } as const).not.toExtend<Filter>()
  expectTypeOf({ notes: { $isNull: 'yes' } } as const).not.toExtend<Filter>()
  expectTypeOf({ total: { $between: [1] } } as const).not.toExtend<Filter>()
})
