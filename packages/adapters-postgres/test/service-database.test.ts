import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { serviceDatabase } from '@engine/adapters-postgres'
import { silentLog } from '@engine/core/adapter'
import { serviceStatementTimeoutMs } from '@engine/core/driver'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import { expect, test } from 'vitest'

/** Names in a startup message: length, version, then names and values that end in NUL. */
function parameterNames(message: Buffer): readonly string[] {
  const words = message.toString('latin1', 8).split('\0')
  return words.filter((word, i) => i % 2 === 0 && word !== '')
}

test('a startup message says nothing that poolers refuse', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = `postgres://engine:secret@127.0.0.1:${port}/service?sslmode=disable`
  const database = serviceDatabase(url, { log: silentLog })
  const refused = database.acquire().catch((error: unknown) => error)
  const [socket] = (await once(server, 'connection')) as [Socket]
  const [message] = (await once(socket, 'data')) as [Buffer]
  const known = ['user', 'database', 'application_name', 'client_encoding']
  expect(parameterNames(message).filter((name) => !known.includes(name))).toEqual([])
  socket.destroy()
  expect(await refused).toMatchObject({ problem: 'unavailable' })
  await database.close()
  server.close()
})

describePostgres('a connection of the service database', () => {
  test('has a limit of time, the first time and again', async () => {
    const database = serviceDatabase(await createDatabase('limits'), { log: silentLog })
    for (let i = 0; i < 2; i++) {
      const connection = await database.acquire()
      const { rows } = await connection.execute(
        `select extract(epoch from current_setting('statement_timeout')::interval)::int * 1000 as statement,
           current_setting('idle_in_transaction_session_timeout') as transaction`,
        [],
      )
      expect(rows).toEqual([{ statement: serviceStatementTimeoutMs, transaction: '1min' }])
      connection.release()
    }
    await database.close()
  })
})
