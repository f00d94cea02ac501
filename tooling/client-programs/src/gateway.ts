import { type Client, createClient } from '@engine/client'

/** The address of a gateway's `POST /data`. */
export interface Gateway {
  /** Base address without a trailing slash, `http://127.0.0.1:3001`. */
  readonly url: string
  /** Bearer token; left out in open mode. */
  readonly token?: string
  /** Sends the request; the global `fetch` unless a test runs the handler in its own process. */
  readonly fetch?: (request: Request) => Response | Promise<Response>
}

/** The published client for a gateway. */
export function clientOf({ url, token, fetch: send }: Gateway): Client {
  return createClient({
    url,
    token,
    ...(send === undefined ? {} : { fetch: async (input, init) => send(new Request(input, init)) }),
  })
}
