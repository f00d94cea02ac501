import { describe, expect, test } from 'vitest'
import { admin } from '../../../foundation/caller.ts'
import type { Table, ViewDefinition } from '../../catalog/catalog.ts'
import { accessOf, shop, type TestPermissions, user } from '../test-support/authorize-for-test.ts'
import { visibleDefinition } from './visible-definition.ts'

const definition: ViewDefinition = {
  text: 'select tags.id from tags join order_tags on true',
  pretty: 'select id',
  tables: ['tags', 'order_tags'],
  isPlain: true,
}

function view(changed: Partial<ViewDefinition> = {}, more: Partial<Table> = {}): Table {
  return {
    ...shop.table('members'),
    kind: 'view',
    definition: { ...definition, ...changed },
    ...more,
  }
}

/** All of the view and of both tables. */
const everything = {
  view: { table: 'main.members', roles: ['r'], select: {} },
  tags: { table: 'main.tags', roles: ['r'], select: {} },
  orders: { table: 'main.order_tags', roles: ['r'], select: {} },
}

function isShown(permissions: TestPermissions, shown: Table = view()): boolean {
  const access = accessOf(permissions, user(['r'], { tenant: 'acme' }))
  return visibleDefinition(access, shown) !== undefined
}

describe('the definition of a view', () => {
  test('is shown with full rights, unless it names a table that the connection leaves out', () => {
    const full = accessOf({}, admin)
    expect(visibleDefinition(full, view())).toEqual(definition)
    expect(visibleDefinition(full, view({ isPlain: false }))).toMatchObject({ isPlain: false })
    expect(visibleDefinition(full, view({ tables: undefined }))).toBeUndefined()
    expect(visibleDefinition(full, shop.table('members'))).toBeUndefined()
  })

  test('is shown to a caller who reads all cells of the view and of what it names', () => {
    expect(isShown(everything)).toBe(true)
    expect(
      isShown({ ...everything, more: { ...everything.tags, select: { where: { id: 1 } } } }),
    ).toBe(true)
  })

  test.each<readonly [string, TestPermissions]>([
    ['a table', { view: everything.view, tags: everything.tags }],
    ['the view itself', { tags: everything.tags, orders: everything.orders }],
    [
      'a column of a table',
      { ...everything, tags: { ...everything.tags, select: { columns: ['id'] } } },
    ],
    [
      'a column of the view',
      { ...everything, view: { ...everything.view, select: { columns: ['id'] } } },
    ],
    [
      'rows of a table',
      { ...everything, tags: { ...everything.tags, select: { where: { id: 1 } } } },
    ],
    [
      'rows of the view',
      {
        ...everything,
        view: { ...everything.view, select: { where: { tenant: '$user.tenant' } } },
      },
    ],
    ['rows by a restriction', { ...everything, tags: { ...everything.tags, restrict: { id: 1 } } }],
    ['rows by a limit', { ...everything, tags: { ...everything.tags, select: { limit: 10 } } }],
    [
      'cells, of which no permission shows all',
      {
        ...everything,
        tags: { ...everything.tags, select: { columns: ['id'] } },
        names: { ...everything.tags, select: { columns: ['name'] } },
      },
    ],
    [
      'rows, where it may only write',
      { ...everything, tags: { table: 'main.tags', roles: ['r'], insert: {} } },
    ],
    ['a table, as another role', { ...everything, tags: { ...everything.tags, roles: ['other'] } }],
  ])('is hidden from a caller who misses %s', (_, permissions) => {
    expect(isShown(permissions)).toBe(false)
  })

  test('is hidden where it names something besides, or rows are hidden by the database', () => {
    expect(isShown(everything, view({ isPlain: false }))).toBe(false)
    expect(isShown(everything, view({ tables: undefined }))).toBe(false)
    expect(isShown(everything, view({ tables: ['tags', 'nowhere'] }))).toBe(false)
    expect(isShown(everything, view({}, { hasRowSecurity: true }))).toBe(false)
  })
})
