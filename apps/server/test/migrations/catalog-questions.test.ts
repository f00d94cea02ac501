/** A client asks which tables and columns there are, directly after a migration. */
import { createPgWireServer } from '@engine/pgwire'
import pg from 'pg'
import { expect, test } from 'vitest'
import { describeDatabases } from '../support/databases.ts'
import { openGateway } from '../support/gateway.ts'

describeDatabases('questions about the catalog after a migration', (open) => {
  test('questions about the catalog after a migration are answered with the schema of that moment', {
    timeout: 120_000,
  }, async () => {
    const database = await open('create table kept (id integer primary key)')
    const gateway = await openGateway(
      {
        connections: { main: { url: database.url, schemaPolling: false } },
        open: true,
        pgWire: { port: 0, auth: { strategy: ['trust'] } },
      },
      { pgWire: createPgWireServer },
    )
    const { address } = await gateway.engine.startPgWire()
    const client = new pg.Client(`postgres://ada@${address}/shop`)
    await client.connect()
    const columns = async () => {
      const { rows } = await client.query<{ readonly name: string }>(
        `select table_name || '.' || column_name as name from information_schema.columns
        where table_schema = 'public' order by 1`,
      )
      return rows.map(({ name }) => name)
    }
    try {
      expect(await columns()).toEqual(['kept.id'])
      for (const name of ['first', 'second', 'third']) {
        await database.run(`create table ${name} (id integer primary key)`)
        expect(await columns()).toEqual([`${name}.id`, 'kept.id'].sort())
        await database.run(`alter table ${name} add column label text`)
        expect(await columns()).toEqual([`${name}.id`, `${name}.label`, 'kept.id'].sort())
        await database.run(`drop table ${name}`)
        expect(await columns()).toEqual(['kept.id'])
      }
      if (database.kind !== 'postgres') return
      // A type that no column has.
      await database.run('create type span as range (subtype = text, multirange_type_name = spans)')
      const { rows } = await client.query(
        `select t.typname as name, t.typtype::text as kind, upper('[a,b)'::span) as bound
         from pg_type t where t.typname in ('span', 'spans') order by 1`,
      )
      expect(rows).toEqual([
        { name: 'span', kind: 'r', bound: 'b' },
        { name: 'spans', kind: 'm', bound: 'b' },
      ])
    } finally {
      await client.end()
      await gateway.close()
      await database.remove()
    }
  })
})
