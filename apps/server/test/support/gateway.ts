import { fileURLToPath } from 'node:url'
import { connect as connectCsv } from '@engine/adapters-csv'
import { connect as connectLibsql } from '@engine/adapters-libsql'
import { connect as connectMysql } from '@engine/adapters-mysql'
import { connect as connectPostgres } from '@engine/adapters-postgres'
import { connect as connectSqlite } from '@engine/adapters-sqlite'
import { openAuthProvider } from '@engine/auth'
import { type Audit, type Config, createEngine, type Engine, type Log } from '@engine/core'
import type { AdapterFactory } from '@engine/core/adapter'
import type { PgWireServerFactory } from '@engine/core/session'
import { createApp } from '@engine/http'

/** An engine with its HTTP handler, in this process. */
export interface TestGateway {
  readonly engine: Engine
  readonly fetch: (request: Request) => Promise<Response>
  /** `POST /data` with a body that is sent as JSON. */
  data(body: unknown, headers?: Readonly<Record<string, string>>): Promise<TestAnswer>
  /** `POST` of a body, unchanged. */
  post(
    path: string,
    body: string | Uint8Array,
    headers?: Readonly<Record<string, string>>,
  ): Promise<TestAnswer>
  close(): Promise<void>
}

export interface TestAnswer {
  readonly status: number
  readonly headers: Headers
  /** The parsed body; `any` shape is up to the test. */
  readonly body: unknown
}

export const adapters: Readonly<Record<string, AdapterFactory>> = {
  '@engine/adapters-csv': connectCsv,
  '@engine/adapters-libsql': connectLibsql,
  '@engine/adapters-mysql': connectMysql,
  '@engine/adapters-postgres': connectPostgres,
  '@engine/adapters-sqlite': connectSqlite,
}

/** Packages are found from here. */
const application = fileURLToPath(new URL('../..', import.meta.url))

export interface TestGatewayOptions {
  readonly isDevelopment?: boolean
  readonly log?: Log
  readonly audit?: Audit
  /** Where the configuration has `pgWire`. */
  readonly pgWire?: PgWireServerFactory
}

export async function openGateway(
  config: Config,
  { isDevelopment = true, log, audit, pgWire }: TestGatewayOptions = {},
): Promise<TestGateway> {
  const logging = log === undefined ? {} : { log }
  const wire =
    pgWire === undefined ? {} : { pgWire, auth: openAuthProvider, directory: application }
  const engine = await createEngine(config, { adapters, audit, ...wire, ...logging })
  const app = createApp(engine, { isDevelopment, audit, ...logging })
  const send = async (request: Request) => app.fetch(request)
  const post = async (
    path: string,
    body: string | Uint8Array,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<TestAnswer> => {
    const response = await send(
      new Request(`http://gateway.test${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : new Uint8Array(body),
      }),
    )
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: JSON.parse(text) }
  }
  return {
    engine,
    fetch: send,
    post,
    data: (body, headers) => post('/data', JSON.stringify(body), headers),
    close: () => engine.close(),
  }
}
