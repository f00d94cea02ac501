/** A table with a part that the database itself cannot find: not an error of the engine, and not a 500. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeDatabases, type TestDatabase } from '../support/databases.ts'
import { openGateway, type TestGateway } from '../support/gateway.ts'

const triggers: Readonly<Record<TestDatabase['kind'], string>> = {
  postgres: `create function log_it() returns trigger language plpgsql as
    $$ begin insert into log values (new.id); return new; end $$;
    create trigger log_item after insert on item for each row execute function log_it()`,
  mysql: `create trigger log_item after insert on item for each row insert into log values (new.id)`,
  sqlite: `create trigger log_item after insert on item begin insert into log values (new.id); end`,
}

describeDatabases('a trigger that writes to a table which is gone', (open, kind) => {
  let database: TestDatabase
  let gateway: TestGateway

  beforeAll(async () => {
    database = await open(`create table item (id int primary key); create table log (id int)`)
    await database.run(triggers[kind])
    await database.run('drop table log')
    gateway = await openGateway({ connections: { main: database.url } })
  })
  afterAll(async () => {
    await gateway?.close()
    await database?.remove()
  })

  const answer = (sql: string) => gateway.data({ sql, params: [], method: 'all' })

  test('a trigger that writes to a table which is gone is a 400 for what it stops, each time', async () => {
    for (const id of [1, 2]) {
      const { status, body } = await answer(`insert into main.item values (${id})`)
      expect([status, body]).toEqual([
        400,
        expect.objectContaining({ message: 'A table relies on something that is not there.' }),
      ])
    }
    expect((await answer('select * from main.item')).body).toEqual({ rows: [] })
  })
})
