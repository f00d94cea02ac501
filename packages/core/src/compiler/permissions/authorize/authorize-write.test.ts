import { describe, expect, test } from 'vitest'
import { refusal, secured, type TestPermissions, user } from '../test-support/authorize-for-test.ts'

const table = 'main.orders'
const mine = { tenant: '$user.tenant' }
const isMine = (row: string) => `(${row}.tenant = $user.tenant)`
const everything = { table, roles: ['r'], select: {} }

/** The lines after the statement itself. */
function security(sql: string, permissions: TestPermissions): readonly string[] {
  return secured(sql, permissions).split('\n').slice(1)
}

describe('INSERT', () => {
  const insert = "insert into main.orders (id, status) values (1, 'new')"
  test('needs one permission that covers all its columns', () => {
    const split = {
      a: { table, roles: ['r'], insert: { columns: ['id'] } },
      b: { table, roles: ['r'], insert: { columns: ['status'] } },
    }
    const error = refusal(insert, split)
    expect(error).toMatchObject({ status: 403, details: { evaluated_permissions: ['a', 'b'] } })
    expect(error.message).toContain('no single permission covers the columns "id", "status"')
    expect(secured(insert, { ...split, c: { table, roles: ['r'], insert: {} } })).toBeTruthy()
  })
  test('checks what is stored', () => {
    expect(security(insert, { a: { table, roles: ['r'], insert: { check: mine } } })).toEqual([
      `check ${isMine('new')}`,
    ])
    expect(security(insert, { a: { table, roles: ['r'], insert: {} } })).toEqual([])
  })
  test('one check of those that cover it is enough', () => {
    expect(
      security(insert, {
        a: { table, roles: ['r'], insert: { check: mine } },
        b: { table, roles: ['r'], insert: { check: { status: 'new' } } },
        c: { table, roles: ['r'], insert: { columns: ['id'] } },
      }),
    ).toEqual([`check (${isMine('new')} or (new.status = new))`])
  })
  test('restrict holds besides', () => {
    expect(
      security(insert, {
        a: { table, roles: ['r'], restrict: { status: { $ne: 'x' } }, insert: { check: mine } },
      }),
    ).toEqual([`check (${isMine('new')} and (new.status <> x))`])
  })
  test('is refused where a check cannot be TRUE', () => {
    const a = { table, roles: ['r'], insert: { check: { $not: mine } } }
    const error = refusal(insert, { a }, user(['r']))
    expect(error.message).toContain('its conditions cannot be met by this caller')
    const restricted = { table, roles: ['r'], restrict: mine, insert: {} }
    expect(refusal(insert, { a: restricted }, user(['r']))).toMatchObject({ status: 403 })
  })
  test('needs no right to read, RETURNING does', () => {
    const a = { table, roles: ['r'], insert: {} }
    expect(refusal(`${insert} returning id`, { a })).toMatchObject({ status: 403 })
    expect(refusal(`${insert} returning 1`, { a })).toMatchObject({
      status: 403,
      details: { operation: 'select' },
    })
  })
  test('a column that is DEFAULT in every row is not written', () => {
    const a = { table, roles: ['r'], insert: { columns: ['id'] }, select: {} }
    expect(secured('insert into main.orders (id, status) values (1, default)', { a })).toBe(
      'insert orders (id) values (1)',
    )
    expect(
      refusal("insert into main.orders (id, status) values (1, default), (2, 'x')", { a }),
    ).toMatchObject({ status: 403 })
    expect(secured('insert into main.orders (status) values (default)', { a })).toBe(
      'insert orders () default values',
    )
  })
  test('from a query reads through permissions, every row is checked', () => {
    expect(
      secured('insert into main.orders (id) select id from main.tags', {
        a: { table, roles: ['r'], insert: { check: mine } },
        t: { table: 'main.tags', roles: ['r'], select: { where: { name: 'x' } } },
      }),
    ).toBe(
      `insert orders (id) select tags.id from tags[filter (tags!.name = x)]\ncheck ${isMine('new')}`,
    )
  })
  test('without a list of columns needs all of them', () => {
    const a = { table, roles: ['r'], insert: { columns: ['id'] }, select: { columns: ['id'] } }
    expect(refusal('insert into main.orders values (1)', { a })).toMatchObject({ status: 400 })
    expect(
      refusal("insert into main.orders values (1, 2, 'x')", { a: { ...a, select: {} } }),
    ).toMatchObject({ status: 403 })
  })
  test.each(['notes', 'nopes'])('a column %s that nothing grants is no column', (column) => {
    const a = { table, roles: ['r'], insert: { columns: ['id'] }, select: { columns: ['id'] } }
    expect(refusal(`insert into main.orders (id, ${column}) values (1, 5)`, { a })).toMatchObject({
      problem: 'columnDenied',
    })
  })
})

describe('presets', () => {
  const preset = { tenant: '$user.tenant', notes: 'made here' }
  const a = { table, roles: ['r'], insert: { preset }, update: { preset }, select: {} }
  test('are stored whatever kind of INSERT it is', () => {
    expect(secured('insert into main.orders (id) values (1), (2)', { a })).toContain(
      'insert orders (id, tenant, notes) values (1, $user.tenant, made here), (2, $user.tenant, made here)',
    )
    expect(secured('insert into main.orders default values', { a })).toContain(
      'insert orders (tenant, notes) values ($user.tenant, made here)',
    )
    expect(secured('insert into main.orders (id) select 5', { a })).toContain(
      'insert orders (id, tenant, notes) select subquery.c1, $user.tenant, made here from (select 5)',
    )
    expect(secured('insert into main.orders (id, tenant) values (1, default)', { a })).toContain(
      'insert orders (id, tenant, notes) values (1, $user.tenant, made here)',
    )
  })
  test('are set by UPDATE and by DO UPDATE', () => {
    expect(secured('update main.orders set status = $1', { a })).toContain(
      'set status = $1, tenant = $user.tenant, notes = made here',
    )
    expect(
      secured(
        'insert into main.orders (id) values (1) on conflict (id) do update set status = $1',
        { a },
      ),
    ).toContain('do update set status = $1, tenant = $user.tenant, notes = made here')
  })
  test.each([
    'insert into main.orders (id, tenant) values (1, $1)',
    'insert into main.orders (id, tenant) select 1, $1',
    'update main.orders set tenant = $1',
    'update main.orders set (status, tenant) = ($1, $2)',
    'update main.orders set tenant = default',
    'insert into main.orders (id) values (1) on conflict (id) do update set tenant = excluded.tenant',
  ])('may not be named: %s', (sql) => expect(refusal(sql, { a })).toMatchObject({ status: 403 }))

  test('from a field that is missing are a refusal, never NULL', () => {
    const error = refusal('insert into main.orders (id) values (1)', { a }, user(['r']))
    expect(error.message).toContain('the caller has no value in the field that fills "tenant"')
    expect(refusal('update main.orders set status = $1', { a }, user(['r']))).toMatchObject({
      status: 403,
    })
  })
  test('that differ between roles are a refusal', () => {
    const both = {
      a: { table, roles: ['r'], insert: { preset: { tenant: 'a' } } },
      b: { table, roles: ['s'], insert: { preset: { tenant: 'b' } } },
    }
    const error = refusal('insert into main.orders (id) values (1)', both, user(['r', 's']))
    expect(error.message).toContain('several permissions apply and preset different values')
  })
})

describe('UPDATE', () => {
  const update = 'update main.orders set status = $1 where id = $2'
  test('reaches rows that can be seen and may be changed', () => {
    expect(
      security(update, {
        a: {
          table,
          roles: ['r'],
          select: { where: mine },
          update: { where: { status: 'new' }, check: {} },
        },
      }),
    ).toEqual([`rows orders[filter (${isMine('orders!')} and (orders!.status = new))]`])
  })
  test('uses its condition on the new row too, unless there is a check', () => {
    const rows = `rows orders[filter ${isMine('orders!')}]`
    expect(security(update, { a: { ...everything, update: { where: mine } } })).toEqual([
      rows,
      `check ${isMine('new')}`,
    ])
    expect(
      security(update, {
        a: { ...everything, update: { where: mine, check: { status: { $ne: 'x' } } } },
      }),
    ).toEqual([rows, 'check (new.status <> x)'])
  })
  test('one permission must cover the row before and after', () => {
    const permissions = {
      a: { ...everything, update: { where: { status: 'a' }, check: { notes: 'a' } } },
      b: { table, roles: ['r'], update: { where: { status: 'b' }, check: { notes: 'b' } } },
    }
    expect(security(update, permissions)).toEqual([
      'rows orders[filter ((orders!.status = a) or (orders!.status = b))]',
      'old0 (orders!.status = a)',
      'old1 (orders!.status = b)',
      'check ((old0 and (new.notes = a)) or (old1 and (new.notes = b)))',
    ])
  })
  test('permissions that do not cover its columns do not count', () => {
    expect(
      security(update, {
        a: { ...everything, update: { where: mine, columns: ['status'] } },
        b: { table, roles: ['r'], update: { columns: ['notes'] } },
      }),
    ).toEqual([`rows orders[filter ${isMine('orders!')}]`, `check ${isMine('new')}`])
  })
  test('one that allows everything needs no check beside others', () => {
    expect(
      security(update, {
        a: { ...everything, update: {} },
        b: { table, roles: ['r'], update: { where: mine } },
      }),
    ).toEqual(['rows orders'])
  })
  test('one that looks at the row before alone', () => {
    expect(
      security(update, {
        a: { ...everything, update: { where: { status: 'a' }, check: {} } },
        b: { table, roles: ['r'], update: { where: { status: 'b' }, check: mine } },
      }),
    ).toEqual([
      'rows orders[filter ((orders!.status = a) or (orders!.status = b))]',
      'old0 (orders!.status = a)',
      'old1 (orders!.status = b)',
      `check (old0 or (old1 and ${isMine('new')}))`,
    ])
  })
  test('reads masked cells', () => {
    const text = secured('update main.orders set status = notes where total = 5', {
      a: { table, roles: ['r'], select: { where: mine }, update: {} },
      b: { table, roles: ['r'], select: { columns: ['id'] } },
    })
    expect(text).toContain('set status = orders.notes where (orders.total = 5)')
    expect(text).toContain(`mask notes: ${isMine('orders!')}`)
    expect(text).toContain(`mask total: ${isMine('orders!')}`)
  })
  test('may not read what is not readable', () => {
    const a = { table, roles: ['r'], select: { columns: ['id'] }, update: { columns: ['status'] } }
    for (const sql of [
      'update main.orders set status = notes',
      "update main.orders set status = 'x' where notes = 'y'",
      "update main.orders set status = 'x' returning notes",
      'update main.orders set status = status || $1',
    ]) {
      expect(refusal(sql, { a })).toMatchObject({ problem: 'columnDenied' })
    }
  })
  test('needs the right to read, and to update', () => {
    const a = { table, roles: ['r'], update: {} }
    expect(refusal("update main.orders set status = 'x'", { a })).toMatchObject({ status: 403 })
    expect(refusal(update, { a: everything })).toMatchObject({ status: 403 })
  })
  test('secures what it reads from', () => {
    expect(
      secured('update main.orders o set status = t.name from main.tags t where t.id = o.id', {
        a: { ...everything, update: {} },
        t: { table: 'main.tags', roles: ['r'], select: { where: { name: 'x' } } },
      }),
    ).toContain('where (tags.id = orders.id)')
  })
})

describe('DELETE', () => {
  test('reaches rows that can be seen and may be deleted', () => {
    expect(
      secured('delete from main.orders where id = 5 returning id', {
        a: { table, roles: ['r'], select: { where: mine }, delete: { where: { status: 'new' } } },
      }),
    ).toBe(
      'delete orders where (orders.id = 5) returning new.id\n' +
        `rows orders[filter (${isMine('orders!')} and (orders!.status = new))]`,
    )
  })
  test('adds up over permissions', () => {
    expect(
      security('delete from main.orders', {
        a: { ...everything, delete: { where: mine } },
        b: { table, roles: ['r'], delete: { where: { status: 'new' } } },
      }),
    ).toEqual([`rows orders[filter (${isMine('orders!')} or (orders!.status = new))]`])
  })
  test('is refused where no condition can be TRUE', () => {
    const refused = (permission: object) =>
      refusal('delete from main.orders', { a: { ...everything, ...permission } }, user(['r']))
    expect(refused({}).message).toContain('no permission grants delete on it')
    expect(refused({ delete: { where: mine } }).message).toContain('cannot be met by this caller')
    expect(refused({ restrict: mine, delete: {} }).message).toContain(
      'cannot be met by this caller',
    )
  })
  test('may not read what is not readable', () => {
    const a = { table, roles: ['r'], select: { columns: ['id'] }, delete: {} }
    expect(refusal("delete from main.orders where notes = 'y'", { a })).toMatchObject({
      problem: 'columnDenied',
    })
    expect(refusal('delete from main.orders returning notes', { a })).toMatchObject({
      problem: 'columnDenied',
    })
    expect(secured('delete from main.orders returning *', { a })).toContain('returning new.id\n')
  })
})

describe('RETURNING', () => {
  const two = {
    a: { table, roles: ['r'], select: { where: mine }, insert: {}, update: {}, delete: {} },
    b: { table, roles: ['r'], select: { columns: ['id', 'status'], where: { status: 'open' } } },
  }
  const masked = `case when ${isMine('new')} then new.notes end`
  const visible = `(${isMine('new')} or (new.status = open))`
  test('shows rows that can still be seen, and their readable cells', () => {
    const sql = 'update main.orders set status = $1 returning id, notes'
    expect(secured(sql, two)).toContain(`returning new.id, ${masked}`)
    expect(security(sql, two).at(-1)).toBe(`visible ${visible}`)
  })
  test('of an INSERT too', () => {
    const sql = 'insert into main.orders (id) values (1) returning id, notes'
    expect(secured(sql, two)).toContain(`returning new.id, ${masked}\nvisible ${visible}`)
  })
  test('of a DELETE shows every deleted row: it was visible', () => {
    const sql = 'delete from main.orders returning id, notes'
    expect(secured(sql, two)).toContain(`returning new.id, ${masked}\nrows`)
    expect(secured(sql, two)).not.toContain('visible')
  })
  test('computes nothing that could fail for a row that can no longer be seen', () => {
    expect(secured('update main.orders set status = $1 returning 1 / total', two)).toContain(
      `returning case when ${visible} then (1 / case when ${isMine('new')} then new.total end) end`,
    )
  })
  test('masks cells in subqueries as well', () => {
    expect(
      secured('delete from main.orders returning (select 1 where notes is null)', two),
    ).toContain(`where (${masked} is null)`)
  })
})

describe('writes in WITH', () => {
  test('are secured like any other, also when nothing reads them', () => {
    const sql = 'with w as (delete from main.orders where id = 1) select 1'
    expect(refusal(sql, { a: everything })).toMatchObject({ status: 403 })
    expect(secured(sql, { a: { ...everything, delete: { where: mine } } })).toContain(
      `rows orders[filter ${isMine('orders!')}]`,
    )
    const insert = 'with w as (insert into main.orders (id) values (1)) select 1'
    expect(secured(insert, { a: { ...everything, insert: { check: mine } } })).toContain(
      `check ${isMine('new')}`,
    )
  })
})

describe('many rows', () => {
  const some = (rest: string) =>
    `insert into main.orders (id, status, total) values ${Array.from({ length: 25 }, (_, i) => `($${i + 1}, default, '5')`).join(', ')}${rest}`
  /** A comment keeps the rows from being planned as one. */
  const each = (sql: string) => sql.replace('values (', 'values (/* */')
  const check = { status: { $ne: 'x' } }

  test.each<[string, TestPermissions]>([
    ['checked', { a: { table, roles: ['r'], insert: { check } } }],
    [
      'preset',
      {
        a: {
          table,
          roles: ['r'],
          insert: { preset: { tenant: '$user.tenant', notes: 'made here' } },
        },
      },
    ],
    [
      'columns that are DEFAULT in all rows do not count',
      { a: { table, roles: ['r'], select: {}, insert: { columns: ['id', 'total'] } } },
    ],
    ['returned', { a: { table, roles: ['r'], insert: { check }, select: { where: mine } } }],
  ])('are %s like others', (name, permissions) => {
    const full = some(name === 'returned' ? ' returning id' : '')
    expect(secured(full, permissions)).toBe(secured(each(full), permissions))
  })

  test('are refused like others', () => {
    const permissions = { a: { table, roles: ['r'], select: {}, insert: { columns: ['id'] } } }
    expect(refusal(some(''), permissions).message).toBe(
      refusal(each(some('')), permissions).message,
    )
  })
})
