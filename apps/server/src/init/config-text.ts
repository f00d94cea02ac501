/** @module The text of `engine.config.ts`. */
import type { Connection } from '@engine/core/catalog'
import { invitedFields, missingAtSignUp } from './first-accounts.ts'
import type { FirstPermission } from './first-permissions.ts'
import { membershipOf, type Tenancy, userStatus } from './guess-tenant.ts'
import type { UserTable } from './guess-users.ts'
import { type Code, inComment, keyText, literal, valueText } from './source-text.ts'

export interface ConfigText {
  readonly connection: string
  /** The value of the connection: a path, or an object around a variable. */
  readonly source: unknown
  readonly users: UserTable | undefined
  readonly tenancy: Tenancy | undefined
  readonly permissions: readonly FirstPermission[]
  readonly database: Pick<Connection, 'tables' | 'types'>
  /** `./engine.schema.ts` */
  readonly schemaFile: string
}

export function configText(options: ConfigText): string {
  const { connection, source, permissions, schemaFile } = options
  const verb = missingAtSignUp(options).length === 0 ? 'create' : 'invite'
  return `${[
    '/**',
    ' * Written by `engine-server init`, and yours from now on. The permissions are guesses from the names of tables and columns and from',
    ' * foreign keys: read each of them. What none of them grants is refused.',
    ' *',
    ' * `engine-server doctor` checks this file and its databases, `engine-server permissions matrix` shows who may do what.',
    ' */',
    "import { join } from 'node:path'",
    "import { defineConfig } from '@engine/server'",
    `import type { Schema } from ${literal(schemaFile)}`,
    '',
    'export default defineConfig<Schema>({',
    '  connections: {',
    `    ${keyText(connection)}: ${valueText(source, 4, connection.length + 2)},`,
    '  },',
    '  // Accounts, sessions and the audit log; several nodes share a PostgreSQL or MySQL database instead.',
    "  service_db: join(import.meta.dirname, 'engine.db'),",
    '  // The credential of administrators, also for the pages at /admin.',
    "  masterKey: process.env.ENGINE_MASTER_KEY ?? '',",
    '  auth: {',
    "    secret: process.env.ENGINE_AUTH_SECRET ?? '',",
    ...userTableLines(options),
    `    // Administrators give the role "staff": \`engine-server users ${verb} --role staff --email …\`, or at /admin.`,
    "    roles: { default: ['user'] },",
    '  },',
    '  // GET /schema, from which engine-codegen writes types; it names every table.',
    "  schemaEndpoint: process.env.NODE_ENV !== 'production',",
    "  // psql and BI tools: `psql -h 127.0.0.1 -p 5433 -U <e-mail address>` with the account's password.",
    '  // pgWire: true,',
    '  permissions: {',
    permissions.map(permissionText).join('\n\n'),
    '  },',
    '})',
  ].join('\n')}\n`
}

function userTableLines(options: ConfigText): readonly string[] {
  const { connection, users, tenancy } = options
  if (users === undefined) {
    return [
      "    // The caller's id is `$user.id`. With a table of users: userTable: { table: '<connection>.<table>' }",
    ]
  }
  const { table, key, unfilled } = users
  const missing = missingAtSignUp({ users, tenancy })
  const columns = tenancy?.isOfUser === true ? { columns: [tenancy.column] } : {}
  const value = { table: `${connection}.${table.name}`, ...columns }
  const status = statusColumns(options)
  return [
    `    // The caller is the row whose ${inComment(key.name)} is the account's id: \`$user.${inComment(key.name)}\`.`,
    `    userTable: ${valueText(value, 4, 11)},`,
    ...(missing.length > 0 ? invitationLines(missing, unfilled) : []),
    ...(tenancy?.memberships === undefined
      ? []
      : [
          `    // A new account sees nothing of a tenant before a row of ${inComment(tenancy.memberships)} names it: your application, or an administrator, adds it.`,
        ]),
    ...(status === undefined ? [] : [`    // ${status}`]),
  ]
}

/** What the conditions on memberships are about. */
function statusColumns({ users, tenancy, database }: ConfigText): string | undefined {
  if (users === undefined || tenancy === undefined) return undefined
  const table = tenancy.isOfUser ? users.table.name : tenancy.memberships
  const status = tenancy.isOfUser
    ? userStatus(users, database)
    : membershipOf(tenancy, database, users)?.status
  if (status === undefined || status.columns.length === 0) return undefined
  const columns = status.columns.map(inComment).join(', ')
  return `Who is invited, removed or expired sees nothing of a tenant. A row of ${inComment(table ?? '')} says it by: ${columns}. Check the values.`
}

function invitationLines(missing: readonly string[], unfilled: readonly string[]): string[] {
  const why =
    unfilled.length > 0
      ? `A sign-up cannot make such a row: ${someOf(missing)} would need a value.`
      : `A sign-up leaves ${someOf(missing)} empty: such an account would see nothing.`
  return [
    `    // ${why}`,
    '    // People with a row get an account by an invitation: `engine-server users invite --email …`; without a row, by one that fills it:',
    `    // \`engine-server users invite --email … --fields '${inComment(invitedFields(missing))}'\`.`,
    '    signUp: { enabled: false },',
  ]
}

/** The first names of a list that may be long. */
function someOf(names: readonly string[]): string {
  const shown = names.slice(0, 3).map(inComment).join(', ')
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown
}

function permissionText({ name, permission, comments, isActive }: FirstPermission): string {
  const key = keyText(name)
  const indent = isActive ? 4 : 0
  const lines = `${key}: ${valueText(permission, indent, key.length + 2)},`.split('\n')
  const [first = '', ...rest] = lines
  const text = isActive ? [`    ${first}`, ...rest] : lines.map((line) => `    // ${line}`)
  return [...comments.map((comment) => `    // ${inComment(comment)}`), ...text].join('\n')
}

/** A file beside the configuration, wherever the server is started: `join(import.meta.dirname, 'shop.db')`. */
export function besideConfig(path: string): Code {
  const isUrl = path.startsWith('file:')
  const joined = `join(import.meta.dirname, ${literal(path.replace(/^file:/, ''))})`
  return { code: isUrl ? `\`file:\${${joined}}\`` : joined }
}

/** `process.env.DATABASE_URL ?? ''` */
export function variable(name: string): Code {
  return { code: `process.env.${name} ?? ''` }
}
