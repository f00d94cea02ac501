import { once } from 'node:events'
import { createServer } from 'node:http'
import { extname } from 'node:path'

/** Serves the output of a build, from memory. */
export interface PageServer {
  /** Origin: `http://127.0.0.1:34567`. */
  readonly url: string
  /** Sets the served content: content by path, `/index.html` for every page. */
  show(files: ReadonlyMap<string, string | Uint8Array>): void
  close(): Promise<void>
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** @param headers sent with every answer, for example a Content-Security-Policy. */
export async function startPageServer(
  headers: Readonly<Record<string, string>> = {},
): Promise<PageServer> {
  let files: ReadonlyMap<string, string | Uint8Array> = new Map()
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://page.test')
    const path = files.has(pathname) ? pathname : '/index.html'
    const content = extname(pathname) === '' ? files.get(path) : files.get(pathname)
    if (content === undefined) {
      response.writeHead(404, headers).end()
    } else {
      const type = types[extname(path)] ?? 'application/octet-stream'
      response.writeHead(200, { 'content-type': type, ...headers }).end(content)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no TCP port was given')
  return {
    url: `http://127.0.0.1:${address.port}`,
    show: (next) => {
      files = next
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
