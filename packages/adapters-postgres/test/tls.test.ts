/** A server that requires TLS: a proxy with TLS in front of a server without it. */
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import { oids } from '@engine/core/catalog'
import { createCertificate } from '@engine/test-certificates'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { postgresAdapter } from '../src/index.ts'
import { executionOf, statementOf } from './support/statements.ts'

describePostgres('A server that wants TLS', () => {
  const { key, cert } = createCertificate()
  const authority = join(tmpdir(), `engine-test-authority-${process.pid}.pem`)
  const sockets = new Set<Socket>()
  let proxy: Server
  let url: URL

  beforeAll(async () => {
    writeFileSync(authority, cert)
    const database = new URL(await createDatabase('tls'))
    proxy = createServer((socket) => {
      // The request for TLS comes first, and is answered without encryption.
      socket.once('data', () => {
        socket.write('S')
        const clear = new TLSSocket(socket, { isServer: true, key, cert })
        const behind = connect(Number(database.port), database.hostname)
        for (const end of [socket, clear, behind]) {
          sockets.add(end)
          end.on('error', () => end.destroy())
        }
        clear.pipe(behind).pipe(clear)
      })
    })
    proxy.listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    url = new URL(database)
    url.hostname = 'localhost'
    url.port = String((proxy.address() as AddressInfo).port)
  })
  afterAll(async () => {
    rmSync(authority, { force: true })
    for (const socket of sockets) socket.destroy()
    proxy?.close()
  })

  const text = statementOf('select $1::text, $2::int', {
    columns: [oids.text, oids.int4],
    parameters: [oids.text, oids.int4],
  })

  test('is trusted by its certificate, and answers statements of any size, many at a time', async () => {
    url.searchParams.set('sslmode', 'verify-full')
    url.searchParams.set('sslrootcert', authority)
    const adapter = postgresAdapter({ url: url.href })
    const long = 'é"\\'.repeat(100_000)
    for (let round = 0; round < 20; round++) {
      const answers = await Promise.all(
        Array.from({ length: 32 }, (_, i) => adapter.execute(executionOf(text, ['a', String(i)]))),
      )
      expect(answers.map(({ rows }) => rows)).toEqual(
        Array.from({ length: 32 }, (_, i) => `["a",${i}]`),
      )
    }
    const { rows } = await adapter.execute(executionOf(text, [long, '1']))
    expect(JSON.parse(Buffer.from(rows).toString())).toEqual([long, 1])
    await adapter.close()
  })

  test('is refused without it', async () => {
    url.searchParams.set('sslmode', 'verify-full')
    url.searchParams.delete('sslrootcert')
    const adapter = postgresAdapter({ url: url.href })
    await expect(adapter.execute(executionOf(text, ['a', '1']))).rejects.toMatchObject({
      problem: 'unavailable',
    })
    await adapter.close()
  })
})
