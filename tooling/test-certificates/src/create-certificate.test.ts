import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer } from 'node:tls'
import { expect, test } from 'vitest'
import { createCertificate } from './create-certificate.ts'

test('a client that is given the certificate trusts its server, by name and address', async () => {
  const { key, cert } = createCertificate()
  const server = createServer({ key, cert }, (socket) => socket.end('hello')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  for (const servername of ['localhost', '']) {
    const socket = connect({ host: '127.0.0.1', port, ca: cert, servername })
    const [data] = (await once(socket, 'data')) as [Buffer]
    expect(data.toString()).toBe('hello')
    expect(socket.authorized).toBe(true)
    socket.destroy()
  }
  server.close()
})
