import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { SignJWT } from 'jose'
import type { ConfigFile } from '../load-config.ts'
import { createDemoDatabase } from './demo-database.ts'
import { demoPermissions } from './demo-permissions.ts'

/** The embedded demo: a shop in SQLite, three roles, a token for each. */
export interface Demo {
  readonly config: ConfigFile
  /** What a person reads after the start: who can sign in, and a command that works. */
  welcome(url: string): Promise<string>
}

interface Account {
  readonly sub: string
  readonly roles: readonly string[]
  readonly claims: Readonly<Record<string, unknown>>
  readonly can: string
}

const accounts: readonly Account[] = [
  {
    sub: 'maria',
    roles: ['manager'],
    claims: { employee_id: 1 },
    can: 'reads and changes everything',
  },
  {
    sub: 'jonas',
    roles: ['support'],
    claims: { employee_id: 4 },
    can: 'reads orders and customers (no credit limits, no salaries), moves open orders along',
  },
  {
    sub: 'nordwind',
    roles: ['customer'],
    claims: { customer_id: 7 },
    can: 'reads products, and its own orders; places new ones',
  },
]

/** Creates the demo's database below `directory` (anew at every start) and a secret that lives as long as the process. */
export async function prepareDemo(directory: string): Promise<Demo> {
  const path = await demoPath(directory)
  createDemoDatabase(path)
  return demoOf(path)
}

/** The demo as its server left it, else a new one: for commands that look at what a server may be serving. */
export async function openDemo(directory: string): Promise<Demo> {
  const path = await demoPath(directory)
  if (!existsSync(path)) createDemoDatabase(path)
  return demoOf(path)
}

async function demoPath(directory: string): Promise<string> {
  const folder = join(directory, '.engine')
  await mkdir(folder, { recursive: true })
  return join(folder, 'demo.db')
}

function demoOf(path: string): Demo {
  const secret = randomBytes(48).toString('base64url')
  return {
    config: {
      connections: { main: path },
      auth: { secret },
      permissions: demoPermissions,
    },
    welcome: (url) => welcome(url, secret),
  }
}

async function welcome(url: string, secret: string): Promise<string> {
  const lines = ['', `Engine serves its demo shop at ${url}`, '']
  const tokens: string[] = []
  for (const account of accounts) {
    const token = await new SignJWT({ ...account.claims, roles: account.roles })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(account.sub)
      .setIssuedAt()
      .setExpirationTime('24h')
      .sign(new TextEncoder().encode(secret))
    tokens.push(token)
    lines.push(`${account.roles.join(', ')} (${account.sub}): ${account.can}`, `  ${token}`, '')
  }
  const sql = 'select id, status, total_cents from \\"main\\".\\"orders\\" order by id limit $1'
  const body = `{"sql":"${sql}","params":[3],"method":"all"}`
  const headers = `-H 'Authorization: Bearer ${tokens[2]}' -H 'Content-Type: application/json'`
  lines.push(
    'Try it: the same statement answers each of them differently.',
    '',
    `  curl -s ${url}/data ${headers} -d '${body}'`,
    '',
    '',
  )
  return lines.join('\n')
}
