import { expect, test } from 'vitest'
import type { Filter } from '../../compiler/permissions/filter/filter.ts'
import { describeFilter } from './describe-filter.ts'

test.each<[filter: Filter | undefined, text: string]>([
  [undefined, 'true'],
  [{}, 'true'],
  [{ $and: [] }, 'true'],
  [{ $or: [] }, 'false'],
  [{ status: 'paid' }, "status = 'paid'"],
  [{ status: "o'paid" }, "status = 'o''paid'"],
  [{ total: 5, active: true }, 'total = 5 and active = true'],
  [{ customer_id: '$user.customer_id' }, 'customer_id = $user.customer_id'],
  [{ name: { $literal: '$user.x' } }, "name = '$user.x'"],
  [{ total: { $gte: 1, $lt: 9 } }, 'total >= 1 and total < 9'],
  [{ total: { $between: [1, 9] } }, 'total between 1 and 9'],
  [{ status: { $in: ['new', 'paid'] } }, "status in ('new', 'paid')"],
  [{ status: { $nin: '$user.closed' } }, 'status not in $user.closed'],
  [{ notes: { $isNull: true } }, 'notes is null'],
  [{ notes: { $null: false } }, 'notes is not null'],
  [{ notes: { $notNull: true } }, 'notes is not null'],
  [{ notes: { $notNull: false } }, 'notes is null'],
  [{ name: { $startsWith: 'A' } }, "name starts with 'A'"],
  [{ shipped: { $gt: { $col: 'ordered' } } }, 'shipped > ordered'],
  [{ ordered: { $gt: { $now: '-30d' } } }, 'ordered > now - 30d'],
  [{ ordered: { $lt: { $now: '12h' } } }, 'ordered < now + 12h'],
  [{ ordered: { $lt: { $now: '0s' } } }, 'ordered < now'],
  [{ '$user.level': { $gte: 3 } }, '$user.level >= 3'],
  [{ total: { $not: { $gt: 5 } } }, 'not (total > 5)'],
  [{ $not: { a: 1, b: 2 } }, 'not (a = 1 and b = 2)'],
  [{ $nor: [{ a: 1 }, { b: 2 }] }, 'not (a = 1 or b = 2)'],
  [{ customer: { city: 'Oslo' } }, "a related row of customer has (city = 'Oslo')"],
  [{ orders: { $some: { status: 'new' } } }, "a related row of orders has (status = 'new')"],
  [{ orders: { $every: { status: 'new' } } }, "every related row of orders has (status = 'new')"],
  [{ orders: { $none: {} } }, 'no related row of orders exists'],
  [{ data: { $contains: { a: 1 } } }, 'data contains {"a":1}'],
  [
    { $exists: { table: 'main.members', where: { team_id: { $outer: 'team_id' } } } },
    'exists (main.members where team_id = outer team_id)',
  ],
  [{ $exists: { table: 'main.members' } }, 'exists (main.members)'],
])('%j is %s', (filter, text) => {
  expect(describeFilter(filter)).toBe(text)
})

test('what is bound differently stands in brackets', () => {
  expect(describeFilter({ a: 1, $or: [{ b: 2 }, { c: 3, d: 4 }] })).toBe(
    'a = 1 and (b = 2 or c = 3 and d = 4)',
  )
  expect(describeFilter({ $or: [{ a: 1 }, { $or: [{ b: 2 }, { c: 3 }] }] })).toBe(
    'a = 1 or b = 2 or c = 3',
  )
})
