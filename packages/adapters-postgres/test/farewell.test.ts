/** A server that closes a connection in the same packet that opens it, as a restart under load can do. */
import { createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { postgresAdapter } from '../src/index.ts'

/** One message of the protocol: type, length, content. */
function message(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(content.length + 4)
  return Buffer.concat([Buffer.from(type), length, content])
}

const authenticationOk = message('R', Buffer.from([0, 0, 0, 0]))
const readyForQuery = message('Z', Buffer.from('I'))
const shutdown = message(
  'E',
  Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0'),
)

let server: Server
const sockets = new Set<Socket>()

beforeAll(async () => {
  server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('data', () =>
      socket.end(Buffer.concat([authenticationOk, readyForQuery, shutdown])),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await new Promise<void>((resolve) => server.close(() => resolve()))
})

test('a farewell in the packet of the welcome is an answer, not a crash', async () => {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const adapter = postgresAdapter({ url: `postgres://someone:secret@127.0.0.1:${port}/nothing` })

  const uncaught: unknown[] = []
  const onUncaught = (error: unknown) => uncaught.push(error)
  process.on('uncaughtException', onUncaught)
  await expect(adapter.ping(AbortSignal.timeout(10_000))).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    status: 503,
  })
  await adapter.close()
  process.off('uncaughtException', onUncaught)

  expect(uncaught).toEqual([])
})
