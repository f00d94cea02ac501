import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An issuer's key set, served over HTTP. */
export interface KeyServer {
  readonly url: string
  /** Number of requests so far. */
  readonly requests: () => number
  /** Sets the answer from now on. */
  answer(listener: RequestListener): void
  /** Sets the key set from now on. */
  serve(keys: readonly object[]): void
  close(): Promise<void>
}

/** @param port a free one by default; the port of a closed server, to start it again. */
export async function startKeyServer(port = 0): Promise<KeyServer> {
  let listener: RequestListener = (_, response) => response.writeHead(404).end()
  let requests = 0
  const server = createServer((request, response) => {
    requests += 1
    listener(request, response)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${address.port}/jwks`,
    requests: () => requests,
    answer: (next) => {
      listener = next
    },
    serve: (keys) => {
      listener = (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ keys }))
      }
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
