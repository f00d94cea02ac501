/** A table is created, and a client copies rows into it before the schema was looked at again. */
import { pipeline } from 'node:stream/promises'
import { createPgWireServer } from '@engine/pgwire'
import postgres from 'postgres'
import { expect, test } from 'vitest'
import { describeDatabases } from '../support/databases.ts'
import { openGateway } from '../support/gateway.ts'

describeDatabases('COPY after a migration', (open) => {
  test('COPY after a migration finds the new table', async () => {
    const database = await open('create table kept (id integer primary key)')
    const gateway = await openGateway(
      {
        connections: { main: { url: database.url, schemaPolling: false } },
        open: true,
        pgWire: { port: 0, auth: { strategy: ['trust'] }, catalog: 'builtin' },
      },
      { pgWire: createPgWireServer },
    )
    const { address } = await gateway.engine.startPgWire()
    const sql = postgres(`postgres://ada@${address}/shop`, { max: 1, fetch_types: false })
    try {
      await expect(sql`copy facts from stdin`.writable()).rejects.toMatchObject({ code: '42P01' })
      await database.run('create table facts (id integer primary key, label varchar(20))')
      await pipeline(['1\tone\n', '2\ttwo\n'], await sql`copy facts from stdin`.writable())
      expect(await database.rows('select id, label from facts order by id')).toEqual([
        { id: 1, label: 'one' },
        { id: 2, label: 'two' },
      ])
    } finally {
      await sql.end()
      await gateway.close()
      await database.remove()
    }
  })
})
