/**
 * Definitions of views: shown to a caller who may read all that they name, NULL for everybody else. Indexes: shown to a caller who may know
 * all columns that they depend on.
 */

import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ServedDatabases, serveDatabases } from './support/served-databases.ts'

const setUp = `
  create table items (id int4 primary key, label text);
  create table parts (id int4 primary key, margin int4);
  create table tenants (id int4 primary key, label text);
  create table hidden (id int4 primary key);
  create index shown_part on parts (id) where id > 5;
  create index hidden_part on parts (id) where margin > 4711;
  create unique index hidden_sum on parts ((id + margin));
  create unique index hidden_key on parts (margin);
  create index hidden_row on parts ((parts is null));
  create index hidden_constant on parts ((1 + 4711));
  create view whole as select id, label from items where label <> 'canary';
  create view no_column as select i.id from items i join parts p on p.id = i.id where p.margin > 4711;
  create view no_row as select id from tenants where label <> 'canary';
  create view no_table as select id from items where id not in (select id from hidden);
  create view not_itself as select id from items;
  create view deeper as select id from no_column;`

describePostgres('definitions of views', () => {
  let server: ServedDatabases
  let client: pg.Client

  beforeAll(async () => {
    const url = await createDatabase('view_definitions')
    const owner = new pg.Client({ connectionString: url })
    await owner.connect()
    await owner.query(setUp)
    await owner.end()
    const reads = (table: string, select: object = {}) => ({
      table: `main.${table}`,
      roles: ['anonymous'],
      select,
    })
    server = await serveDatabases({
      connections: { main: { url } },
      permissions: {
        items: reads('items'),
        parts: reads('parts', { columns: ['id'] }),
        tenants: reads('tenants', { where: { id: { $lt: 10 } } }),
        whole: reads('whole'),
        noColumn: reads('no_column'),
        noRow: reads('no_row'),
        noTable: reads('no_table'),
        notItself: reads('not_itself', { where: { id: 1 } }),
        deeper: reads('deeper'),
      },
    })
    client = new pg.Client({ connectionString: server.url })
    await client.connect()
  })
  afterAll(async () => {
    await client?.end()
    await server?.close()
  })

  test('an index over a hidden column is not in the catalogs', async () => {
    const sql = "select indexname, indexdef from pg_indexes where tablename = 'parts' order by 1"
    expect((await client.query<unknown[]>({ text: sql, rowMode: 'array' })).rows).toEqual([
      ['parts_pkey', 'CREATE UNIQUE INDEX parts_pkey ON main.parts USING btree (id)'],
      ['shown_part', 'CREATE INDEX shown_part ON main.parts USING btree (id) WHERE (id > 5)'],
    ])
  })

  test.each([
    "select viewname, definition from pg_views where schemaname = 'main'",
    "select table_name, view_definition from information_schema.views where table_schema = 'main'",
    "select relname, pg_get_viewdef(oid, true) from pg_class where relkind = 'v' and relnamespace = 'main'::regnamespace",
  ])('are what the database says or NULL: %s', async (sql) => {
    const { rows } = await client.query<unknown[]>({ text: `${sql} order by 1`, rowMode: 'array' })
    expect(rows).toEqual([
      ['deeper', expect.stringMatching(/FROM no_column;$/)],
      ['no_column', null],
      ['no_row', null],
      ['no_table', null],
      ['not_itself', null],
      [
        'whole',
        expect.stringMatching(/FROM items\s+WHERE \(?(items\.)?label <> 'canary'::text\)?;$/),
      ],
    ])
  })
})
