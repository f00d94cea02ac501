/**
 * @module The client of a libSQL server. It always uses HTTP, which every server with WebSockets also supports: closing
 * the request stops its statement, while on a WebSocket the statement would continue.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { GatewayError } from '@engine/core/adapter'
import {
  type Client,
  createClient,
  type InStatement,
  type ResultSet as LibsqlResult,
  type Transaction,
} from '@libsql/client/web'

/** Runs statements: the client itself, or a transaction. */
export type Executor = Pick<Transaction, 'execute'>

export type { Client, InStatement, LibsqlResult, Transaction }

export interface LibsqlClient extends Client {
  /** When the signal fires, all requests of `work` are closed. */
  within<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>
}

/**
 * Connects with the first statement.
 *
 * @param url `libsql:`, `https:`, `http:`, `wss:` or `ws:`; `?authToken=...` when the server requires one
 * @throws {GatewayError} `invalidConfiguration` for a URL that the client does not accept.
 */
export function openClient(url: string, name: string): LibsqlClient {
  return open(url, `connections.${name}`, 'bigint')
}

/** The same for the service database: integers are JavaScript numbers. */
export function createServiceClient(url: string): LibsqlClient {
  return open(url, 'service_db', 'number')
}

type IntMode = 'bigint' | 'number'

function open(url: string, place: string, intMode: IntMode): LibsqlClient {
  const signals = new AsyncLocalStorage<AbortSignal>()
  const client = create(url, { place, intMode }, (request: Request) => {
    const signal = signals.getStore()
    return signal === undefined ? fetch(request) : fetch(request, { signal })
  })
  const within = <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const giveUp = (): void => reject(signal.reason)
      if (signal.aborted) {
        giveUp()
        return
      }
      signal.addEventListener('abort', giveUp, { once: true })
      signals
        .run(signal, work)
        .then(resolve, reject)
        .finally(() => signal.removeEventListener('abort', giveUp))
    })
  return Object.assign(client, { within })
}

function create(
  url: string,
  { place, intMode }: { readonly place: string; readonly intMode: IntMode },
  request: (request: Request) => Promise<Response>,
): Client {
  try {
    return createClient({ url: url.replace(/^ws/, 'http'), intMode, fetch: request })
  } catch {
    // Its message would contain the URL, and the token in it.
    const message = `${place}: is no URL of a libSQL server`
    throw new GatewayError('invalidConfiguration', message)
  }
}
