/** @module Accepts connections, and serves them later. */
import type { Server, Socket } from 'node:net'

/**
 * From now on new connections are accepted, and their requests wait. A client that waits for an answer opens no other connection, so
 * that after some milliseconds none waits to be accepted.
 *
 * @returns a function that serves those that were held, and all later ones.
 */
export function holdConnections(server: Server): () => void {
  const listeners = server.rawListeners('connection') as ((socket: Socket) => void)[]
  const held: Socket[] = []
  // Without a listener an error of a socket would end the process; it destroys the socket.
  const onError = () => undefined
  server.removeAllListeners('connection')
  server.on('connection', (socket) => {
    socket.on('error', onError)
    held.push(socket)
  })
  return () => {
    server.removeAllListeners('connection')
    for (const listener of listeners) server.on('connection', listener)
    for (const socket of held) {
      socket.off('error', onError)
      if (!socket.destroyed) server.emit('connection', socket)
    }
  }
}
