import { randomBytes } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ErrorBody } from '@engine/contract'
import type { ServedDemo } from '@engine/http'
import type { ConfigFile } from '../configuration/define-config.ts'
import { screenLines } from '../starting/screen.ts'
import type { Paint } from '../terminal/terminal.ts'
import { type DemoAccount, demoPassword, openAccounts } from './demo-accounts.ts'
import { createDemoDatabase, resetDemoRows } from './demo-database.ts'
import { holdDemoFolder } from './demo-lock.ts'
import { demoPermissions } from './demo-permissions.ts'
import { writeDemoTokens } from './demo-tokens.ts'
import { tourLink } from './tour-link.ts'

/** The embedded demo: a shop in SQLite, three accounts with one role each. */
export interface Demo {
  readonly config: ConfigFile
  /** For the administrator's pages. */
  readonly served: ServedDemo
  /**
   * Creates the accounts, and files with their tokens. @returns the text that is printed after the start: addresses, who can
   * sign in, and commands that work.
   *
   * @param hasKeys `readKeys` will read keys: the text names them.
   */
  welcome(server: DemoAddresses, paint: Paint, hasKeys: boolean): Promise<string>
  /** Makes data and rules of a running demo what they were. @throws {Error} with the answer of the server. */
  reset(url: string): Promise<void>
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
 *
 * @throws {GatewayError} `invalidConfiguration`, before a file changes, while another server uses them.
 */
export async function prepareDemo(directory: string): Promise<Demo> {
  const paths = await demoPaths(directory)
  holdDemoFolder(dirname(paths.shop))
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

/** In the working directory. */
const tokenFolder = '.engine'

interface DemoPaths {
  readonly shop: string
  /** Accounts and sessions. */
  readonly service: string
}

async function demoPaths(directory: string): Promise<DemoPaths> {
  const folder = join(directory, tokenFolder)
  await mkdir(folder, { recursive: true })
  return { shop: join(folder, 'demo.db'), service: join(folder, 'demo-service.db') }
}

function demoOf({ shop, service }: DemoPaths): Demo {
  const masterKey = randomBytes(24).toString('base64url')
  let accounts: readonly DemoAccount[] = []
  return {
    config: {
      // Its rules can be changed in the pages.
      mode: 'interactive',
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
    served: {
      status: () => ({
        accounts: accounts.map(({ name, email, role, can }) => ({ name, email, role, can })),
      }),
      resetData: async () => resetDemoRows(shop),
    },
    welcome: async (server, paint, hasKeys) => {
      accounts = await openAccounts(server.url, shop)
      writeDemoTokens(dirname(shop), accounts)
      return welcomeText(server, masterKey, accounts, { paint, hasKeys })
    },
    reset: async (url) => {
      const headers = { Authorization: `Bearer ${masterKey}` }
      const response = await fetch(`${url}/admin/api/demo/reset`, { method: 'POST', headers })
      if (response.ok) return
      const { message } = (await response.json()) as ErrorBody
      throw new Error(message)
    },
  }
}

function welcomeText(
  server: DemoAddresses,
  masterKey: string,
  accounts: readonly DemoAccount[],
  { paint, hasKeys }: { readonly paint: Paint; readonly hasKeys: boolean },
): string {
  const { url, pgWireAddress } = server
  const [manager] = accounts
  const customer = accounts.at(-1)
  const screen = screenLines(
    {
      what: 'its demo shop',
      addresses: { http: url, ...(pgWireAddress === undefined ? {} : { pgWire: pgWireAddress }) },
      adminLink: tourLink(server),
      masterKey,
      login: customer && { user: customer.email, password: demoPassword },
    },
    paint,
  )
  const width = Math.max(...accounts.map(({ email }) => email.length))
  const curl = ({ role }: DemoAccount, sql: string) =>
    `     curl -s ${url}/data -H @${tokenFolder}/${role}.headers -d '${JSON.stringify({ sql, params: [], method: 'all' })}'`
  const step = (number: number, text: string) => `  ${paint('bold', String(number))}  ${text}`
  return [
    ...screen,
    step(1, `The same statement answers each account differently (tokens are in ${tokenFolder}):`),
    '',
    ...[customer, manager].flatMap((account) => (account ? [curl(account, statement)] : [])),
    '',
    step(2, 'Change a rule and see it hold: three cards in the pages, behind the admin link'),
    step(3, `Your own database: ${program()} init --url postgres://…`),
    '',
    `  Accounts with the password ${paint('bold', demoPassword)}:`,
    '',
    ...accounts.map(
      ({ role, email, can }) => `    ${role.padEnd(9)}${email.padEnd(width + 2)}${can}`,
    ),
    '',
    '  The data and the rules of the demo begin anew at each start.',
    ...(hasKeys ? ['  Press o to open the pages, r to reset the demo, q to quit.'] : []),
    '',
    '',
  ].join('\n')
}

/** The command as the person has just typed it: a checkout has another one than an installed package. */
function program(): string {
  return process.env['npm_lifecycle_event'] === 'start' ? 'npm start --' : 'npx engine-server'
}

/** Every role may read it, each its own part. */
const statement = 'select count(*) from orders'
