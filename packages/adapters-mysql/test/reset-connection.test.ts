/** A connection that is reset, not closed, while it waits for an answer: the driver reports it only to the waiting statement. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { type Adapter, silentLog } from '@engine/core/adapter'
import type { ServiceDatabase } from '@engine/core/driver'
import { describeEachMysql } from '@engine/test-databases/vitest'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mysqlAdapter, serviceDatabase } from '../src/index.ts'

interface Wire {
  readonly url: string
  /** Answers the next message of a client with a reset. */
  resetNext(): void
  close(): void
}

describeEachMysql('a connection that is reset', (server) => {
  let wire: Wire
  beforeEach(async () => {
    wire = await openWire(await server.createDatabase('reset'))
  })
  afterEach(() => wire.close())

  test('is not used again for data', async () => {
    const adapter: Adapter = mysqlAdapter({ url: wire.url, pool: { max: 1 } })
    const ping = () => adapter.ping(AbortSignal.timeout(10_000))
    await ping()
    wire.resetNext()
    await expect(ping()).rejects.toMatchObject({ problem: 'unavailable' })
    await ping()
    await adapter.close()
  })

  test('is not used again for the service database', async () => {
    const database: ServiceDatabase = serviceDatabase(wire.url, { log: silentLog })
    const ask = async () => {
      const connection = await database.acquire()
      try {
        return (await connection.execute('select 1 as one', [])).rows
      } finally {
        connection.release()
      }
    }
    expect(await ask()).toMatchObject([{ one: 1 }])
    wire.resetNext()
    await expect(ask()).rejects.toMatchObject({ problem: 'unavailable' })
    expect(await ask()).toMatchObject([{ one: 1 }])
    await database.close()
  })
})

async function openWire(target: string): Promise<Wire> {
  const url = new URL(target)
  const port = Number(url.port)
  let isArmed = false
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    // Either end may close first.
    for (const socket of [client, upstream]) socket.on('error', () => undefined)
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
    upstream.pipe(client)
    client.on('data', (data) => {
      if (!isArmed) return void upstream.write(data)
      isArmed = false
      client.resetAndDestroy()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    resetNext: () => {
      isArmed = true
    },
    close: () => server.close(),
  }
}
