/** @module An auth provider in this process, with a clock that tests move and an audit that they read. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectMysql } from '@engine/adapters-mysql'
import { connect as connectPostgres } from '@engine/adapters-postgres'
import { connect as connectSqlite } from '@engine/adapters-sqlite'
import {
  type AuditEvent,
  type AuthConfig,
  type Config,
  createEngine,
  createMemoryRateLimiter,
  type Engine,
  type Log,
  silentLog,
} from '@engine/core'
import type { AdapterFactory } from '@engine/core/adapter'
import { type AuthEvent, type ClientInfo, parseConfig } from '@engine/core/server'
import type { Store } from '@engine/core/store'
import Database from 'better-sqlite3'
import { afterAll, expect } from 'vitest'
import { type Auth, createAuth } from '../../src/index.ts'

export const password = 'correct horse battery staple'

export interface OpenAuth extends Auth {
  /** Moves the clock forward. */
  pass(milliseconds: number): void
  now(): number
  /** Audit entries with this action. */
  events(action?: string): readonly AuthEvent[]
  /** Everything that was logged, as text. */
  readonly logged: readonly string[]
  /** The token of the newest mail to an address, once there are `count` mails. */
  mailedToken(email: string, subject: RegExp, count?: number): Promise<string>
}

export interface OpenAuthOptions {
  readonly auth?: AuthConfig
  readonly connections?: Config['connections']
  /** Of a table `main.notes`, which is made for them. */
  readonly permissions?: Config['permissions']
  readonly jwt?: Config['jwt']
  readonly masterKey?: string
  readonly isProduction?: boolean
  /** Default: a time in 2026. */
  readonly startMs?: number
}

let shared: Promise<Engine> | undefined

/** One for all tests of a file whose accounts need no table: to open a database takes two threads and a sixth of a second. */
function engineWithoutTables(): Promise<Engine> {
  shared ??= createEngine(
    { connections: { main: { url: join(sharedFolder, 'main.db'), create: true } } },
    { adapters, log: silentLog },
  )
  return shared
}

const sharedFolder = mkdtempSync(join(tmpdir(), 'engine-auth-'))
afterAll(async () => {
  await (await shared)?.close()
  rmSync(sharedFolder, { recursive: true, force: true })
})

/** Throttles are off unless `auth` says otherwise. */
export async function openAuth(store: Store, options: OpenAuthOptions = {}): Promise<OpenAuth> {
  const folder = mkdtempSync(join(tmpdir(), 'engine-auth-'))
  if (options.permissions !== undefined) {
    const main = new Database(join(folder, 'main.db'))
    main.exec('create table notes (id integer primary key, text text)')
    main.close()
  }
  let nowMs = options.startMs ?? Date.UTC(2026, 10, 22, 12)
  const clock = () => nowMs
  const logged: string[] = []
  const log = recordingLog(logged)
  const config: Config = {
    permissions: options.permissions ?? [],
    connections: options.connections ?? { main: { url: join(folder, 'main.db'), create: true } },
    auth: { secret: 'a secret of at least thirty-two bytes', throttle: false, ...options.auth },
    ...(options.jwt === undefined ? {} : { jwt: options.jwt }),
  }
  const needsTables = options.connections !== undefined || options.permissions !== undefined
  const own = needsTables ? await createEngine(config, { adapters, log }) : undefined
  const engine = own ?? (await engineWithoutTables())
  const { auth: settings, jwt } = own?.settings ?? parseConfig(config)
  if (settings === undefined) throw new Error('no auth settings')
  const events: AuditEvent[] = []
  const auth = await createAuth({
    settings,
    jwt,
    masterKey: options.masterKey,
    store,
    engine,
    limiter: createMemoryRateLimiter({ clock }),
    audit: {
      record: (event) => {
        events.push(event)
        return undefined
      },
      flush: async () => undefined,
      close: async () => undefined,
    },
    isProduction: options.isProduction ?? true,
    log,
    clock,
  })
  const mailsTo = async (email: string, subject: RegExp) =>
    (await auth.admin.outbox()).filter((mail) => mail.to === email && subject.test(mail.subject))
  return {
    ...auth,
    pass: (milliseconds) => {
      nowMs += milliseconds
    },
    now: clock,
    events: (action) =>
      events
        .filter((event) => event.kind === 'auth')
        .filter((event) => action === undefined || event.action === action),
    logged,
    mailedToken: async (email, subject, count = 1) => {
      await expect
        .poll(async () => (await mailsTo(email, subject)).length, { timeout: 10_000, interval: 5 })
        .toBe(count)
      const [mail] = await mailsTo(email, subject)
      const [token] = /[\w-]{43}/.exec(mail?.text ?? '') ?? []
      expect(token).toBeDefined()
      return token ?? ''
    },
    close: async () => {
      await auth.close()
      await own?.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Database adapters by package. */
export const adapters: Readonly<Record<string, AdapterFactory>> = {
  '@engine/adapters-mysql': connectMysql,
  '@engine/adapters-postgres': connectPostgres,
  '@engine/adapters-sqlite': connectSqlite,
}

/** A client at an address. */
export function clientAt(ip: string): ClientInfo {
  return { ip, userAgent: 'a browser', correlationId: 'test' }
}

export const client: ClientInfo = clientAt('192.0.2.1')

/** Runs this number of calls at the same time: the results of those that succeed, and the error codes of the others. */
export async function inParallel<Result>(
  count: number,
  start: (i: number) => Promise<Result>,
): Promise<{ readonly values: readonly Result[]; readonly codes: readonly string[] }> {
  const outcomes = await Promise.allSettled(Array.from({ length: count }, (_, i) => start(i)))
  const values = outcomes.flatMap((outcome) =>
    outcome.status === 'fulfilled' ? [outcome.value] : [],
  )
  const codes = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [String(outcome.reason.code)] : [],
  )
  return { values, codes }
}

function recordingLog(lines: string[]): Log {
  const write = (facts: object, message: string) => {
    lines.push(`${message} ${JSON.stringify(facts)}`)
  }
  return { ...silentLog, info: write, warn: write, error: write }
}
