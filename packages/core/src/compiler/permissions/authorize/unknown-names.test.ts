/** @module Unknown names: the error contains the name if nothing that it could mean is hidden from the caller. */
import { describe, expect, test } from 'vitest'
import { admin, type Caller } from '../../../foundation/caller.ts'
import { refusal, type TestPermissions, user } from '../test-support/authorize-for-test.ts'

const all = { select: {}, insert: {}, update: {}, delete: {} }
const permissions: TestPermissions = {
  orders: { table: 'main.orders', roles: ['r'], ...all },
  mine: { table: 'main.customers', roles: ['r'], select: { columns: ['id', 'name'] }, insert: {} },
  tags: {
    table: 'main.tags',
    roles: ['r'],
    select: { where: { name: '$user.nobody' } },
  },
  // Two permissions together grant the same as one with all of their columns.
  ids: { table: 'main.members', roles: ['r'], select: { columns: ['id'], where: { id: 1 } } },
  rest: { table: 'main.members', roles: ['r'], select: { where: { id: 2 } } },
}
const reader: Caller = user(['r'], { tenant: 'acme' })

function refused(sql: string, caller: Caller = reader) {
  return refusal(sql, permissions, caller)
}

describe('a column that is in no table of the statement, all of whose columns are readable', () => {
  test.each<[sql: string, message: string]>([
    ['select nope from main.orders', 'Column "nope" of "main"."orders" does not exist.'],
    ['select o.nope from main.orders o', 'Column "nope" of "main"."orders" does not exist.'],
    ['select nope', 'Column "nope" does not exist.'],
    [
      'select statsu from main.orders',
      'Column "statsu" of "main"."orders" does not exist; did you mean "status"?',
    ],
    [
      'select "Status" from main.orders',
      'Column "Status" of "main"."orders" does not exist; did you mean "status"?',
    ],
    [
      'select m.idd from main.orders o join main.members m on true',
      'Column "idd" of "main"."members" does not exist; did you mean "id"?',
    ],
    [
      'select 1 from main.orders where exists (select from main.tags where nam is null)',
      'Column "nam" of "main"."tags" does not exist; did you mean "name"?',
    ],
    [
      'with q as (select id as number from main.orders) select numbr from q',
      'Column "numbr" does not exist; did you mean "number"?',
    ],
    [
      'select 1 from main.orders join main.members using (idd)',
      'Column "idd" does not exist; did you mean "id"?',
    ],
    [
      'insert into main.orders (id, statuz) values (1, 1)',
      'Column "statuz" of "main"."orders" does not exist; did you mean "status"?',
    ],
    [
      'insert into main.orders (id) values (1) on conflict (idd) do nothing',
      'Column "idd" of "main"."orders" does not exist; did you mean "id"?',
    ],
    [
      "update main.orders set statsu = 'x'",
      'Column "statsu" of "main"."orders" does not exist; did you mean "status"?',
    ],
    [
      'delete from main.orders returning statsu',
      'Column "statsu" of "main"."orders" does not exist; did you mean "status"?',
    ],
  ])('%s', (sql, message) => {
    for (const caller of [reader, admin]) {
      expect(refused(sql, caller)).toMatchObject({
        problem: 'unknownColumn',
        status: 400,
        sqlState: '42703',
        message,
        publicMessage: message,
      })
    }
  })

  test('is suggested as SQL spells it', () => {
    const sql = 'select quotedname from (select 1 as "Quoted""Name") q'
    expect(refused(sql.replace('quotedname', '"quoted""name"'))).toMatchObject({
      message: 'Column "quoted"name" does not exist; did you mean "Quoted""Name"?',
      details: {
        hint: 'Names without double quotes are read in lower case. Perhaps you meant the column "Quoted""Name".',
      },
    })
    expect(refused(sql).details).toEqual({ hint: 'Perhaps you meant the column "Quoted""Name".' })
  })
})

describe('a column of no table, with a table that has hidden columns anywhere in the statement', () => {
  /** `{x}`: missing or hidden. */
  const statements = [
    'select o.{x} from main.orders o, main.customers c',
    'select {x} from main.orders o, main.customers c',
    'select c.{x} from main.orders o, main.customers c',
    'select {x} from main.orders where exists (select from main.customers)',
    'select (select {x} from main.orders limit 1) from main.customers',
    'with c as (select id from main.customers) select {x} from main.orders',
    'with o as (select {x} from main.orders) select id from main.customers',
    'with o as (select {x} from main.orders) select 1 from o, (select from main.customers) q',
    'with customers as (select 1 as id) select {x} from customers',
    'select {x} from main.orders union select name from main.customers',
    'select name from main.customers union select {x} from main.orders',
    'select id from main.orders order by (select {x} from main.customers limit 1)',
    'select id from main.orders, lateral (select {x} from main.customers) q',
    'insert into main.orders (id, {x}) select id, 1 from main.customers',
    'insert into main.orders (id) values (1) returning {x}, (select id from main.customers)',
    'insert into main.customers (id, name) values (1, 1) returning {x}',
    'update main.orders set {x} = 1 where id in (select id from main.customers)',
    'update main.orders set status = {x} from main.customers',
    'delete from main.orders using main.customers where {x} is null',
    'select {x} from main.orders, pg_typeof((select id from main.customers limit 1))',
    'select 1 from main.orders join main.customers using ({x})',
    'select {x} from main.orders limit (select count(*) from main.customers)',
  ]
  test.each(statements)('%s', (sql) => {
    const answers = ['nope', 'city', 'statuz'].map((name) => {
      const { problem, publicMessage, status, sqlState, position } = refused(
        sql.replaceAll('{x}', name),
      )
      return { problem, publicMessage, status, sqlState, position }
    })
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]).toMatchObject({
      problem: 'columnDenied',
      publicMessage: 'You do not have permission to perform this operation.',
      sqlState: '42501',
    })
  })
})

describe('a table that is not there', () => {
  const everything: TestPermissions = {
    orders: { table: 'main.orders', roles: ['s'], select: {} },
  }
  test('is answered with the one that was meant where none is hidden', () => {
    expect(refused('select 1 from main.ordrs', admin)).toMatchObject({
      problem: 'tableNotFound',
      status: 404,
      message: 'Table "main"."ordrs" does not exist; did you mean "main"."orders"?',
      details: { hint: 'Perhaps you meant the table "main"."orders".' },
      sqlState: '42P01',
      position: 15,
    })
    expect(refused('select 1 from main."Orders"', admin).message).toBe(
      'Table "main"."Orders" does not exist; did you mean "main"."orders"?',
    )
    expect(refused('select 1 from main.zzz', admin).details).toBeUndefined()
  })

  test('with nothing else where one is hidden', () => {
    const error = refusal('select 1 from main.ordrs', everything, user(['s']))
    expect(error).toMatchObject({ message: 'Table "main"."ordrs" does not exist.' })
    expect(error.details).toBeUndefined()
  })
})
