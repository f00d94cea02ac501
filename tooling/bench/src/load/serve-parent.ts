/** @module The part of a measured server that communicates with its parent process. */
import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'

/** Messages of a server to its parent. */
export type ServerMessage =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'used'; readonly cpuUs: number; readonly memoryBytes: number }

/** Listens on a free port, and answers like `answerParent`. */
export async function serveParent(server: Server, close: () => Promise<void>): Promise<void> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  answerParent((server.address() as AddressInfo).port, async () => {
    server.close()
    if ('closeAllConnections' in server) (server.closeAllConnections as () => void)()
    await close()
  })
}

/**
 * Answers each message of the parent with the resources used: CPU time so far, memory now. Ends when the parent
 * disconnects.
 */
export function answerParent(port: number, close: () => Promise<void>): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    tell({ kind: 'used', cpuUs: user + system, memoryBytes: process.memoryUsage.rss() })
  })
  process.once('disconnect', () => void close())
  tell({ kind: 'listening', port })
}

function tell(message: ServerMessage): void {
  process.send?.(message)
}
