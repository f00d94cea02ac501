import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** Round robin over several servers, like a load balancer. */
export interface Balancer {
  readonly url: string
  close(): void
}

/** The next node, and the number of nodes that may still be tried. */
interface Place {
  readonly first: number
  readonly left: number
}

/** @param nodes addresses; read anew for each request. */
export async function startBalancer(nodes: () => readonly string[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true })
  let turn = 0
  /** Another node is tried only when a connection is refused: a request is never sent twice. */
  const pass = (from: IncomingMessage, body: Buffer, to: ServerResponse, at: Place): void => {
    const all = nodes()
    const node = all[at.first % all.length]
    const passed = request(`${node}${from.url}`, {
      agent,
      method: from.method,
      headers: { ...from.headers, 'x-forwarded-for': from.socket.remoteAddress ?? '' },
    })
    passed.on('response', (answer) => {
      to.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(to)
    })
    passed.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' && at.left > 1) {
        pass(from, body, to, { first: at.first + 1, left: at.left - 1 })
      } else to.writeHead(502, { 'x-failure': error.code ?? error.message }).end()
    })
    passed.end(body)
  }
  const server = createServer(async (from, to) => {
    turn += 1
    pass(from, await buffer(from), to, { first: turn, left: nodes().length })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      agent.destroy()
      server.close()
      server.closeAllConnections()
    },
  }
}
