import { randomBytes } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { adminLinkLines } from '../admin-link.ts'
import type { ConfigFile } from '../define-config.ts'
import { type DemoAccount, demoPassword, openAccounts } from './demo-accounts.ts'
import { createDemoDatabase } from './demo-database.ts'
import { demoPermissions } from './demo-permissions.ts'

/** The embedded demo: a shop in SQLite, three accounts with one role each. */
export interface Demo {
  readonly config: ConfigFile
  /**
   * Creates the accounts. @returns the text that is printed after the start: who can sign in, and commands that work.
   */
  welcome(server: DemoAddresses): Promise<string>
}

/** Addresses of the demo. */
export interface DemoAddresses {
  readonly url: string
  /** `127.0.0.1:5433` */
  readonly pgWireAddress: string | undefined
  createAdminLink(): string | undefined
}

/**
 * Creates the demo's databases below `directory` (anew at every start) and a secret that exists only in this process.
 */
export async function prepareDemo(directory: string): Promise<Demo> {
  const paths = await demoPaths(directory)
  createDemoDatabase(paths.shop)
  for (const suffix of ['', '-wal', '-shm']) rmSync(paths.service + suffix, { force: true })
  return demoOf(paths)
}

/** The demo of a running server, otherwise a new one: for commands that inspect it. */
export async function openDemo(directory: string): Promise<Demo> {
  const paths = await demoPaths(directory)
  if (!existsSync(paths.shop)) createDemoDatabase(paths.shop)
  return demoOf(paths)
}

interface DemoPaths {
  readonly shop: string
  /** Accounts and sessions. */
  readonly service: string
}

async function demoPaths(directory: string): Promise<DemoPaths> {
  const folder = join(directory, '.engine')
  await mkdir(folder, { recursive: true })
  return { shop: join(folder, 'demo.db'), service: join(folder, 'demo-service.db') }
}

function demoOf({ shop, service }: DemoPaths): Demo {
  const masterKey = randomBytes(24).toString('base64url')
  return {
    config: {
      service_db: service,
      masterKey,
      audit: { enabled: true },
      connections: { main: shop },
      auth: {
        secret: randomBytes(48).toString('base64url'),
        userTable: {
          table: 'main.accounts',
          matchOn: { column: 'id', jwtField: 'sub' },
          columns: ['role', 'customer_id', 'employee_id'],
        },
      },
      permissions: demoPermissions,
      schemaEndpoint: true,
      pgWire: { auth: { strategy: ['jwt', 'apiKey', 'password'] } },
      log: { level: 'warn' },
    },
    welcome: async (server) => welcomeText(server, masterKey, await openAccounts(server.url, shop)),
  }
}

function welcomeText(
  { url, pgWireAddress, createAdminLink }: DemoAddresses,
  masterKey: string,
  accounts: readonly DemoAccount[],
): string {
  const lines = ['', `Engine serves its demo shop at ${url}`, '']
  for (const { name, role, can, token } of accounts) {
    lines.push(`${role} (${name}): ${can}`, `  ${token}`, '')
  }
  const customer = accounts.at(-1)
  const sql = 'select id, status, total_cents from \\"main\\".\\"orders\\" order by id limit $1'
  const body = `{"sql":"${sql}","params":[3],"method":"all"}`
  const json = "-H 'Content-Type: application/json'"
  const signIn = `{"email":"${customer?.email}","password":"${demoPassword}"}`
  lines.push(
    'Try it: the same statement answers each of them differently.',
    '',
    `  curl -s ${url}/data -H 'Authorization: Bearer ${customer?.token}' ${json} -d '${body}'`,
    '',
    'Sign in for a token of your own, or sign up:',
    '',
    `  curl -s ${url}/auth/sign-in ${json} -d '${signIn}'`,
    '',
  )
  if (pgWireAddress !== undefined) lines.push(...psqlLines(pgWireAddress, customer?.email))
  lines.push(
    'See who may do what, and why, as an administrator: sign in with this master key.',
    '',
    `  ${url}/admin`,
    `  ${masterKey}`,
    '',
    ...adminLinkLines(createAdminLink()),
    '',
  )
  return lines.join('\n')
}

/** The same shop for all clients of PostgreSQL's protocol. */
function psqlLines(address: string, user: string | undefined): readonly string[] {
  const { hostname, port } = new URL(`postgres://${address}`)
  return [
    'Or with any client of PostgreSQL: the password is that of the account, or a token.',
    '',
    `  PGPASSWORD='${demoPassword}' psql -h ${hostname} -p ${port} -U ${user} -c '\\dt main.*' -c 'select id, status, total_cents from orders limit 3'`,
    '',
  ]
}
