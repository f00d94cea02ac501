/** Which INSERTs may share a transaction: those that do the same in it as in one of their own. */
// cspell:ignore leftarg rightarg
import { anonymous, createEngine, type Engine } from '@engine/core'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hintsOf, type PostgresHints } from '../src/driver/native-statement.ts'
import { postgresAdapter } from '../src/index.ts'

describePostgres('an INSERT', () => {
  let client: Client
  let engine: Engine
  let shares: PostgresHints['shares']

  beforeAll(async () => {
    const url = await createDatabase('plain_inserts')
    client = new Client({ connectionString: url })
    await client.connect()
    await client.query(`
      create type mood as enum ('sad', 'happy');
      create domain short as text check (length(value) < 10);
      create function own_code() returns int language plpgsql immutable as 'begin return 1; end';
      create function on_row() returns trigger language plpgsql as 'begin return new; end';
      create table parents (id int primary key);
      create table plain (
        id int generated always as identity primary key, parent int references parents (id), feeling mood,
        made timestamptz default now(), code uuid default gen_random_uuid(), half int check (half > 0),
        half_again int generated always as (abs(half)) stored
      );
      create index on plain (abs(half));
      create table updated (id int primary key);
      create trigger each_update before update on updated for each row execute function on_row();
      create table triggered (id int primary key);
      create trigger each_row after insert on triggered for each row execute function on_row();
      create table at_once (id int primary key);
      create trigger each_statement after insert on at_once execute function on_row();
      create table guarded (id int primary key);
      alter table guarded enable row level security;
      create table defaulted (id int primary key, n int default own_code());
      create table generated (id int primary key, n int generated always as (own_code()) stored);
      create table checked (id int primary key check (id > own_code()));
      create function above(int, int) returns bool language plpgsql immutable as 'begin return $1 > $2; end';
      create operator >>> (leftarg = int, rightarg = int, function = above);
      create table compared (id int primary key check (id >>> 0));
      create table indexed (id int primary key);
      create index on indexed ((id + own_code()));
      create table with_domain (id int primary key, name short);
      create table parted (id int primary key) partition by range (id);
      create table parted_1 partition of parted for values from (0) to (100);
    `)
    const adapter = postgresAdapter({ url })
    const watched: typeof adapter = {
      ...adapter,
      execute: (execution) => {
        shares = hintsOf(execution.statement).shares
        return adapter.execute(execution)
      },
    }
    engine = await createEngine(
      { connections: { main: url }, open: true },
      { adapters: { '@engine/adapters-postgres': () => watched } },
    )
  })
  afterAll(async () => {
    await engine?.close()
    await client.end()
  })

  const sharedBy = async (sql: string) => {
    shares = undefined
    await engine.query(
      { sql, params: [], method: 'all', meta: false, signal: undefined },
      anonymous,
    )
    return shares
  }

  test.each([
    'insert into plain (half) values (1)',
    'insert into plain (half, feeling) values (1, $$sad$$), (2, $$happy$$) returning id, made',
    'insert into plain default values',
    'insert into parents (id) values (1) on conflict do nothing',
    'insert into updated (id) values (1)',
  ])('that runs no code of a user may: %s', async (sql) => {
    expect(await sharedBy(sql)).toBe('transaction')
  })

  test.each([
    ['a trigger', 'insert into triggered (id) values (1)'],
    ['a trigger for a whole statement', 'insert into at_once (id) values (1)'],
    ['row security', 'insert into guarded (id) values (1)'],
    ['a function in a default', 'insert into defaulted (id) values (1)'],
    ['a function in a generated column', 'insert into generated (id) values (1)'],
    ['a function in a check', 'insert into checked (id) values (5)'],
    ['an operator in a check', 'insert into compared (id) values (5)'],
    ['a function in an index', 'insert into indexed (id) values (1)'],
    ['a domain', 'insert into with_domain (id) values (1)'],
    ['partitions', 'insert into parted (id) values (1)'],
    ['rows of a query', 'insert into parents (id) select id + 10 from updated'],
    ['a subquery', 'insert into parents (id) values ((select 20 + count(*)::int from updated))'],
    ['a volatile function', 'insert into plain (half) values (1 + floor(random())::int)'],
    [
      'an update where the key is taken',
      'insert into plain (half) values (1) on conflict (id) do update set half = 2',
    ],
    [
      'a WITH',
      'with w as (insert into updated (id) values (7) returning id) insert into parents (id) values (70)',
    ],
  ])('with %s may not', async (_, sql) => {
    expect(await sharedBy(sql)).toBeUndefined()
  })

  test.each(['update plain set half = 3 where id = 1', 'delete from plain where id = 1'])(
    'is what it takes: %s',
    async (sql) => {
      expect(await sharedBy(sql)).toBeUndefined()
    },
  )

  test('may not any more once the table has a trigger', async () => {
    const sql = 'insert into updated (id) values ($1)'
    const insert = async (id: number) => {
      await engine.query(
        { sql, params: [id], method: 'all', meta: false, signal: undefined },
        anonymous,
      )
      return shares
    }
    expect(await insert(100)).toBe('transaction')
    await client.query(
      'create trigger each_row after insert on updated for each row execute function on_row()',
    )
    let id = 100
    await expect
      .poll(
        () => {
          id += 1
          return insert(id)
        },
        { timeout: 30_000 },
      )
      .toBeUndefined()
  })
})
