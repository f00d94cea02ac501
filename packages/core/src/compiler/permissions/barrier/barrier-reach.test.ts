/**
 * @module How far a leak reaches, and which conditions may move inside a barrier: the places where one step more would be wrong.
 */
import { describe, expect, test } from 'vitest'
import type { SecuredTable } from '../../bind/tree/secured-table.ts'
import { visitStatement } from '../../bind/tree/visit-query.ts'
import { booleanConstant } from '../filter/filter-expression.ts'
import {
  accessOf,
  authorizeText,
  secured,
  shop,
  type TestPermissions,
  user,
} from '../test-support/authorize-for-test.ts'
import { barrierReason } from './barrier.ts'
import type { Leaks } from './leakage.ts'

const mine = { tenant: '$user.tenant' }
const permissions: TestPermissions = {
  orders: {
    table: 'main.orders',
    roles: ['r'],
    select: { where: mine },
    update: { where: mine },
    delete: { where: mine },
  },
  profiles: {
    table: 'main.profiles',
    roles: ['r'],
    select: { where: { customer: mine } },
    update: {},
  },
  customers: { table: 'main.customers', roles: ['r'], select: {} },
  tags: { table: 'main.tags', roles: ['r'], select: {}, insert: {} },
  imports: {
    table: 'main.imports',
    roles: ['r'],
    select: { where: mine },
    update: { where: mine },
    delete: { where: mine },
  },
}

function barriers(sql: string): readonly string[] {
  return [...secured(sql, permissions).matchAll(/(\w+)\[[^[\]]*barrier\]/g)].map(
    (found) => `${found[1]}`,
  )
}

function pushed(sql: string, table = 'orders', given = permissions): string | undefined {
  const found = new RegExp(`${table}\\[([^[\\]]*); barrier\\]`).exec(secured(sql, given))
  const [, ...rest] = (found?.[1] ?? '').split('; pushed ')
  return found === null ? undefined : rest.join(' & ')
}

describe('a leak reaches a table through', () => {
  test.each([
    'with recursive q(x) as (select 1 from main.orders union all select x / 2 from q where x > 1) select 1 from q where x = 5',
    'select 1 from main.orders o, generate_series(1, 3) g where g = o.id',
    'with q as (select id, total / 2 as half from main.orders) select 1 from q where half = 5',
  ])('%s', (sql) => expect(barriers(sql)).toContain('orders'))
})

describe('no leak reaches a table through', () => {
  test.each([
    'select 1 from (select sum(total / 2) over () as s from main.orders) q where s > 5',
    'with recursive q(x) as (select id from main.orders union select x from q) select 1 from q where x = 5',
    'with q as (select id, total / 2 as half from main.orders) select 1 from q where id = 5',
    'with w as (insert into main.tags (id) values (1) returning id) select 1 from w, main.orders o where w.id = 1 or o.id = 1',
    'select 1 from main.orders o, main.customers c where o.id = 1 and c.level / 2 = 1',
  ])('%s', (sql) => expect(barriers(sql)).toEqual([]))
})

describe('cells that may be no value of their type', () => {
  test.each([
    ["select id from main.imports where at = '2024-01-01'", ['imports']],
    ['select id from main.imports where at is null', ['imports']],
    ['select at from main.imports where id = 1', []],
    ["update main.imports set tenant = 'x' where at is null", ['imports']],
    [
      "select 1 from (select at as moment from main.imports) q where moment = '2024-01-01'",
      ['imports'],
    ],
  ])('%s', (sql, expected) => expect(barriers(sql)).toEqual(expected))
  test.each([
    ['select 1 from main.profiles p join main.imports i on i.at is null', true],
    ['select 1 from main.profiles p join main.imports i on i.tenant is null', false],
    [
      "update main.imports set tenant = 'x' where at is null and id in (select id from main.profiles)",
      true,
    ],
    ["update main.imports set tenant = 'x' where id in (select id from main.profiles)", false],
    ['select 1 from main.profiles p, (select at as m from main.imports) q where q.m is null', true],
  ])('make joins with others leaky: %s', (sql, expected) => {
    expect(barriers(sql).includes('profiles')).toBe(expected)
  })
  test('never move behind a barrier', () => {
    const sql = 'select id from main.imports where id = 1 and at is null and lower(tenant) = $1'
    expect(pushed(sql, 'imports')).toBe('(imports!.id = 1)')
  })
})

describe('subqueries behind GROUP BY are alike where HAVING could fail', () => {
  const one = '(select o.id from main.orders o where o.id = c.id limit 1)'
  const any = '(select o.status from main.orders o limit 1)'
  const leaky = '1 / count(*) > 0'
  test.each([
    [`select 1 from main.customers c group by ${one} having ${leaky}`, 1],
    [`select 1 from main.customers c group by ${one} having count(*) > 0 and ${leaky}`, 1],
    [`select ${one} from main.customers c group by ${one} having ${leaky}`, 2],
    [`select 1 from main.customers c group by ${one} having ${leaky} order by ${one}`, 2],
    [`select 1 from main.customers c group by c.id having exists ${any} and ${leaky}`, 1],
    [`select 1 from main.customers c group by ${one} having count(*) > 0`, 0],
    [`select 1 from main.customers c group by ${one}`, 0],
    [`select ${any} from main.customers c having ${leaky}`, 0],
  ])('%s', (sql, count) => {
    const found: string[] = []
    visitStatement(authorizeText(sql, accessOf(permissions, user(['r'], { tenant: 'acme' }))), {
      fromItem: (item) => {
        if (item.kind === 'securedTable' && item.barrier) found.push(item.table.name)
      },
    })
    expect(found).toEqual(Array.from({ length: count }, () => 'orders'))
  })
})

describe('before all joins are done come', () => {
  test.each([
    'select (select c.id from main.customers c where lower(c.name) = $1 limit 1) from main.profiles p',
    'select coalesce((select c.id from main.customers c where lower(c.name) = $1 limit 1), 1) from main.profiles p',
    "update main.profiles set bio = '' returning (select c.id from main.customers c where lower(c.name) = $1 limit 1)",
    'update main.profiles set bio = (select c.name from main.customers c where lower(c.name) = $1 limit 1)',
  ])('conditions of a subquery: %s', (sql) => expect(barriers(sql)).toContain('profiles'))
  test('not what is stored or returned, nor defaults', () => {
    expect(barriers('update main.profiles set bio = default where id = 1')).toEqual([])
    expect(barriers('update main.profiles set bio = lower(bio) where id = 1')).toEqual([])
  })
})

describe('what moves behind a barrier', () => {
  test('is on the rows of an UPDATE or DELETE alone, not on what they are joined to', () => {
    const where = 'where o.id = c.id and o.id = 5 and lower(o.notes) = $1'
    expect(pushed(`update main.orders o set status = $2 from main.customers c ${where}`)).toBe(
      '(orders!.id = 5)',
    )
    expect(pushed(`delete from main.orders o using main.customers c ${where}`)).toBe(
      '(orders!.id = 5)',
    )
  })
  test('is not on the two sides of a join', () => {
    const sql = `select 1 from main.orders o join main.customers c on true
      where o.id = c.id and o.customer_id = 5 and lower(o.notes) = $1`
    expect(pushed(sql)).toBe('(orders!.customer_id = 5)')
  })
  test.each([
    ['right join', ''],
    ['full join', ''],
    ['left join', '(orders!.id = 5)'],
    ['join', '(orders!.id = 5)'],
  ])('is on no row that a %s makes up', (join, expected) => {
    const on = 'c.id = o.customer_id'
    const where = 'where o.id = 5 and lower(o.notes) = $1'
    expect(pushed(`select 1 from main.orders o ${join} main.customers c on ${on} ${where}`)).toBe(
      expected,
    )
    const swapped = { 'right join': 'left join', 'left join': 'right join' }[join] ?? join
    expect(
      pushed(`select 1 from main.customers c ${swapped} main.orders o on ${on} ${where}`),
    ).toBe(expected)
    const third = 'join main.tags t on t.id = c.id'
    expect(
      pushed(`select 1 from main.orders o ${join} main.customers c on ${on} ${third} ${where}`),
    ).toBe(expected)
  })
  test('holds no query', () => {
    expect(
      pushed(
        'select 1 from main.orders o where exists (select 1 from main.tags t where t.id = o.id) and lower(o.notes) = $1',
      ),
    ).toBe('')
  })
  test('changes its columns only, not those of other tables', () => {
    const inner =
      'select 1 from main.orders o where o.id = c.id and o.total = 2 and lower(o.notes) = $1'
    expect(pushed(`select 1 from main.customers c where exists (${inner})`)).toBe(
      '(orders!.id = customers.id) & (orders!.total = 2)',
    )
  })
  test('may hold cells of other tables, whatever is masked here', () => {
    const inner = 'select 1 from main.orders o where o.id = c.level and lower(o.notes) = $1'
    const masked = {
      ...permissions,
      more: {
        table: 'main.orders',
        roles: ['r'],
        select: { columns: ['id', 'notes'], where: { id: 1 } },
      },
    }
    const sql = `select 1 from main.customers c where exists (${inner})`
    expect(pushed(sql, 'orders', masked)).toBe('(orders!.id = customers.level)')
  })
  test('an INSERT reads through barriers, too', () => {
    const sql =
      'insert into main.tags (id) select o.id from main.orders o where o.id = 1 and lower(o.notes) = $1'
    expect(pushed(sql)).toBe('(orders!.id = 1)')
  })
})

describe('patterns', () => {
  test('any of which is looked for in other cells stay as they are', () => {
    const text = (condition: string) =>
      secured(
        `select 1 from main.orders o, main.customers c where ${condition} and 1 / o.total = 1`,
        permissions,
      )
    expect(text('c.name like any($1)')).toContain('(customers.name ~~ any $1)')
    expect(text('c.name like $1')).toContain('(customers.name ~~ $1)')
    expect(text('o.status = any($1)')).toContain('(orders.status = any $1)')
    expect(text('o.code::text like $1')).toMatch(/coalesce\(.*orders\.code.*\) ~~ \$1/)
    expect(text('o.id::text like $1')).not.toContain('coalesce')
  })
})

test('a barrier has a reason', () => {
  const table: SecuredTable = {
    kind: 'securedTable',
    id: 1,
    base: 2,
    table: shop.table('orders'),
    filter: booleanConstant(true),
    masks: new Map(),
    readable: new Set(),
    pushed: [],
    barrier: false,
  }
  const looking: SecuredTable = {
    ...table,
    filter: {
      kind: 'exists',
      query: {
        kind: 'values',
        ctes: [],
        columns: [],
        rows: [],
        orderBy: [],
        limit: undefined,
        offset: undefined,
      } as never,
      type: { oid: 16, typmod: -1 },
    },
  }
  const flowOf = () => ({ tables: new Set<number>(), isLeaky: false })
  const leaks = (
    inConditions: readonly number[],
    beforeJoinsEnd: boolean,
    reachesEveryTable = false,
  ): Leaks => ({
    inConditions: new Set(inConditions),
    reachesEveryTable,
    beforeJoinsEnd,
    flowOf,
  })
  expect(barrierReason(table, leaks([1], false))).toBe('condition')
  expect(barrierReason(table, leaks([2], true))).toBeUndefined()
  expect(barrierReason(table, leaks([], true, true))).toBe('join')
  expect(barrierReason({ ...table, filter: undefined }, leaks([], true, true))).toBeUndefined()
  expect(barrierReason(looking, leaks([], true))).toBe('join')
  expect(barrierReason(looking, leaks([], false))).toBeUndefined()
  expect(barrierReason({ ...looking, filter: undefined }, leaks([1], true))).toBeUndefined()
})
