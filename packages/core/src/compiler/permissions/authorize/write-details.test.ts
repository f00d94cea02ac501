/** @module Details of writes: defaults, presets, masks in returned rows, rights without restrictions. */
import { describe, expect, test } from 'vitest'
import { admin } from '../../../foundation/caller.ts'
import { createFaults } from '../../../foundation/faults.ts'
import { bindStatement } from '../../bind/bind.ts'
import type { InsertWrite, Write } from '../../bind/tree/bound-query.ts'
import { isWrite } from '../../bind/tree/map-query.ts'
import { parseStatement } from '../../sql/parse.ts'
import { catalogView } from '../access/catalog-view.ts'
import type { Permission } from '../permission/permission.ts'
import { createConnectionPermissions } from '../permission/permission-set.ts'
import {
  accessOf,
  authorizeText,
  faultsOf,
  secured,
  shop,
  type TestPermissions,
  user,
} from '../test-support/authorize-for-test.ts'
import { authorize } from './authorize.ts'

const table = 'main.orders'
const all = { table, roles: ['r'], select: {}, insert: {}, update: {}, delete: {} }
const mine = { tenant: '$user.tenant' }

function written(sql: string, permissions: TestPermissions = { all }): Write {
  const { body } = authorizeText(sql, accessOf(permissions, user(['r'], { tenant: 'acme' })))
  if (!isWrite(body)) throw new Error('no write')
  return body
}

describe('DEFAULT', () => {
  test('in every row of a column is not written', () => {
    expect(
      secured('insert into main.orders (id, status) values (1, default), (2, default)', { all }),
    ).toBe('insert orders (id) values (1), (2)')
    expect(
      secured("insert into main.orders (id, status) values (1, default), (2, 'x')", { all }),
    ).toBe('insert orders (id, status) values (1, default), (2, x)')
  })
  test('everywhere is DEFAULT VALUES, for as many rows', () => {
    expect(secured('insert into main.orders (status) values (default)', { all })).toBe(
      'insert orders () default values',
    )
    expect(secured('insert into main.orders (status) values (default), (default)', { all })).toBe(
      'insert orders (status) values (default), (default)',
    )
    expect(secured('insert into main.orders default values', { all })).toBe(
      'insert orders () default values',
    )
  })
  test('of a preset column gives way to the preset', () => {
    const preset = { ...all, insert: { preset: { status: 'set' } } }
    expect(
      secured('insert into main.orders (status) values (default), (default)', { preset }),
    ).toBe('insert orders (status) values (set), (set)')
    expect(secured('insert into main.orders (id, status) values (1, default)', { preset })).toBe(
      'insert orders (id, status) values (1, set)',
    )
  })
  test('in what a conflict sets stays one', () => {
    const write = written(
      'insert into main.orders (id) values (1) on conflict (id) do update set status = default, notes = $1',
      {
        all: { ...all, select: { where: mine } },
        other: { table, roles: ['r'], select: { columns: ['id'], where: { id: { $lt: 9 } } } },
      },
    ) as InsertWrite
    expect(write.onConflict?.action).toMatchObject({
      assignments: [{ value: { kind: 'default' } }, { value: { kind: 'parameter' } }],
    })
  })
})

describe('presets', () => {
  test('may be NULL, texts, lists or JSON, each of the type of its column', () => {
    const samples = {
      table: 'main.samples',
      roles: ['r'],
      insert: { preset: { code: null, doc: { a: 1 }, labels: ['x'] } },
    }
    const { source } = written('insert into main.samples (flag) values (true)', {
      samples,
    }) as InsertWrite
    expect(source).toMatchObject({
      rows: [
        [
          { kind: 'constant', value: 'true' },
          { kind: 'constant', value: null, type: shop.table('samples').columns[5]?.type },
          { kind: 'constant', value: '{"a":1}' },
          { kind: 'constant', value: ['x'] },
        ],
      ],
    })
  })
  test('of an INSERT from a query are columns behind its own', () => {
    const preset = { ...all, insert: { preset: { status: 'set' } } }
    const write = written('insert into main.orders (id) select 7', { preset }) as InsertWrite
    expect(write.source).toMatchObject({
      query: {
        columns: [{ name: '?column?' }, { name: '?column?', type: { oid: 25 } }],
        distinct: 'none',
        isAggregated: false,
        from: [{ kind: 'subquery', lateral: false }],
      },
    })
  })
  test('that cannot be made are named', () => {
    const preset = { ...all, insert: { preset: { status: 'x', tenant: '$user.nobody' } } }
    const insert = () => secured('insert into main.orders (id) values (1)', { preset })
    expect(insert).toThrow('the caller has no value in the field that fills "tenant"')
  })
  test('of two permissions may differ where no role has both', () => {
    const two = (first: readonly string[], second: readonly string[], operation: string) =>
      faultsOf({
        a: { table, roles: first, [operation]: { preset: { tenant: 'x' } } },
        b: { table, roles: second, [operation]: { preset: { tenant: 'y' } } },
      }).length
    expect(two(['r'], ['s'], 'update')).toBe(0)
    expect(two(['r'], ['s', 'r'], 'update')).toBe(1)
    expect(two(['r', 's'], ['r'], 'insert')).toBe(1)
    expect(two(['r', 's'], ['s', 't'], 'insert')).toBe(1)
  })
})

describe('permissions', () => {
  const permission: Permission = { table: 'other.orders', roles: ['r'], select: {} }
  const checked = (input: Permission, connection = shop.connection) => {
    const faults = createFaults()
    const set = createConnectionPermissions(new Map([['p', input]]), connection, new Map(), faults)
    return { set, faults: faults.list.map(({ message }) => message) }
  }
  test('of another connection are left to it', () => {
    expect(checked(permission)).toEqual({ set: new Map(), faults: [] })
  })
  test('may be on a table with a dot in its name', () => {
    const dotted = {
      ...shop.connection,
      tables: new Map([['a.b', { ...shop.table('orders'), name: 'a.b', key: 'a.b' }]]),
    }
    const { set, faults } = checked({ ...permission, table: 'main.a.b' }, dotted)
    expect(faults).toEqual([])
    expect([...set.keys()]).toEqual(['a.b'])
  })
})

describe('what is returned', () => {
  const masked = {
    a: { ...all, select: { where: mine } },
    b: { ...all, select: { columns: ['id'], where: { id: { $lt: 9 } } } },
  }
  test('masks the cells of the written table only', () => {
    const text = secured(
      'update main.orders set notes = $1 returning status, (select max(c.city) from main.customers c)',
      { ...masked, c: { table: 'main.customers', roles: ['r'], select: {} } },
    )
    expect(text).toContain('then new.status end')
    expect(text).toContain('max(customers.city)')
  })
  test('of all rows needs no look at them', () => {
    expect(
      written('update main.orders set notes = $1 returning id').security?.visible,
    ).toBeUndefined()
    expect(
      written('insert into main.orders (id) values (1) returning id').security?.visible,
    ).toBeUndefined()
    const narrowed = { all: { ...all, select: { where: mine } } }
    expect(
      written('delete from main.orders returning id', narrowed).security?.visible,
    ).toBeUndefined()
    expect(
      written('delete from main.orders returning total / 2', narrowed).returning?.outputs,
    ).toMatchObject([{ kind: 'operator' }])
    expect(
      written('update main.orders set notes = $1 returning id', narrowed).security?.visible,
    ).toBeDefined()
  })
  test('is nothing where nothing is asked for', () => {
    expect(written('update main.orders set notes = $1').returning).toBeUndefined()
    expect(written('update main.orders set notes = $1').security?.visible).toBeUndefined()
  })
})

describe('where nothing narrows them', () => {
  const full = accessOf({}, admin)
  test.each([
    'insert into main.orders (id) values (1) returning id',
    'update main.orders set notes = $1 returning id',
    'delete from main.orders returning id',
  ])('writes carry no conditions: %s', (sql) => {
    for (const access of [full, accessOf({ all }, user(['r']))]) {
      const { body } = authorizeText(sql, access)
      if (!isWrite(body) || body.security === undefined) throw new Error('not secured')
      const { rows, existing, oldConditions, check, visible } = body.security
      expect({ existing, oldConditions, check, visible }).toEqual({
        existing: undefined,
        oldConditions: [],
        check: undefined,
        visible: undefined,
      })
      expect(rows?.table).toBe(body.kind === 'insert' ? undefined : shop.table('orders'))
      expect(rows?.filter).toBeUndefined()
      expect(rows?.barrier ?? false).toBe(false)
    }
  })
  test('conflicts ask nothing of the row that is there', () => {
    const sql = 'insert into main.orders (id) values (1) on conflict (id) do update set notes = $1'
    expect(written(sql).security?.existing).toBeUndefined()
  })
  test('full rights get no barrier, nor anything else', () => {
    expect(secured('select lower(notes) from main.orders where 1 / total = 1', {}, admin)).toBe(
      'select lower(orders.notes) from orders where ((1 / orders.total) = 1)',
    )
  })
})

test('the key of a conflict may be granted by any permission', () => {
  const some = { ...all, select: { columns: ['status'], where: mine } }
  const sql = 'insert into main.orders (id) values (1) on conflict (id) do nothing'
  expect(secured(sql, { all, some })).toContain('on conflict do nothing')
})

describe('refusals do not depend on what names meant', () => {
  const readers = { table: 'main.tags', roles: ['r'], select: {} }
  const writers = { table: 'main.members', roles: ['r'], insert: {} }
  const refuse = (sql: string) => {
    const parsed = parseStatement(sql)
    const view = () => catalogView(accessOf({}, admin))
    const bound = bindStatement(parsed, {
      catalog: shop.catalog,
      view,
      parameterCount: parsed.parameterCount,
    })
    return () => authorize(bound, accessOf({ readers, writers }, user(['r'])))
  }
  test.each([
    ['insert into main.tags (id) values (1)', 'tags', 'insert', ['readers']],
    ['update main.tags set name = $1', 'tags', 'update', ['readers']],
    ['delete from main.tags', 'tags', 'delete', ['readers']],
    ['select 1 from main.members', 'members', 'select', ['writers']],
    ['select 1 from main.customers', 'customers', 'select', []],
    ['select count(*) from main.customers', 'customers', 'select', []],
  ])('%s', (sql, name, operation, evaluated) => {
    expect(refuse(sql)).toThrow(
      expect.objectContaining({
        reason: `no permission grants ${operation} on it`,
        details: { table: `main.${name}`, operation, role: 'r', evaluated_permissions: evaluated },
      }),
    )
  })
})
