/** @module The side of a measured server that its parent process talks to. */
import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'

/** What a server tells its parent. */
export type ServerMessage =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'cpu'; readonly cpuUs: number }

/** Listens on a free port, answers each message of the parent with the CPU time used, and ends when the parent lets go. */
export async function serveParent(server: Server, close: () => Promise<void>): Promise<void> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    tell({ kind: 'cpu', cpuUs: user + system })
  })
  process.once('disconnect', () => {
    server.close()
    if ('closeAllConnections' in server) (server.closeAllConnections as () => void)()
    void close()
  })
  tell({ kind: 'listening', port: (server.address() as AddressInfo).port })
}

function tell(message: ServerMessage): void {
  process.send?.(message)
}
