/** Cancel requests, and signals to other sessions, reach the worker that has the session. */
import { createConnection } from 'node:net'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { masterKey } from '../support/accounts.ts'
import { codeOf, connectWire, rowsOf, type WireClient } from '../support/wire.ts'
import { startWorkers, type Workers } from './workers.ts'

describePostgres('signals between workers', () => {
  let running: Workers
  let database: pg.Client
  let address: string

  beforeAll(async () => {
    const url = await createDatabase('signals')
    database = new pg.Client({ connectionString: url })
    await database.connect()
    await database.query('create table notes (id int primary key, note text)')
    await database.query("insert into notes select n, 'x' from generate_series(1, 10) n")
    running = await startWorkers({ connections: { main: url } })
    address = running.line.pgWire ?? ''
  }, 60_000)
  afterAll(async () => {
    await running?.close()
    await database?.end()
  })

  const login = () => connectWire({ address, password: masterKey })
  /** The code of the error that ends a statement which waits for a lock. */
  const blocked = (client: WireClient, i: number): Promise<string> =>
    client.query(`update main.notes set note = 'y' where id = ${i + 1}`).then(() => 'done', codeOf)
  const waiting = async () => {
    // In a transaction PostgreSQL keeps what it has shown.
    await database.query('select pg_stat_clear_snapshot()')
    const { rows } = await database.query(
      `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows.length
  }

  test('a cancel request that arrives at another worker', async () => {
    await database.query("begin; update notes set note = 'z'")
    // With as many sessions some requests arrive at the worker that does not have the session.
    const clients = await Promise.all(Array.from({ length: 10 }, login))
    const ends = clients.map(blocked)
    await expect.poll(waiting, { timeout: 20_000 }).toBe(clients.length)
    for (const client of clients) await cancel(address, client)
    expect(await Promise.all(ends)).toEqual(clients.map(() => '57014'))
    await database.query('rollback')
    await Promise.all(clients.map((client) => client.end()))
  }, 60_000)

  test('pg_cancel_backend and pg_terminate_backend', async () => {
    await database.query("begin; update notes set note = 'z'")
    const clients = await Promise.all(Array.from({ length: 8 }, login))
    const ends = clients.map(blocked)
    await expect.poll(waiting, { timeout: 20_000 }).toBe(clients.length)
    const other = await login()
    for (const client of clients) {
      expect(await rowsOf(other, `select pg_cancel_backend(${pidOf(client)})`)).toEqual([[true]])
    }
    expect(await Promise.all(ends)).toEqual(clients.map(() => '57014'))
    await database.query('rollback')
    for (const client of clients) {
      expect(await rowsOf(other, `select pg_terminate_backend(${pidOf(client)})`)).toEqual([[true]])
      expect(codeOf(await client.ended)).toBe('57P01')
    }
    expect(await rowsOf(other, 'select pg_cancel_backend(1)')).toEqual([[false]])
    await other.end()
  }, 60_000)

  test('an administrator sees the connections of all workers, and ends them', async () => {
    const { http } = running.line
    const clients = await Promise.all(Array.from({ length: 8 }, login))
    const ids = clients.map(pidOf)
    const seen = await listed(http)
    expect(seen.map(({ id }) => id)).toEqual(expect.arrayContaining(ids))
    const ask = (method: string, path: string) =>
      fetch(`${http}/admin/api/wire-connections/${path}`, {
        method,
        headers: { authorization: `Bearer ${masterKey}`, connection: 'close' },
      })
    for (const client of clients) {
      expect((await ask('POST', `${pidOf(client)}/cancel`)).status).toBe(200)
      expect((await ask('DELETE', `${pidOf(client)}`)).status).toBe(200)
      expect(codeOf(await client.ended)).toBe('57P01')
    }
    await expect.poll(async () => (await listed(http)).length).toBe(0)
    expect((await ask('DELETE', `${ids[0]}`)).status).toBe(404)
  }, 60_000)
})

/** Connections as administrators see them, whichever worker answers. */
async function listed(
  url: string,
): Promise<readonly { readonly id: number; readonly worker: number }[]> {
  const answer = await fetch(`${url}/admin/api/wire-connections`, {
    headers: { authorization: `Bearer ${masterKey}` },
  })
  return ((await answer.json()) as { readonly connections: never[] }).connections
}

function pidOf(client: WireClient): number {
  return (client as unknown as { readonly processID: number }).processID
}

/** Sends a CancelRequest; resolves when the server has closed the connection. */
function cancel(address: string, client: WireClient): Promise<void> {
  const { secretKey } = client as unknown as { readonly secretKey: number }
  const packet = Buffer.alloc(16)
  packet.writeInt32BE(16, 0)
  packet.writeInt32BE(80_877_102, 4)
  packet.writeInt32BE(pidOf(client), 8)
  packet.writeInt32BE(secretKey, 12)
  const { hostname, port } = new URL(`postgres://${address}`)
  return new Promise((resolve, reject) => {
    const socket = createConnection(Number(port), hostname, () => socket.write(packet))
    socket.on('error', reject)
    socket.on('close', () => resolve())
    socket.resume()
  })
}
