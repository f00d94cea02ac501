import { type Client, createClient } from '@engine/client'

/** Where a gateway answers `POST /data`. */
export interface Gateway {
  /** Base address without a trailing slash, `http://127.0.0.1:3001`. */
  readonly url: string
  /** Bearer token; left out in open mode. */
  readonly token?: string
  /** Sends the request; the global `fetch` unless a test mounts the handler in its own process. */
  readonly fetch?: (request: Request) => Response | Promise<Response>
}

/** The shipped client before a gateway. */
export function clientOf({ url, token, fetch: send }: Gateway): Client {
  return createClient({
    url,
    token,
    ...(send === undefined ? {} : { fetch: async (input, init) => send(new Request(input, init)) }),
  })
}
