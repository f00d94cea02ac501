/** A migration changes what a column accepts, or adds a column; nobody looks at the schema but the statement that fails. */
import { createPgWireServer } from '@engine/pgwire'
import pg from 'pg'
import { expect, test } from 'vitest'
import { describeDatabases } from '../support/databases.ts'
import { openGateway } from '../support/gateway.ts'

/** The table again, with another type of `value`. */
const recreate = (type: string): string =>
  `drop table facts; create table facts (id integer primary key, value ${type})`

describeDatabases('values after a migration', (open) => {
  test('values after a migration are read by the new type, and an INSERT has the new number of columns', async () => {
    const database = await open('create table facts (id integer primary key, value integer)')
    const gateway = await openGateway(
      {
        connections: { main: { url: database.url, schemaPolling: false } },
        open: true,
        pgWire: { port: 0, auth: { strategy: ['trust'] }, catalog: 'builtin' },
      },
      { pgWire: createPgWireServer },
    )
    const { address } = await gateway.engine.startPgWire()
    const client = new pg.Client(`postgres://ada@${address}/shop`)
    await client.connect()
    const insert = async (value: string) => {
      const sql = 'insert into facts (id, value) values (1, $1) returning value'
      const { body } = await gateway.data({ sql, params: [value], method: 'all' })
      return body
    }
    try {
      expect(await insert('word')).toMatchObject({ error: 'VALIDATION_ERROR' })
      await database.run(recreate('varchar(20)'))
      expect(await insert('word')).toMatchObject({ rows: [['word']] })
      await database.run(recreate('smallint'))
      expect(await insert('70000')).toMatchObject({ error: 'VALIDATION_ERROR' })
      await database.run(recreate('bigint'))
      expect(await insert('70000')).toMatchObject({ rows: [['70000']] })

      const literal = "insert into facts values (2, 'word')"
      await expect(client.query(literal)).rejects.toMatchObject({ code: '22P02' })
      await database.run(recreate('varchar(20)'))
      expect(await client.query(literal)).toMatchObject({ rowCount: 1 })

      const wide = "insert into facts values (3, 'word', 'new')"
      await expect(client.query(wide)).rejects.toMatchObject({ code: '42601' })
      await database.run('alter table facts add column label varchar(20)')
      expect(await client.query(wide)).toMatchObject({ rowCount: 1 })

      const bound = (value: string, name?: string) =>
        client.query({ ...named(name), text: 'update facts set value = $1', values: [value] })
      for (const name of [undefined, 'prepared']) {
        await database.run(recreate('integer'))
        await gateway.engine.refreshCatalog()
        await expect(bound('word', name)).rejects.toMatchObject({ code: '22P02' })
        await database.run(recreate('varchar(20)'))
        expect(await bound('word', name)).toMatchObject({ rowCount: 0 })
      }
      await database.run(recreate('integer'))
      await gateway.engine.refreshCatalog()
      await client.query('begin')
      await database.run(recreate('varchar(20)'))
      expect(await bound('word')).toMatchObject({ rowCount: 0 })
      await client.query('rollback')
    } finally {
      await client.end()
      await gateway.close()
      await database.remove()
    }
  })
})

function named(name: string | undefined): { readonly name?: string } {
  return name === undefined ? {} : { name }
}
