import type { RemoteCallback } from 'drizzle-orm/pg-proxy'

/** Where the engine answers, and as whom you come. */
export interface EngineOptions {
  /** Base address, `http://127.0.0.1:3001`. */
  readonly url: string
  /** Bearer token; undefined for an engine in open mode. */
  readonly token: string | undefined
}

/**
 * Connects Drizzle to the engine: `drizzle(engine({ url, token }), { schema })`.
 *
 * When the engine refuses a statement, Drizzle throws its own error, and the `cause` of that has the
 * `status`, `code` and `correlationId` of the refusal.
 */
export function engine({ url, token }: EngineOptions): RemoteCallback {
  const headers = {
    'content-type': 'application/json',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  }
  return async (sql, params, method) => {
    const body = JSON.stringify({ sql, params, method }, digitsOfBigints)
    const response = await fetch(`${url}/data`, { method: 'POST', headers, body })
    if (response.ok) return (await response.json()) as { rows: unknown[] }
    const refusal = (await response.json()) as Refusal
    throw Object.assign(new Error(refusal.message), {
      status: response.status,
      code: refusal.error,
      correlationId: refusal.correlation_id,
    })
  }
}

/** What the engine answers when it says no. */
interface Refusal {
  readonly error: string
  readonly message: string
  readonly correlation_id: string
}

/** JSON has no bigints. */
function digitsOfBigints(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}
