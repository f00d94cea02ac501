/** Where a gateway answers `POST /data`. */
export interface Gateway {
  /** Base address without a trailing slash, `http://127.0.0.1:3001`. */
  readonly url: string
  /** Bearer token; left out in open mode. */
  readonly token?: string
  /** Sends the request; the global `fetch` unless a test mounts the handler in its own process. */
  readonly fetch?: (request: Request) => Response | Promise<Response>
}

/** The body of `POST /data`. */
export interface DataRequest {
  readonly sql: string
  readonly params: readonly unknown[]
  readonly method: 'all' | 'get' | 'values' | 'run' | 'execute'
  readonly meta?: true
}

/** The answer; all but `rows` only where the request said `meta`. */
export interface DataAnswer {
  readonly rows: unknown[]
  readonly columns?: readonly { readonly name: string }[]
  /** Rows a write affected. */
  readonly rowCount?: number | null
}

interface ErrorBody {
  readonly error: string
  readonly message: string
  readonly correlation_id: string
}

/**
 * Sends one statement to the gateway.
 *
 * @throws {Error} with `status`, `code` and `correlationId` when the gateway refuses it.
 */
export async function postData(gateway: Gateway, request: DataRequest): Promise<DataAnswer> {
  const send = gateway.fetch ?? fetch
  const response = await send(
    new Request(`${gateway.url}/data`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(gateway.token === undefined ? {} : { authorization: `Bearer ${gateway.token}` }),
      },
      body: JSON.stringify(request, (_key, value) =>
        typeof value === 'bigint' ? value.toString() : value,
      ),
    }),
  )
  if (response.ok) return (await response.json()) as DataAnswer
  const problem = (await response.json()) as ErrorBody
  throw Object.assign(new Error(problem.message), {
    status: response.status,
    code: problem.error,
    correlationId: problem.correlation_id,
  })
}
