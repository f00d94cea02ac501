/** @module Clients that send probes, each in its own way, and what they are answered. */
import pg from 'pg'
import postgres from 'postgres'
import type { TestGateway } from '../support/gateway.ts'
import { bearer } from '../support/tokens.ts'
import type { Probe } from './migration.ts'

/** What a client got for a probe. */
export type Outcome =
  | { readonly kind: 'rows'; readonly rows: readonly (readonly (string | null)[])[] }
  /**
   * `reason`: status or SQLSTATE, and message. `again`: the statement or its transaction did nothing, and succeeds or is refused
   * when it is sent again; a migration may cause it, and nothing else.
   */
  | { readonly kind: 'refused' | 'again' | 'error'; readonly reason: string }

export interface ProbeClient {
  readonly name: string
  /** Which callers it can be. */
  readonly callers: readonly NonNullable<Probe['caller']>[]
  send(probe: Probe): Promise<Outcome>
  close(): Promise<void>
}

export const masterKey = 'hV8u2Kz0Qm4sT6xW1yB3nC5pE7rG9jLd'

type Headers = Readonly<Record<string, string>>

const headersOf: Readonly<Record<NonNullable<Probe['caller']>, () => Promise<Headers>>> = {
  admin: async () => ({ authorization: `Bearer ${masterKey}` }),
  clerk: () => bearer({ roles: ['clerk'], customer: 1 }),
}

export function httpClient(gateway: TestGateway): ProbeClient {
  return {
    name: 'HTTP',
    callers: ['admin', 'clerk'],
    send: async ({ sql, params = [], caller = 'admin' }) => {
      const headers = await headersOf[caller]()
      const { status, body } = await gateway.data({ sql, params, method: 'all' }, headers)
      return answerOf(status, body, (answer) => (answer as { rows: unknown[][] }).rows)
    },
    close: async () => undefined,
  }
}

/** A statement between two others of a transaction. */
export function batchClient(gateway: TestGateway): ProbeClient {
  return {
    name: 'batch',
    callers: ['admin', 'clerk'],
    send: async ({ sql, params = [], caller = 'admin' }) => {
      const stable = { sql: 'select id from main.orders', params: [], method: 'all' }
      const statements = [stable, { sql, params, method: 'all' }, stable]
      const headers = await headersOf[caller]()
      const { status, body } = await gateway.post(
        '/data/batch',
        JSON.stringify({ statements }),
        headers,
      )
      return answerOf(
        status,
        body,
        (answer) => (answer as { results: { rows: unknown[][] }[] }).results[1]?.rows ?? [],
      )
    },
    close: async () => undefined,
  }
}

function answerOf(status: number, body: unknown, rowsOf: (body: unknown) => unknown[][]): Outcome {
  if (status === 200) return { kind: 'rows', rows: rowsOf(body).map((row) => row.map(asText)) }
  const reason = `${status} ${JSON.stringify(body)}`
  if (status === 409 && reason.includes('try again')) return { kind: 'again', reason }
  return { kind: status >= 400 && status < 500 ? 'refused' : 'error', reason }
}

/** A JSON value as PostgreSQL prints it. */
function asText(value: unknown): string | null {
  if (value === null) return null
  if (typeof value === 'boolean') return value ? 't' : 'f'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export interface WireAddress {
  readonly host: string
  readonly port: number
  readonly password: string
}

/** @param isInTransaction each probe runs in a transaction of its own, which other statements share. */
export async function nodePostgresClient(
  address: WireAddress,
  isInTransaction: boolean,
): Promise<ProbeClient> {
  const client = new pg.Client({ ...address, user: 'anyone', database: 'engine' })
  await client.connect()
  const run = async ({ name, sql, params = [] }: Probe) => {
    const { rows } = await client.query<(string | null)[]>({
      name,
      text: sql,
      values: [...params],
      rowMode: 'array',
      types: { getTypeParser: () => (text: string | null) => text } as never,
    })
    return rows
  }
  return {
    name: isInTransaction ? 'node-postgres in transactions' : 'node-postgres',
    callers: ['admin'],
    send: (probe) =>
      outcomeOf(async () => {
        if (!isInTransaction) return run(probe)
        await client.query('begin')
        try {
          await client.query('select id from main.orders')
          return await run(probe)
        } finally {
          await client.query('commit')
        }
      }),
    close: () => client.end(),
  }
}

/** It caches the descriptions of the statements that it has prepared. */
export function postgresJsClient(address: WireAddress): ProbeClient {
  const client = postgres({ ...address, user: 'anyone', database: 'engine', max: 1 })
  return {
    name: 'postgres.js',
    callers: ['admin'],
    send: ({ sql, params = [] }) =>
      outcomeOf(async () => {
        const rows = await client.unsafe(sql, [...params], { prepare: true }).raw()
        return rows.map((row) => row.map((cell) => (cell === null ? null : String(cell))))
      }),
    close: () => client.end(),
  }
}

async function outcomeOf(send: () => Promise<(string | null)[][]>): Promise<Outcome> {
  try {
    return { kind: 'rows', rows: await send() }
  } catch (error) {
    const { code = 'none', message } = error as { readonly code?: string; readonly message: string }
    return outcomeOfError(code, message)
  }
}

export function outcomeOfError(code: string, message: string): Outcome {
  const reason = `${code} ${message}`
  if (code === '40001' || message.startsWith('cached plan must not')) {
    return { kind: 'again', reason }
  }
  return { kind: /^(?:22|23|42|44)/.test(code) ? 'refused' : 'error', reason }
}
