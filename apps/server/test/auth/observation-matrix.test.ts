/**
 * What a client learns of an address without its mailbox: every state of an address, every route, under every set of options.
 * Two states are equal when each answer is: status, headers, body (tokens, ids and times by their form), and the number of
 * password hashes that were computed for it. Durations are not compared.
 */
import type { AuthConfig } from '@engine/core'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Accounts, type CallAnswer, openAccounts } from '../support/accounts.ts'
import { createFolder, type TestFolder } from '../support/folder.ts'
import { connectWire } from '../support/wire.ts'

const states = ['new', 'unverified', 'verified', 'disabled', 'invited', 'row'] as const
type State = (typeof states)[number]

/** The owner of an address has another password than the client tries. */
const owned = 'the password of the owner'
const tried = 'the password of the client'

const rows = { table: 'users.people', columns: [] }
const verifying = { emailVerification: true }
const concealing = { ...verifying, signUp: { concealExisting: true } }
const options: readonly (readonly [string, AuthConfig, ReadonlySet<string>])[] = [
  ['defaults', {}, new Set()],
  ['verification', verifying, new Set()],
  [
    'verification, rows that are linked',
    { ...verifying, userTable: { ...rows, linkByEmail: true } },
    new Set(),
  ],
  ['concealed', concealing, new Set(states)],
  ['concealed, rows', { ...concealing, userTable: rows }, new Set(states)],
  [
    'concealed, rows that are linked',
    { ...concealing, userTable: { ...rows, linkByEmail: true } },
    new Set(states),
  ],
]

const junk = 'A'.repeat(43)

/** A client that visits with one address. `token` is that of its latest sign-up. */
interface Visit {
  readonly email: string
  token: string
}

type Probe = (visit: Visit, accounts: Accounts, wire: string) => Promise<CallAnswer | string>

const post =
  (path: string, body: (email: string) => object): Probe =>
  ({ email }, { call }) =>
    call('POST', path, { body: body(email) })
const withToken =
  (method: string, path: string, body?: object): Probe =>
  ({ token }, { call }) =>
    call(method, path, { token, ...(body === undefined ? {} : { body }) })

const signUp: Probe = async (visit, { call }) => {
  const body = { email: visit.email, password: tried, name: 'Eve' }
  const answer = await call('POST', '/auth/sign-up', { body })
  visit.token = answer.body.session?.token ?? visit.token
  return answer
}
const signIn = (password: string) => post('/auth/sign-in', (email) => ({ email, password }))
const login: Probe = async ({ email }, _, address) => {
  try {
    await (await connectWire({ address, user: email, password: tried })).end()
    return 'connected'
  } catch (error) {
    const { code, message } = error as { readonly code?: string; readonly message: string }
    return `${code} ${message}`
  }
}

const probes: Readonly<Record<string, Probe>> = {
  'sign-in with a wrong password': signIn('a wrong password'),
  'sign-in': signIn(tried),
  'wire login': login,
  'sign-up': signUp,
  'forgot-password': post('/auth/forgot-password', (email) => ({ email })),
  'resend-verification': post('/auth/resend-verification', (email) => ({ email })),
  'verify-email': post('/auth/verify-email', () => ({ token: junk })),
  'reset-password': post('/auth/reset-password', () => ({ token: junk, password: tried })),
  invitation: post('/auth/invitation', () => ({ token: junk })),
  'accept-invitation': post('/auth/accept-invitation', () => ({ token: junk, password: tried })),
  data: withToken('POST', '/data', { sql: 'select 1', params: [], method: 'all' }),
  session: withToken('GET', '/auth/session'),
  sessions: withToken('GET', '/auth/sessions'),
  'end sessions': withToken('DELETE', '/auth/sessions/others'),
  'change-password': withToken('POST', '/auth/change-password', {
    currentPassword: tried,
    newPassword: 'another good password',
  }),
  'sign-out': withToken('POST', '/auth/sign-out'),
}

/** Those that write a mail behind their answer, for whichever address. */
const mailing = new Set(['sign-up', 'forgot-password', 'resend-verification'])

const afterSignUp = [
  'sign-in',
  'wire login',
  'data',
  'session',
  'sessions',
  'end sessions',
  'change-password',
  'sign-out',
]
const visits: readonly (readonly string[])[] = [
  [
    'sign-in with a wrong password',
    'sign-up',
    ...afterSignUp,
    'sign-in with a wrong password',
    'verify-email',
    'reset-password',
    'invitation',
    'accept-invitation',
    'sign-up',
    'sign-in',
  ],
  [
    'resend-verification',
    'forgot-password',
    'sign-up',
    'sign-in',
    'resend-verification',
    'sign-in',
  ],
  [
    'wire login',
    'forgot-password',
    'sign-in',
    'resend-verification',
    'sign-up',
    'wire login',
    'session',
  ],
]

/** What a client can see of an answer, without what differs between any two requests. */
function visible(answer: CallAnswer | string, email: string): unknown {
  if (typeof answer === 'string') return answer.replaceAll(email, '<email>')
  const own = new Set(['x-request-id', 'date'])
  return {
    status: answer.status,
    headers: [...answer.headers].map(([name, value]) => [name, own.has(name) ? '' : value]),
    length: answer.text.length,
    body: formOf(answer.body, email),
  }
}

function formOf(value: unknown, email: string): unknown {
  if (Array.isArray(value)) return value.map((each) => formOf(each, email))
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).map(([name, each]) => [name, formOf(each, email)])
  }
  if (typeof value !== 'string') return value
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(value)) return '<uuid>'
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return '<time>'
  const [head, payload, signature] = value.split('.')
  if (head?.startsWith('eyJ') && payload !== undefined && signature !== undefined) {
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const sinceIssue = Object.entries(claims).map(([name, each]) =>
      typeof each === 'number' ? [name, each - claims.iat] : [name, formOf(each, email)],
    )
    return ['<token>', head, sinceIssue, signature.length]
  }
  // Of the ids in tokens: random ones have this length.
  if (/^[\w-]{22}$/.test(value)) return '<random>'
  return value.replaceAll(email, '<email>')
}

let visitors = 0

/** Addresses of one length. */
function nextEmail(): string {
  visitors += 1
  return `visitor-${String(visitors).padStart(6, '0')}@shop.test`
}

async function prepare(
  state: State,
  email: string,
  { gateway }: Accounts,
  users: Database.Database,
): Promise<void> {
  const admin = gateway.auth?.admin
  switch (state) {
    case 'new':
      return
    case 'unverified':
    case 'verified':
    case 'disabled': {
      const verified = state !== 'unverified'
      const user = await admin?.createUser({ email, password: owned, verified })
      if (state === 'disabled') await admin?.updateUser(user?.id ?? '', { disabled: true })
      return
    }
    case 'invited':
      await admin?.invite({ email })
      return
    case 'row':
      users.prepare('insert into people (email, name) values (?, ?)').run(email, 'Owner')
  }
}

async function mails({ gateway }: Accounts): Promise<number> {
  const found = await gateway.store?.database.selectFrom('engine_mails').select('id').execute()
  return found?.length ?? 0
}

/** Everything that a visit shows. */
async function observe(
  visit: readonly string[],
  email: string,
  accounts: Accounts,
  wire: string,
): Promise<readonly unknown[]> {
  const visitor: Visit = { email, token: 'no.token.yet' }
  const seen: unknown[] = []
  for (const name of visit) {
    const before = await mails(accounts)
    const finished = () => accounts.gateway.auth?.hashingLoad().finished ?? 0
    const hashesBefore = finished()
    const answer = await probes[name]?.(visitor, accounts, wire)
    if (answer === undefined) throw new Error(name)
    seen.push([name, finished() - hashesBefore, visible(answer, visitor.email)])
    // Its work is done behind the answer: what the next answer tells must not depend on how far it has come.
    const isRefused = typeof answer !== 'string' && answer.status === 409
    if (mailing.has(name) && !isRefused) {
      await expect.poll(() => mails(accounts), { timeout: 20_000, interval: 5 }).toBe(before + 1)
    }
  }
  return seen
}

const isPromised = new Set([
  'sign-in with a wrong password',
  'forgot-password',
  'resend-verification',
  'verify-email',
  'reset-password',
  'invitation',
  'accept-invitation',
])

describe.each(options)('with %s', (_, auth, alike) => {
  let folder: TestFolder
  let users: Database.Database
  let accounts: Accounts
  let wire: string
  beforeAll(async () => {
    folder = createFolder()
    const url = `${folder.path}/users.db`
    users = new Database(url)
    users.exec(
      `create table people (id integer primary key, email text not null, name text);
       insert into people (id, email) values (41, 'first@shop.test')`,
    )
    accounts = await openAccounts(auth, {
      config: {
        connections: { main: `${folder.path}/main.db`, users: url },
        permissions: [],
        pgWire: { port: 0, auth: { strategy: ['password'] }, catalog: 'builtin' },
      },
    })
    wire = (await accounts.gateway.engine.startPgWire()).address
  })
  afterAll(async () => {
    await accounts?.close()
    users.close()
    folder.remove()
  })

  test.each(visits.map((visit) => [visit]))('%j tells no states apart', async (visit) => {
    const seen = new Map<State, readonly unknown[]>()
    for (const state of states) {
      if (state === 'row' && auth.userTable === undefined) continue
      const email = nextEmail()
      await prepare(state, email, accounts, users)
      seen.set(state, await observe(visit, email, accounts, wire))
    }
    const first = seen.get('new')
    for (const [state, found] of seen) {
      for (const [i, name] of visit.entries()) {
        if (!alike.has(state) && !isPromised.has(name)) continue
        expect(found[i], `${state}, step ${i + 1}`).toEqual(first?.[i])
      }
    }
  })
})
