/** @module A gateway with accounts in this process, and calls as a browser makes them. */

import { type AuthConfig, type Config, type Log, silentLog } from '@engine/core'
import { createGateway, type Gateway, type GuessRules } from '@engine/http'
import { createPgWireServer } from '@engine/pgwire'
import { serviceDatabases } from '@engine/test-stores'
import Database from 'better-sqlite3'
import { expect } from 'vitest'
import { createFolder } from './folder.ts'
import { adapters } from './gateway.ts'

export const authSecret = 'a secret of at least thirty-two bytes'
export const masterKey = 'a master key of at least thirty-two bytes'
export const password = 'correct horse battery staple'

/** Options of a request. */
export interface CallOptions {
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent unchanged, instead of `body`. */
  readonly raw?: string | Uint8Array
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Address of the client's socket; default 127.0.0.1. */
  readonly ip?: string
}

export interface CallAnswer {
  readonly status: number
  readonly headers: Headers
  /** The parsed body; undefined when it is no JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: its shape is up to the test
  readonly body: any
  readonly text: string
}

/** A target of calls: a gateway in this process, or a server elsewhere. */
export interface Callable {
  call(method: string, path: string, options?: CallOptions): Promise<CallAnswer>
}

export interface Accounts extends Callable {
  readonly gateway: Gateway
  /** Moves the gateway's clock forward. */
  pass(milliseconds: number): void
  now(): number
  /** Everything that was logged. */
  readonly log: readonly string[]
  /** Replaces parts of the configuration. */
  reconfigure(changes: Partial<Config>): Promise<void>
  /** Runs SQL on the database of `main`, beside the engine. */
  execute(sql: string): void
  /** The token in the newest mail to an address whose subject matches; waits for it. */
  mailedToken(to: string, subject: RegExp): Promise<string>
  close(): Promise<void>
}

export interface AccountsOptions {
  /** URL of the service database; default: a SQLite file of its own. */
  readonly serviceDatabase?: string
  readonly isDevelopment?: boolean
  readonly config?: Partial<Config>
  readonly guessRules?: GuessRules
  /** SQL for the database of `main` before the gateway opens. */
  readonly tables?: string
}

/**
 * Opens a gateway where users with the role `user` may read their own rows of `main.notes`. Throttles are off unless
 * `auth` sets them.
 */
export async function openAccounts(
  auth: AuthConfig = {},
  {
    serviceDatabase,
    isDevelopment = false,
    config = {},
    guessRules,
    tables = '',
  }: AccountsOptions = {},
): Promise<Accounts> {
  const folder = createFolder()
  const execute = (sql: string): void => {
    const notes = new Database(`${folder.path}/notes.db`)
    notes.exec(sql)
    notes.close()
  }
  execute('create table notes (id integer primary key, owner text, note text)')
  execute(tables)
  let movedMs = 0
  const now = () => Date.now() + movedMs
  const lines: string[] = []
  const whole: Config = {
    connections: { main: `${folder.path}/notes.db` },
    permissions: [
      {
        name: 'own-notes',
        table: 'main.notes',
        roles: ['user'],
        select: { where: { owner: '$user.id' } },
      },
    ],
    masterKey,
    service_db: serviceDatabase ?? `${folder.path}/service.db`,
    auth: { secret: authSecret, throttle: false, ...auth },
    ...config,
  }
  const gateway = await createGateway(whole, {
    isDevelopment,
    adapters,
    guessRules,
    serviceDatabases,
    pgWire: createPgWireServer,
    clock: now,
    log: recordingLog(lines),
  })
  const call = async (
    method: string,
    path: string,
    options: CallOptions = {},
  ): Promise<CallAnswer> => {
    const env = { incoming: { socket: { remoteAddress: options.ip ?? '127.0.0.1' } } }
    return toAnswer(
      await gateway.app.fetch(toRequest('http://gateway.test', method, path, options), env),
    )
  }
  return {
    gateway,
    call,
    now,
    pass: (milliseconds) => {
      movedMs += milliseconds
    },
    log: lines,
    reconfigure: (changes) => gateway.reconfigure({ ...whole, ...changes }),
    execute,
    mailedToken: async (to, subject) => {
      const find = async () => {
        const mails = (await gateway.auth?.admin.outbox()) ?? []
        return mails.find((mail) => mail.to === to && subject.test(mail.subject))
      }
      await expect.poll(find, { timeout: 10_000, interval: 10 }).toBeDefined()
      return tokenIn((await find())?.text ?? '')
    },
    close: async () => {
      await gateway.close()
      folder.remove()
    },
  }
}

/** A server at an address. */
export function remote(base: string): Callable {
  return {
    call: async (method, path, options = {}) =>
      toAnswer(await fetch(toRequest(base, method, path, options))),
  }
}

function toRequest(base: string, method: string, path: string, options: CallOptions): Request {
  const { body, raw, token, headers } = options
  const content = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  return new Request(`${base}${path}`, {
    method,
    headers: {
      ...(content === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(content === undefined
      ? {}
      : { body: typeof content === 'string' ? content : new Uint8Array(content) }),
  })
}

async function toAnswer(response: Response): Promise<CallAnswer> {
  const { status, headers } = response
  const text = await response.text()
  const isJson = headers.get('content-type')?.startsWith('application/json') === true
  return { status, headers, text, body: text === '' || !isJson ? undefined : JSON.parse(text) }
}

function recordingLog(lines: string[]): Log {
  const write = (facts: object, message: string) => {
    const told = 'err' in facts ? { ...facts, err: String(facts.err) } : facts
    lines.push(`${message} ${JSON.stringify(told)}`)
  }
  return { ...silentLog, info: write, warn: write, error: write }
}

/** The token in a mail of the built-in templates: 43 letters, in a link or on its own. */
export function tokenIn(text: string): string {
  const found = /(?:[#?]token=|\n)([\w-]{43})\n/.exec(text)?.[1]
  if (found === undefined) throw new Error(`there is no token in ${JSON.stringify(text)}`)
  return found
}

let made = 0

/** An unused address. */
export function newEmail(): string {
  made += 1
  return `user${made}.${process.pid}@shop.test`
}

/** A user who has signed up. */
export interface Member {
  readonly id: string
  readonly email: string
  readonly token: string
}

export async function signUp(
  { call }: Callable,
  { email = newEmail(), ...more }: { readonly email?: string; readonly name?: string } = {},
): Promise<Member> {
  const answer = await call('POST', '/auth/sign-up', { body: { email, password, ...more } })
  expect(answer).toMatchObject({ status: 201 })
  return { id: answer.body.user.id, email, token: answer.body.session.token }
}

/** @returns the answer, with any status. */
export function signIn(
  { call }: Callable,
  email: string,
  secret: string = password,
): Promise<CallAnswer> {
  return call('POST', '/auth/sign-in', { body: { email, password: secret } })
}

/** `POST /data` for the rows that the caller may see. */
export function readNotes({ call }: Callable, token: string): Promise<CallAnswer> {
  const body = { sql: 'select note from main.notes', params: [], method: 'all' }
  return call('POST', '/data', { body, token })
}
