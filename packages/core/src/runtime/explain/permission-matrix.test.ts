import type { MatrixEntry, PermissionMatrix } from '@engine/contract/admin-api'
import { describe, expect, test } from 'vitest'
import type { Permission } from '../../compiler/permissions/permission/permission.ts'
import { shop } from '../../compiler/permissions/test-support/authorize-for-test.ts'
import type { Settings } from '../../config/settings/settings.ts'
import { diffMatrices } from './matrix-diff.ts'
import { permissionMatrix } from './permission-matrix.ts'

const auth = {} as NonNullable<Settings['auth']>

function matrixOf(
  permissions: Readonly<Record<string, Omit<Permission, 'table'> & { table?: string }>>,
  options: { readonly isOpen?: boolean; readonly catalog?: typeof shop.catalog } = {},
): PermissionMatrix {
  const named = Object.entries(permissions).map(([name, permission]): [string, Permission] => [
    name,
    { table: 'main.orders', ...permission },
  ])
  return permissionMatrix(
    { permissions: new Map(named), auth: options.isOpen === true ? undefined : auth },
    options.catalog,
  )
}

function entry(matrix: PermissionMatrix, role: string, operation: string): MatrixEntry | undefined {
  return matrix.entries.find((each) => each.role === role && each.operation === operation)
}

describe('a matrix', () => {
  test('has an entry for what is granted and none for what is not', () => {
    const matrix = matrixOf({
      own: { roles: ['a', 'b'], select: {}, delete: { where: { id: 1 } } },
    })
    expect(matrix.roles).toEqual(['a', 'b'])
    expect(matrix.tables).toEqual(['main.orders'])
    expect(matrix.entries.map(({ role, operation }) => `${role} ${operation}`)).toEqual([
      'a select',
      'a delete',
      'b select',
      'b delete',
    ])
    expect(entry(matrix, 'a', 'delete')?.grants).toEqual([{ permission: 'own', where: 'id = 1' }])
  })

  test('shows columns, conditions, presets, caps; an update without check reuses its where', () => {
    const matrix = matrixOf({
      p: {
        name: 'named',
        roles: ['a'],
        restrict: { tenant: '$user.tenant' },
        select: { columns: ['id'], where: { status: 'new' }, limit: 5, aggregate: false },
        insert: { columns: ['notes'], check: { total: { $gt: 0 } }, preset: { status: 'new' } },
        update: { columns: ['notes'], where: { status: 'new' } },
      },
    })
    expect(entry(matrix, 'a', 'select')).toEqual({
      role: 'a',
      table: 'main.orders',
      operation: 'select',
      grants: [
        {
          permission: 'named',
          columns: ['id'],
          where: "status = 'new'",
          limit: 5,
          aggregate: false,
        },
      ],
      restrict: ['tenant = $user.tenant'],
      masked: [],
    })
    expect(entry(matrix, 'a', 'insert')?.grants).toEqual([
      { permission: 'named', columns: ['notes'], check: 'total > 0', presets: { status: "'new'" } },
    ])
    expect(entry(matrix, 'a', 'update')?.grants).toEqual([
      {
        permission: 'named',
        columns: ['notes'],
        where: "status = 'new'",
        check: "status = 'new'",
      },
    ])
  })

  test('a star is everything there is where that is known, in catalog order', () => {
    const star = { p: { roles: ['a'], select: { columns: '*' }, insert: {} } } as const
    expect(entry(matrixOf(star), 'a', 'select')?.grants[0]?.columns).toBe('*')
    const known = matrixOf(star, { catalog: shop.catalog })
    const all = shop.connection.tables.get('orders')?.columns.map(({ name }) => name)
    expect(entry(known, 'a', 'select')?.grants[0]?.columns).toEqual(all)
    expect(entry(known, 'a', 'insert')?.grants[0]?.columns).toEqual(all)
    const listed = { p: { roles: ['a'], select: { columns: ['status', 'id'] } } } as const
    const sorted = entry(matrixOf(listed, { catalog: shop.catalog }), 'a', 'select')
    expect(sorted?.grants[0]?.columns).toEqual(['id', 'status'])
  })

  test('names tables that nobody may use', () => {
    const matrix = matrixOf({ p: { roles: ['a'], select: {} } }, { catalog: shop.catalog })
    expect(matrix.tables).toEqual(
      [...shop.connection.tables.keys()].map((name) => `main.${name}`).sort(),
    )
  })

  test('the star among roles is every authenticated caller, and nobody in open mode', () => {
    const permissions = {
      all: { roles: ['*'], select: { columns: ['id'] } },
      own: { roles: ['a'], select: { columns: ['notes'] } },
    } as const
    const matrix = matrixOf(permissions)
    expect(matrix.roles).toEqual(['*', 'a'])
    expect(entry(matrix, '*', 'select')?.grants.map((grant) => grant.permission)).toEqual(['all'])
    expect(entry(matrix, 'a', 'select')?.grants.map((grant) => grant.permission)).toEqual([
      'all',
      'own',
    ])
    const open = matrixOf(permissions, { isOpen: true })
    expect(open.roles).toEqual(['a'])
    expect(entry(open, 'a', 'select')?.grants.map((grant) => grant.permission)).toEqual(['own'])
  })

  test('says which cells are null where permissions show different columns of different rows', () => {
    const matrix = matrixOf({
      few: { roles: ['a'], select: { columns: ['id'] } },
      own: { roles: ['a'], select: { columns: ['id', 'notes'], where: { status: 'new' } } },
    })
    expect(entry(matrix, 'a', 'select')?.masked).toEqual([
      { column: 'notes', visibleWhen: "status = 'new'" },
    ])
  })
})

test('open mode without permissions grants everything on every table that is known', () => {
  const settings = { permissions: new Map(), auth: undefined }
  expect(permissionMatrix(settings)).toEqual({
    isOpen: true,
    roles: ['anonymous'],
    tables: [],
    entries: [],
  })
  const { isOpen, tables, entries } = permissionMatrix(settings, shop.catalog)
  expect(isOpen).toBe(true)
  expect(entries).toHaveLength(tables.length * 4)
  expect(permissionMatrix({ permissions: new Map(), auth }, shop.catalog)).toMatchObject({
    isOpen: false,
    entries: [],
  })
})

describe('a difference', () => {
  const before = matrixOf({ p: { roles: ['a'], select: { columns: ['id', 'notes'] } } })

  test('is none for another name, order or spelling of the same', () => {
    const after = matrixOf({
      q: { name: 'other', roles: ['a'], select: { columns: ['notes', 'id'], where: {} } },
    })
    expect(diffMatrices(before, after)).toEqual([])
  })

  test('is what is granted newly, no more, or otherwise, by role, table and operation', () => {
    const after = matrixOf({
      p: { roles: ['b'], select: { columns: ['id', 'notes'] } },
      q: { roles: ['b'], update: { columns: ['notes'] } },
    })
    expect(
      diffMatrices(before, after).map(({ role, operation, before: was, after: is }) => [
        role,
        operation,
        was !== undefined,
        is !== undefined,
      ]),
    ).toEqual([
      ['a', 'select', true, false],
      ['b', 'select', false, true],
      ['b', 'update', false, true],
    ])
  })

  test.each<[name: string, permission: Omit<Permission, 'table'>]>([
    ['a column', { roles: ['a'], select: { columns: ['id'] } }],
    ['a row condition', { roles: ['a'], select: { columns: ['id', 'notes'], where: { id: 1 } } }],
    ['a restriction', { roles: ['a'], restrict: { id: 1 }, select: { columns: ['id', 'notes'] } }],
    ['a cap', { roles: ['a'], select: { columns: ['id', 'notes'], limit: 1 } }],
    ['aggregates', { roles: ['a'], select: { columns: ['id', 'notes'], aggregate: false } }],
  ])('%s is one', (_, permission) => {
    expect(diffMatrices(before, matrixOf({ p: permission }))).toHaveLength(1)
  })
})
