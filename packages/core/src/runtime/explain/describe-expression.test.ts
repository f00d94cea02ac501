import { expect, test } from 'vitest'
import type { Filter } from '../../compiler/permissions/filter/filter.ts'
import { accessOf, user } from '../../compiler/permissions/test-support/authorize-for-test.ts'
import { conditionText } from './permission-verdicts.ts'

/** The `where` of a permission on `orders`, for a caller with these fields. */
function textFor(where: Filter, fields: Readonly<Record<string, unknown>> = {}): string {
  const access = accessOf(
    { p: { table: 'main.orders', roles: ['r'], select: { where } } },
    user(['r'], fields),
  )
  const table = access.connection.tables.get('orders')
  const select = table && access.permissionsFor(table)[0]?.select
  if (table === undefined || select === undefined) throw new Error('there is no such permission')
  return conditionText(select.where, table, access.connection.types)
}

const tenant = { tenant: 'acme' }

test.each<[where: Filter, fields: Readonly<Record<string, unknown>>, text: string]>([
  [{}, {}, 'true'],
  [{ $or: [] }, {}, 'false'],
  [{ tenant: '$user.tenant' }, tenant, 'tenant = $user.tenant'],
  [{ tenant: '$user.tenant' }, {}, 'unknown'],
  [{ $not: { tenant: '$user.tenant' } }, {}, 'unknown'],
  [{ $or: [{ tenant: '$user.tenant' }, { status: 'new' }] }, {}, "status = 'new' or unknown"],
  [{ status: "o'new", total: { $gt: 5 } }, {}, "status = 'o''new' and total > 5"],
  [
    { total: 5, $or: [{ status: 'new' }, { notes: { $isNull: true } }] },
    {},
    "total = 5 and (status = 'new' or notes is null)",
  ],
  [{ status: { $like: 'n%' } }, {}, "status like 'n%'"],
  [{ status: { $nin: ['a', 'b'] } }, {}, "not (status = 'a' or status = 'b')"],
  [{ status: { $in: '$user.open' } }, { open: ['a'] }, 'status = any ($user.open)'],
  [{ notes: { $col: 'status' } }, {}, 'notes = status'],
  [{ notes: { $startsWith: 'A' } }, {}, "starts_with(notes, 'A')"],
  [{ '$user.level': { $gte: 3 } }, { level: 4 }, '$user.level >= 3'],
  [
    { customer: { city: 'Oslo' } },
    {},
    "exists (customers where customer_id = customers.id and customers.city = 'Oslo')",
  ],
  [
    { $exists: { table: 'main.members', where: { tenant: { $outer: 'tenant' } } } },
    {},
    'exists (members where members.tenant = tenant)',
  ],
])('%j for %j is %s', (where, fields, text) => {
  expect(textFor(where, fields)).toBe(text)
})

test('the moment of a request is named with its distance', () => {
  const access = accessOf(
    {
      p: {
        table: 'main.customers',
        roles: ['r'],
        select: { where: { joined: { $gt: { $now: '-30d' } } } },
      },
    },
    user(['r']),
  )
  const table = access.connection.tables.get('customers')
  const select = table && access.permissionsFor(table)[0]?.select
  expect(select && conditionText(select.where, table, access.connection.types)).toBe(
    'joined > now - 30d',
  )
})
