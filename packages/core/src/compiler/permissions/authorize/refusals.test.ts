/** @module The content of a refusal: the same for every client in production, all details in development. */
import { describe, expect, test } from 'vitest'
import { admin, type Caller } from '../../../foundation/caller.ts'
import { refusal, type TestPermissions, user } from '../test-support/authorize-for-test.ts'

const permissions: TestPermissions = {
  orders: {
    table: 'main.orders',
    roles: ['r', 's'],
    select: { columns: ['id', 'status'], limit: 5, aggregate: false },
    insert: { columns: ['id', 'notes'] },
    update: { columns: ['status'], where: { tenant: '$user.tenant' } },
  },
  more: {
    table: 'main.orders',
    roles: ['s'],
    update: { columns: ['total'] },
    delete: { where: { tenant: '$user.nobody' } },
  },
  codes: { table: 'main.orders', roles: ['k'], select: {}, insert: { columns: ['id', 'code'] } },
  tags: {
    table: 'main.tags',
    roles: ['t'],
    select: { columns: ['name'] },
    insert: {},
    update: {},
    delete: {},
  },
  writers: { table: 'main.members', roles: ['t'], insert: {} },
}
const callers: Readonly<Record<string, Caller>> = {
  r: user(['r'], { tenant: 'acme' }),
  s: user(['s', 'r'], { tenant: 'acme' }),
  t: user(['t']),
  k: user(['k']),
  admin,
}
const hidden = 'You do not have permission to perform this operation.'

function refused(sql: string, who: string) {
  return refusal(sql, permissions, callers[who])
}

describe('of an operation', () => {
  test.each<[string, string, string, string, readonly string[], string]>([
    [
      'insert into main.orders (id, status) values (1, $1)',
      'r',
      'orders',
      'insert',
      ['orders'],
      'no permission covers the column "status"',
    ],
    [
      'delete from main.orders where id = 1',
      'r',
      'orders',
      'delete',
      ['orders'],
      'no permission grants delete on it',
    ],
    [
      'delete from main.orders where id = 1',
      's',
      'orders',
      'delete',
      ['orders', 'more'],
      'its conditions cannot be met by this caller',
    ],
    [
      'update main.orders set status = $1, total = 1',
      's',
      'orders',
      'update',
      ['orders', 'more'],
      'no single permission covers the columns "status", "total"',
    ],
    [
      'update main.customers set name = $1',
      'r',
      'customers',
      'update',
      [],
      'no permission grants update on it',
    ],
    [
      'insert into main.customers (id) values (1)',
      'r',
      'customers',
      'insert',
      [],
      'no permission grants insert on it',
    ],
    [
      'update main.orders set nope = 1',
      'k',
      'orders',
      'update',
      ['codes'],
      'no permission grants update on it',
    ],
    [
      'select id from main.orders for update',
      'k',
      'orders',
      'update',
      ['codes'],
      'locking its rows needs the right to update them',
    ],
    [
      'select count(*) from main.orders',
      'r',
      'orders',
      'select',
      ['orders'],
      'no permission allows aggregates over it',
    ],
    [
      'select id from main.orders group by id',
      'r',
      'orders',
      'select',
      ['orders'],
      'no permission allows aggregates over it',
    ],
    [
      'select array(select id from main.orders)',
      'r',
      'orders',
      'select',
      ['orders'],
      'no permission allows aggregates over it',
    ],
    [
      'select row_number() over () from main.orders',
      'r',
      'orders',
      'select',
      ['orders'],
      'no permission allows aggregates over it',
    ],
    [
      'select id from main.orders union select id from main.customers',
      'r',
      'customers',
      'select',
      [],
      'no permission grants select on it',
    ],
    [
      'insert into main.members (id) values (1) on conflict do nothing',
      't',
      'members',
      'select',
      ['writers'],
      'ON CONFLICT needs the right to read the key',
    ],
    [
      'insert into main.members (id) values (1) returning 1',
      't',
      'members',
      'select',
      ['writers'],
      'no permission grants select on it',
    ],
  ])('%s by %s', (sql, who, table, operation, evaluated, reason) => {
    const role = who === 's' ? 'r, s' : who
    expect(refused(sql, who)).toMatchObject({
      problem: 'permissionDenied',
      message: `Role "${role}" may not ${operation} "main.${table}": ${reason}.`,
      publicMessage: hidden,
      reason,
      sqlState: '42501',
      details: { table: `main.${table}`, operation, role, evaluated_permissions: evaluated },
    })
  })
})

describe('of a column', () => {
  const columns: readonly (readonly [string, string, string | undefined, string, string])[] = [
    ['select total from main.orders', 'r', 'orders', 'select', 'is not readable'],
    ['select nope from main.orders', 'r', 'orders', 'select', 'does not exist'],
    ['select nope, id from main.orders', 'r', 'orders', 'select', 'does not exist'],
    ['update main.orders set total = 1', 'r', 'orders', 'update', 'may not be set'],
    ['update main.orders set nope = 1', 'r', 'orders', 'update', 'does not exist'],
    [
      'insert into main.orders (id, total) values (1, 1)',
      'r',
      'orders',
      'insert',
      'may not be set',
    ],
    ['insert into main.orders (id, nope) values (1, 1)', 'r', 'orders', 'insert', 'does not exist'],
    [
      'insert into main.tags (id) values (1) returning id',
      't',
      'tags',
      'select',
      'is not readable',
    ],
  ]
  test.each(columns)('%s by %s', (sql, who, table, operation, what) => {
    const name = /nope|total|id/.exec(sql.replace('(id, ', '('))?.[0]
    const of = table === undefined ? '' : ` of "main"."${table}"`
    const reason = `Column "${name}"${of} ${what}`
    const error = refused(sql, who)
    expect(error).toMatchObject({
      problem: 'columnDenied',
      message: `${reason} for role "${who}".`,
      publicMessage: hidden,
      reason,
      sqlState: '42501',
    })
    expect(error.details).toEqual({
      ...(table === undefined ? {} : { table: `main.${table}` }),
      operation,
      role: who,
      evaluated_permissions: table === undefined ? [] : [table],
    })
  })
})

describe('of what is not there', () => {
  test.each<[string, string, string, string, string, number]>([
    ['select 1 from main.nope', 'r', 'tableNotFound', '42P01', 'Table "main"."nope"', 15],
    [
      'select nope from main.orders',
      'admin',
      'unknownColumn',
      '42703',
      'Column "nope" of "main"."orders"',
      8,
    ],
    ['select nope', 'admin', 'unknownColumn', '42703', 'Column "nope"', 8],
    [
      'update main.orders set nope = 1',
      'admin',
      'unknownColumn',
      '42703',
      'Column "nope" of "main"."orders"',
      24,
    ],
  ])('%s by %s', (sql, who, problem, sqlState, what, position) => {
    const message = `${what} does not exist.`
    expect(refused(sql, who)).toMatchObject({ problem, message, sqlState, position })
  })
})

describe('of what is not supported', () => {
  test.each([['select status from main.orders order by id fetch first 1 rows with ties', 'r']])(
    '%s',
    (sql, who) => {
      expect(refused(sql, who)).toMatchObject({ problem: 'unsupported', sqlState: '0A000' })
    },
  )
})
