/** @module The text of `engine.config.ts`. */

import type { FirstPermission } from './first-permissions.ts'
import type { Tenancy } from './guess-tenant.ts'
import type { UserTable } from './guess-users.ts'
import { type Code, inComment, keyText, literal, valueText } from './source-text.ts'

export interface ConfigText {
  readonly connection: string
  /** The value of the connection: a path, or an object around a variable. */
  readonly source: unknown
  readonly users: UserTable | undefined
  readonly tenancy: Tenancy | undefined
  readonly permissions: readonly FirstPermission[]
  /** `./engine.schema.ts` */
  readonly schemaFile: string
}

export function configText(options: ConfigText): string {
  const { connection, source, permissions, schemaFile } = options
  return `${[
    '/**',
    ' * Written by `engine-server init`, and yours from now on. The permissions are guesses from the names of tables and columns and from',
    ' * foreign keys: read each of them. What none of them grants is refused.',
    ' *',
    ' * `engine-server doctor` checks this file and its databases, `engine-server permissions matrix` shows who may do what.',
    ' */',
    "import { defineConfig } from '@engine/server'",
    `import type { Schema } from ${literal(schemaFile)}`,
    '',
    'export default defineConfig<Schema>({',
    '  connections: {',
    `    ${keyText(connection)}: ${valueText(source, 4, connection.length + 2)},`,
    '  },',
    '  // Accounts, sessions and the audit log; several nodes share a PostgreSQL or MySQL database instead.',
    "  service_db: 'engine.db',",
    '  // The credential of administrators, also for the pages at /admin.',
    "  masterKey: process.env.ENGINE_MASTER_KEY ?? '',",
    '  auth: {',
    "    secret: process.env.ENGINE_AUTH_SECRET ?? '',",
    ...userTableLines(options),
    '    // Administrators give the role "staff": `engine-server users create --role staff --email …`, or at /admin.',
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

function userTableLines({ connection, users, tenancy }: ConfigText): readonly string[] {
  if (users === undefined) {
    return [
      "    // The caller's id is `$user.id`. With a table of users: userTable: { table: '<connection>.<table>' }",
    ]
  }
  const { table, key, unfilled } = users
  const columns = tenancy?.isOfUser === true ? { columns: [tenancy.column] } : {}
  const value = { table: `${connection}.${table.name}`, ...columns }
  const isTaken = unfilled.length > 0
  return [
    `    // The caller is the row whose ${inComment(key.name)} is the account's id: \`$user.${inComment(key.name)}\`.`,
    `    userTable: ${valueText(value, 4, 11)},`,
    ...(isTaken
      ? [
          `    // A sign-up cannot make such a row: ${someOf(unfilled)} would need a value.`,
          '    // How people with a row get an account: docs/auth.md, "Users in your own table".',
          '    signUp: { enabled: false },',
        ]
      : []),
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

/** `process.env.DATABASE_URL ?? ''` */
export function variable(name: string): Code {
  return { code: `process.env.${name} ?? ''` }
}
