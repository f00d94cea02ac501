/** @module The text of `engine.tests.ts`: what the first permissions promise, whatever rows there are. */
import type { Column } from '@engine/core/server'
import type { PermissionTest, TestCaller } from '../permission-tests/test-file.ts'
import type { FirstPermission } from './first-permissions.ts'
import type { TableAccess } from './guess-access.ts'
import type { Tenancy } from './guess-tenant.ts'
import type { UserTable } from './guess-users.ts'
import { inComment, valueText } from './source-text.ts'

export interface TestsText {
  readonly connection: string
  readonly configFile: string
  readonly users: UserTable | undefined
  readonly tenancy: Tenancy | undefined
  readonly tables: readonly TableAccess[]
  readonly permissions: readonly FirstPermission[]
}

/** More tests than that are not read. */
const mostTables = 8

export function testsText(options: TestsText): string {
  const { configFile } = options
  const value = { config: configFile, callers: callersOf(options), tests: testsOf(options) }
  return `${[
    '/**',
    ' * Tests of the permissions, written by `engine-server init`: `engine-server permissions test engine.tests.ts` runs them, and rolls',
    ' * back what they write. Add the rules that matter to you, with rows that exist.',
    ' */',
    "import type { PermissionTestFile } from '@engine/server'",
    '',
    `export default ${valueText(value, 0, 60)} satisfies PermissionTestFile`,
  ].join('\n')}\n`
}

function callersOf({ users, tenancy, tables }: TestsText): Readonly<Record<string, TestCaller>> {
  const column = tenancy?.isOfUser === true ? tenancy.column : undefined
  const tenant = tables.flatMap(({ table }) => table.columns).find(({ name }) => name === column)
  const fields = {
    [users?.key.name ?? 'id']: users === undefined ? someText : someValue(users.key),
    ...(tenant === undefined ? {} : { [tenant.name]: someValue(tenant) }),
  }
  return {
    user: { roles: ['user'], fields },
    staff: { roles: ['staff'], fields },
    nobody: { roles: [] },
  }
}

const someText = '00000000-0000-4000-8000-000000000001'

const integers: ReadonlySet<number> = new Set([20, 21, 23, 1700])

function someValue({ type }: Column): unknown {
  return integers.has(type.oid) ? 1 : someText
}

function testsOf(options: TestsText): readonly PermissionTest[] {
  const { connection, tables, permissions } = options
  const active = new Map(
    permissions.filter(({ isActive }) => isActive).map((each) => [each.name, each.permission]),
  )
  const name = ({ table }: TableAccess) => `${quote(connection)}.${quote(table.name)}`
  const owned = tables.filter(({ kind }) => kind === 'own').slice(0, mostTables)
  const secret = tables.filter(({ secrets }) => secrets.length > 0).slice(0, mostTables)
  const refused = { error: 'PERMISSION_DENIED' } as const
  return [
    ...owned.flatMap((access): PermissionTest[] => {
      const [column = '', value] = Object.entries(access.own ?? {})[0] ?? []
      if (typeof value !== 'string') return []
      return [
        {
          name: `users see their own rows of ${inComment(access.table.name)} only`,
          as: 'user',
          sql: `select count(*)::int from ${name(access)} where ${quote(column)} <> ${ownerValue(access, column)}`,
          expect: { rows: [[0]] },
        },
      ]
    }),
    ...secret.flatMap((access): PermissionTest[] =>
      ['user', 'staff'].map((as) => ({
        name: `${inComment(access.secrets[0] ?? '')} of ${inComment(access.table.name)} is not for ${as}`,
        as,
        sql: `select ${quote(access.secrets[0] ?? '')} from ${name(access)}`,
        expect: refused,
      })),
    ),
    ...tables
      .filter(({ table }) => active.has(`staff: ${table.name}`))
      .slice(0, mostTables)
      .map(
        (access): PermissionTest => ({
          name: `staff sees these columns of ${inComment(access.table.name)}`,
          as: 'staff',
          sql: `select * from ${name(access)} limit 1`,
          expect: { columns: access.columns },
        }),
      ),
    ...tables.slice(0, 1).map(
      (access): PermissionTest => ({
        name: 'without a role there is nothing',
        as: 'nobody',
        sql: `select 1 from ${name(access)}`,
        expect: refused,
      }),
    ),
  ]
}

/** The value of the caller `user`, as a constant of SQL. */
function ownerValue({ table }: TableAccess, name: string): string {
  const column = table.columns.find((each) => each.name === name)
  const value = column === undefined ? someText : someValue(column)
  return typeof value === 'number' ? String(value) : `'${String(value)}'`
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
