/** @module The text of `engine.tests.ts`: what the first permissions promise. */
import type { Connection } from '@engine/core/catalog'
import type { PermissionTest, TestCaller } from '../permission-tests/test-file.ts'
import { breakInTests } from './break-in-tests.ts'
import type { FirstPermission } from './first-permissions.ts'
import { formerMemberTests } from './former-member-tests.ts'
import type { TableAccess } from './guess-access.ts'
import type { Tenancy } from './guess-tenant.ts'
import type { UserTable } from './guess-users.ts'
import { quote } from './quote.ts'
import { inventedValues, provesNothing, testsOfStaff, testsOfUser } from './row-tests.ts'
import type { Fields, Samples } from './sample-rows.ts'
import { inComment, valueText } from './source-text.ts'

export interface TestsText {
  readonly connection: string
  /** Its tables. */
  readonly database: Pick<Connection, 'tables' | 'types'>
  readonly configFile: string
  readonly users: UserTable | undefined
  readonly tenancy: Tenancy | undefined
  readonly tables: readonly TableAccess[]
  readonly permissions: readonly FirstPermission[]
  readonly samples: Samples
}

/** More tests than that are not read. */
const mostTables = 8

export function testsText(options: TestsText): string {
  const fields = fieldsOf(options)
  const tests = testsOf(options, fields)
  const value = { config: options.configFile, callers: callersOf(fields), tests }
  const isEmpty = tests.some(({ name }) => name.endsWith(provesNothing))
  return `${[
    '/**',
    ' * Tests of the permissions, written by `engine-server init`: `engine-server permissions test engine.tests.ts` runs them, and rolls',
    ' * back what they write. Users, tenants and keys of rows are from the database that `init` read: a test of rows that are deleted',
    ' * fails. Some try to break in. Add the rules that matter to you.',
    ...(isEmpty
      ? [
          ' *',
          ` * A test whose name ends with "${provesNothing}" passes whatever the permission`,
          ' * is: no user had a row. Put a caller and rows that exist into it, or run `engine-server init --force` when there are some.',
        ]
      : []),
    ' */',
    "import type { PermissionTestFile } from '@engine/server'",
    '',
    `export default ${valueText(value, 0, 60)} satisfies PermissionTestFile`,
  ].join('\n')}\n`
}

function callersOf(fields: Fields): Readonly<Record<string, TestCaller>> {
  return {
    user: { roles: ['user'], fields },
    staff: { roles: ['staff'], fields },
    nobody: { roles: [] },
  }
}

/** Of a user that exists; invented where there is none. */
function fieldsOf({ users, tenancy, tables, samples }: TestsText): Fields {
  const [known] = samples.callers
  if (known !== undefined) return known
  const column = tenancy?.isOfUser === true ? tenancy.column : undefined
  const tenant = tables.flatMap(({ table }) => table.columns).find(({ name }) => name === column)
  return {
    [users?.key.name ?? 'id']: users === undefined ? 'somebody' : inventedValues(users.key)[0],
    ...(tenant === undefined ? {} : { [tenant.name]: inventedValues(tenant)[0] }),
  }
}

function testsOf(options: TestsText, fields: Fields): readonly PermissionTest[] {
  const { connection, tables, permissions } = options
  const active = new Map(
    permissions.filter(({ isActive }) => isActive).map((each) => [each.name, each.permission]),
  )
  const name = ({ table }: TableAccess) => `${quote(connection)}.${quote(table.name)}`
  const rowTests = { ...options, fields }
  const granted = new Map(
    tables.flatMap(({ table }) => {
      const permission = active.get(`own ${table.name}`)
      return permission === undefined ? [] : [[table.name, permission] as const]
    }),
  )
  const owned = (['own', 'tenant'] as const).flatMap((kind) =>
    tables
      .filter((access) => access.kind === kind && access.undecided === undefined)
      .slice(0, mostTables),
  )
  const ofTenant = tables
    .filter(({ table, tenant }) => tenant !== undefined && active.has(`staff: ${table.name}`))
    .slice(0, mostTables)
  const secret = tables.filter(({ secrets }) => secrets.length > 0).slice(0, mostTables)
  const refused = { error: 'PERMISSION_DENIED' } as const
  return [
    ...owned.flatMap((access) => testsOfUser(access, rowTests)),
    ...breakInTests({ ...rowTests, granted }),
    ...formerMemberTests(rowTests),
    ...ofTenant.flatMap((access) => testsOfStaff(access, rowTests)),
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
