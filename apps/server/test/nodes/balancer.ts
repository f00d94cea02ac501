/**
 * @module A load balancer for several nodes: sends requests in turn to those that are ready, and to another one after a
 * refusal.
 */
import { once } from 'node:events'
import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request as open,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Balancer {
  readonly url: string
  /** Number of answers by node, in the order of `targets`. */
  readonly answered: () => readonly number[]
  close(): Promise<void>
}

interface Target {
  readonly url: string
  isReady: boolean
  answered: number
}

const probeMs = 50

/** @param targets base addresses of the nodes; they may be unavailable. */
export async function startBalancer(targets: readonly string[]): Promise<Balancer> {
  const known: readonly Target[] = targets.map((url) => ({ url, isReady: true, answered: 0 }))
  let isClosed = false
  const follow = async (target: Target): Promise<void> => {
    while (!isClosed) {
      target.isReady = await isReady(target.url)
      await sleep(probeMs)
    }
  }
  const following = known.map(follow)
  let turn = 0
  const inTurn = (): readonly Target[] => {
    turn += 1
    const turned = known.map((_, i) => known[(turn + i) % known.length] as Target)
    return turned.toSorted((left, right) => Number(right.isReady) - Number(left.isReady))
  }
  const server = createServer(async (request, response) => {
    const chunks = await Array.fromAsync(request)
    forward({ request, response, body: Buffer.concat(chunks) }, inTurn())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    answered: () => known.map(({ answered }) => answered),
    close: async () => {
      isClosed = true
      await Promise.all(following)
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(2_000) })
    await response.body?.cancel()
    return response.ok
  } catch {
    // Refused: no process listens there.
    return false
  }
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly body: Buffer
}

/** Only a refused connection is tried elsewhere: any request that was sent may have been executed. */
function forward(exchange: Exchange, [target, ...others]: readonly Target[]): void {
  const { request, response, body } = exchange
  if (target === undefined) {
    response.writeHead(502).end()
    return
  }
  const asked: ClientRequest = open(`${target.url}${request.url}`, {
    method: request.method,
    agent: false,
    headers: {
      ...request.headers,
      connection: 'close',
      'x-forwarded-for': request.headers['x-forwarded-for'] ?? request.socket.remoteAddress,
    },
  })
  asked.on('response', (answer) => {
    target.answered += 1
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  asked.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNREFUSED') return forward(exchange, others)
    if (response.headersSent) return response.destroy()
    response.writeHead(502).end(error.code)
  })
  asked.end(body)
}
