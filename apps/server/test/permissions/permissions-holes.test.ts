/**
 * Writes that must store exactly the rows that were checked, and whose refusals must not depend on rows that the caller
 * cannot see.
 */
import type { Permission } from '@engine/core'
import { describePostgres } from '@engine/test-databases/vitest'
import { afterEach, describe, expect, test } from 'vitest'
import {
  describeDatabases,
  openPostgres,
  openSqlite,
  type TestDatabase,
} from '../support/databases.ts'
import { openGateway, type TestAnswer, type TestGateway } from '../support/gateway.ts'
import { bearer, secret } from '../support/tokens.ts'

type Policies = Readonly<Record<string, Permission>>

const open: { database: TestDatabase; gateway: TestGateway }[] = []

afterEach(async () => {
  for (const { database, gateway } of open.splice(0)) {
    await gateway.close()
    await database.remove()
  }
})

interface World {
  readonly database: TestDatabase
  ask(sql: string): Promise<TestAnswer>
  batch(...statements: readonly string[]): Promise<TestAnswer>
}

/** A clerk of the tenant `acme`, on a database. */
async function worldOf(database: TestDatabase, permissions: Policies): Promise<World> {
  const gateway = await openGateway(
    { connections: { main: database.url }, auth: { secret }, permissions },
    { isDevelopment: false },
  )
  open.push({ database, gateway })
  const headers = await bearer({ roles: ['clerk'], tenant: 'acme' })
  return {
    database,
    ask: (sql) => gateway.data({ sql, params: [], method: 'all' }, headers),
    batch: (...statements) => {
      const body = { statements: statements.map((sql) => ({ sql, params: [], method: 'all' })) }
      return gateway.post('/data/batch', JSON.stringify(body), headers)
    },
  }
}

function withoutIds({ status, body }: TestAnswer): unknown {
  const { correlation_id: _, ...rest } = body as Record<string, unknown>
  return [status, rest]
}

const mine = { tenant: '$user.tenant' }
const roles = ['clerk']

const members: Policies = {
  members: {
    table: 'main.members',
    roles,
    select: { where: mine },
    insert: { check: { ...mine, role: 'member' } },
    update: { where: mine, check: { ...mine, role: 'member' } },
    delete: { where: { ...mine, role: 'member' } },
  },
}
const membersTable = `
create table members (id integer primary key, tenant varchar(20) not null, role varchar(20) not null, name varchar(40));
insert into members values (1, 'acme', 'member', 'a'), (2, 'acme', 'owner', 'b'), (3, 'umbra', 'owner', 'c');`

describeDatabases('volatile expressions in checked writes', (openDatabase) => {
  const isSmall = "gen_random_uuid()::text < '8'"
  const eitherRole = `(case when ${isSmall} then 'owner' else 'member' end)`
  test.each([
    `update main.members set role = 'owner' where id = 1 and ${isSmall}`,
    `update main.members set role = ${eitherRole} where id = 1`,
    `update main.members set role = 'owner' where id = 1 and ${isSmall} returning id, role`,
    `update main.members set role = s.r from (select ${eitherRole} as r) s where members.id = 1 returning s.r`,
    `update main.members set role = (select ${eitherRole}) where id = 1 and ${isSmall}`,
    `delete from main.members where id in (1, 2, 3) and ${isSmall} returning id`,
    `insert into main.members (id, tenant, role) values (9, 'acme', ${eitherRole})`,
    `insert into main.members (id, tenant, role) select 9, 'acme', ${eitherRole}`,
    `insert into main.members (id, tenant, role) select 9, 'acme', 'owner' where ${isSmall}`,
    `insert into main.members (id, tenant, role) values (9, 'acme', ${eitherRole}) on conflict (id) do nothing`,
    `insert into main.members (id, tenant, role) values (9, 'acme', ${eitherRole}) on conflict (id) do update set name = 'x'`,
    `insert into main.members (id, tenant, role) values (1, 'acme', 'member') on conflict (id) do update set role = ${eitherRole}`,
    `insert into main.members (id, tenant, role) values (1, 'acme', 'member') on conflict (id) do update set role = 'owner' where ${isSmall}`,
  ])('%s', async (sql) => {
    const { database, ask, batch } = await worldOf(await openDatabase(membersTable), members)
    for (let i = 0; i < 12; i += 1) {
      const answer = i % 3 === 2 ? await batch(sql, sql) : await ask(sql)
      expect([200, 400, 409, 422]).toContain(answer.status)
      const owners = await database.rows(
        "select id, tenant from members where role = 'owner' order by id",
      )
      expect(owners).toEqual([
        { id: 2, tenant: 'acme' },
        { id: 3, tenant: 'umbra' },
      ])
    }
  })
})

describeDatabases('refusals of rows that fail their check', (openDatabase, kind) => {
  const text = kind === 'mysql' ? 'varchar(20)' : 'text'
  const tables = `
create table drafts (id integer primary key, tenant ${text} not null, code ${text});
create table items (id integer primary key, tenant ${text} not null, code varchar(20) unique, loud varchar(40) generated always as (code) stored);
insert into drafts values (1, 'acme', 'TAKEN');`
  const hidden = "insert into items (id, tenant, code) values (7, 'umbra', 'TAKEN');"
  const policies = {
    drafts: { table: 'main.drafts', roles, select: {}, update: {} },
    items: {
      table: 'main.items',
      roles,
      select: { where: mine },
      insert: { check: mine },
      update: { where: mine, check: mine },
    },
  }
  const bothAnswers = async (
    ask: (world: World) => Promise<TestAnswer>,
    permissions: Policies = policies,
  ): Promise<readonly unknown[]> => {
    const answers: unknown[] = []
    for (const more of ['', hidden]) {
      const world = await worldOf(await openDatabase(`${tables}${more}`), permissions)
      answers.push(withoutIds(await ask(world)))
    }
    return answers
  }

  test('a batch whose earlier statement changes what a later one inserts', async () => {
    const [free, taken] = await bothAnswers(({ batch }) =>
      batch(
        "update main.drafts set tenant = 'umbra' where id = 1",
        'insert into main.items (id, tenant, code) select 50, tenant, code from main.drafts where id = 1',
      ),
    )
    expect(free).toEqual([422, expect.objectContaining({ error: 'VALIDATION_ERROR' })])
    expect(taken).toEqual(free)
  })

  test('volatile values that the check reads', async () => {
    const insert = `insert into main.items (id, tenant, code)
      values (50, case when gen_random_uuid()::text <> '' then 'umbra' end, 'TAKEN')`
    const [free, taken] = await bothAnswers(({ ask }) => ask(insert))
    expect(free).toEqual([422, expect.objectContaining({ error: 'VALIDATION_ERROR' })])
    expect(taken).toEqual(free)
  })

  test('a check over a generated column', async () => {
    const items = { ...policies.items, insert: { check: { loud: 'QUIET' } } }
    const [free, taken] = await bothAnswers(
      ({ ask }) => ask("insert into main.items (id, tenant, code) values (50, 'acme', 'TAKEN')"),
      { ...policies, items },
    )
    expect(free).toEqual([422, expect.objectContaining({ error: 'VALIDATION_ERROR' })])
    expect(taken).toEqual(free)
  })

  test('for a row that may be stored, its taken key is reported', async () => {
    const inserts = [
      "insert into main.items (id, tenant, code) values (50, 'acme', 'TAKEN')",
      "insert into main.items (id, tenant, code) values (50, 'acme', 'TAKEN') on conflict (id) do nothing",
      "insert into main.items (id, tenant, code) select 50, 'acme', code from main.drafts where id = 1",
    ]
    const world = await worldOf(await openDatabase(`${tables}${hidden}`), policies)
    await world.database.run("insert into items (id, tenant, code) values (8, 'acme', 'OWN')")
    for (const sql of [...inserts, "update main.items set code = 'TAKEN' where id = 8"]) {
      expect(withoutIds(await world.ask(sql))).toEqual([
        409,
        expect.objectContaining({ error: 'CONFLICT' }),
      ])
    }
    expect(withoutIds(await world.batch(...inserts.slice(2)))).toEqual([
      409,
      expect.objectContaining({ error: 'CONFLICT' }),
    ])
  })
})

describePostgres('what a database raises on a row that fails its check', () => {
  const policies: Policies = {
    items: {
      table: 'main.items',
      roles,
      select: { where: mine },
      insert: { check: mine },
      update: { where: mine, check: mine },
    },
  }
  const tables = `
create domain shout as text check (value = upper(value));
create table items (id integer primary key, tenant text not null, code shout, score numeric(3));
create function refuse() returns trigger language plpgsql as $$ begin raise exception 'a hidden row says no'; end $$;`

  test.each([
    [
      'a trigger',
      'create trigger t before insert or update on items for each row execute function refuse();',
      "'A', 1",
    ],
    [
      'a trigger after the row',
      'create trigger t after insert or update on items for each row execute function refuse();',
      "'A', 1",
    ],
    ['a domain', '', "'a', 1"],
    ['a cast', '', "'A', 12345"],
    [
      'row security of its own',
      'alter table items enable row level security; alter table items force row level security; create policy p on items using (true) with check (false);',
      "'A', 1",
    ],
  ])('%s', async (_, more, values) => {
    const { ask } = await worldOf(await openPostgres(`${tables}${more}`), policies)
    const refused = withoutIds(await ask("insert into main.items (id, tenant) values (1, 'umbra')"))
    const raised = withoutIds(
      await ask(`insert into main.items (id, tenant, code, score) values (1, 'umbra', ${values})`),
    )
    expect(raised).toEqual([422, expect.objectContaining({ error: 'VALIDATION_ERROR' })])
    expect(raised).toEqual(refused)
  })
})

describePostgres('a trigger that changes what the check reads', () => {
  const items = (hidden: string) => `
create table items (id integer primary key, tenant text not null, code text unique, touched_at timestamptz);
create function move() returns trigger language plpgsql as $$ begin new.tenant = 'umbra'; return new; end $$;
create function touch() returns trigger language plpgsql as $$ begin new.touched_at = now(); return new; end $$;
create trigger t before insert on items for each row execute function ${hidden}();
insert into items (id, tenant, code) values (7, 'umbra', 'TAKEN');`
  const policies: Policies = {
    items: { table: 'main.items', roles, select: { where: mine }, insert: { check: mine } },
  }
  const insert = (code: string) =>
    `insert into main.items (id, tenant, code) values (50, 'acme', '${code}')`

  test('a trigger that changes what the check reads counts as failing it, whether the key is taken or free', async () => {
    const { ask } = await worldOf(await openPostgres(items('move')), policies)
    const free = withoutIds(await ask(insert('FREE')))
    expect(free).toEqual([422, expect.objectContaining({ error: 'VALIDATION_ERROR' })])
    expect(withoutIds(await ask(insert('TAKEN')))).toEqual(free)
  })

  test('changes nothing for those that set other columns', async () => {
    const { ask } = await worldOf(await openPostgres(items('touch')), policies)
    expect((await ask(insert('TAKEN'))).status).toBe(409)
    expect((await ask(insert('FREE'))).status).toBe(200)
  })
})

describePostgres('a write in WITH', () => {
  test('a write in WITH may have WITH queries of its own', async () => {
    const { ask } = await worldOf(await openPostgres(membersTable), members)
    const sql = `with w as (with r as (select id from main.members where id < 2)
      update main.members m set name = 'x' from r where r.id = m.id returning m.id, m.name)
      select id, name from w`
    expect((await ask(sql)).body).toEqual({ rows: [[1, 'x']] })
  })
})

describePostgres('keys that are none', () => {
  const masked = {
    rows: {
      table: 'main.items',
      roles,
      select: { columns: ['id', 'tenant', 'name'], where: mine },
      update: { columns: ['name'], where: mine },
      delete: { where: mine },
    },
    notes: {
      table: 'main.items',
      roles,
      select: { columns: ['note'], where: { ...mine, id: { $gt: 5 } } },
    },
  }
  const update = "update main.items set name = coalesce(note, 'changed') returning id, name"

  test('a child table may have a row with the same key', async () => {
    const { database, ask } = await worldOf(
      await openPostgres(`
create table items (id integer primary key, tenant text not null, name text, note text);
create table special (extra text) inherits (items);
insert into items values (1, 'acme', 'mine', 'n');
insert into special values (1, 'umbra', 'theirs', 'secret', 'x');`),
      masked,
    )
    expect((await ask(update)).body).toEqual({ rows: [[1, 'changed']] })
    expect((await ask('delete from main.items where note is null returning name')).body).toEqual({
      rows: [['changed']],
    })
    expect(await database.rows('select name, note from items')).toEqual([
      { name: 'theirs', note: 'secret' },
    ])
  })

  test('a deferrable key may be there twice in a transaction', async () => {
    const { database, ask } = await worldOf(
      await openPostgres(`
create table items (id integer not null, tenant text not null, name text, note text, primary key (id) deferrable initially deferred);
insert into items values (1, 'acme', 'mine', 'n'), (2, 'umbra', 'theirs', 'secret');`),
      masked,
    )
    expect((await ask(update)).body).toEqual({ rows: [[1, 'changed']] })
    expect(await database.rows("select name from items where tenant = 'umbra'")).toEqual([
      { name: 'theirs' },
    ])
  })

  test('an index with another collation than its column', async () => {
    const { database, ask } = await worldOf(
      await openPostgres(`
create collation loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
create table items (id text collate loose not null, tenant text not null, name text, note text);
create unique index on items (id collate "C");
insert into items values ('a', 'acme', 'mine', 'n'), ('A', 'umbra', 'theirs', 'secret');`),
      {
        rows: masked.rows,
        notes: {
          table: 'main.items',
          roles,
          select: { columns: ['note'], where: { ...mine, name: 'none' } },
        },
      },
    )
    expect((await ask(update)).body).toEqual({ rows: [['a', 'changed']] })
    expect(await database.rows("select name from items where tenant = 'umbra'")).toEqual([
      { name: 'theirs' },
    ])
  })

  test('rows of a partitioned table whose policy reads it are found where they are stored', async () => {
    const { ask } = await worldOf(
      await openPostgres(`
create table items (id integer not null, tenant text not null, name text, note text, primary key (id, tenant)) partition by list (tenant);
create table items_acme partition of items for values in ('acme');
create table items_umbra partition of items for values in ('umbra');
insert into items values (1, 'acme', 'x', null), (1, 'umbra', 'x', null), (2, 'umbra', 'y', null);`),
      {
        rows: {
          table: 'main.items',
          roles,
          select: { where: mine },
          insert: {
            check: {
              ...mine,
              $exists: {
                table: 'main.items',
                where: { tenant: '$user.tenant', name: { $outer: 'name' } },
              },
            },
          },
          update: {
            where: mine,
            check: {
              ...mine,
              $exists: {
                table: 'main.items',
                where: { tenant: '$user.tenant', name: { $outer: 'name' } },
              },
            },
          },
        },
      },
    )
    expect(
      (await ask("update main.items set name = 'z' where id = 1 returning id, tenant, name")).body,
    ).toEqual({
      rows: [[1, 'acme', 'z']],
    })
    expect(
      (
        await ask(
          "insert into main.items (id, tenant, name) values (5, 'acme', 'z') returning id, name",
        )
      ).body,
    ).toEqual({
      rows: [[5, 'z']],
    })
  })
})

describe('keys that are none, on SQLite', () => {
  test.each([
    [
      'a collation of the column',
      'create table items (id text collate nocase not null, tenant text not null, name text, note text, primary key (id collate binary)) without rowid;',
    ],
    [
      'blanks at the end',
      'create table items (id text collate rtrim not null, tenant text not null, name text, note text, primary key (id collate binary)) without rowid;',
    ],
  ])('%s', async (name, table) => {
    const [own, other] = name === 'blanks at the end' ? ['a', 'a '] : ['a', 'A']
    const { database, ask } = await worldOf(
      await openSqlite(`${table}
insert into items values ('${own}', 'acme', 'mine', 'n'), ('${other}', 'umbra', 'theirs', 'secret');`),
      {
        rows: {
          table: 'main.items',
          roles,
          select: { columns: ['id', 'tenant', 'name'], where: mine },
          update: { columns: ['name'], where: mine, check: mine },
          delete: { where: mine },
        },
        notes: {
          table: 'main.items',
          roles,
          select: { columns: ['note'], where: { ...mine, name: 'none' } },
        },
      },
    )
    const sql = "update main.items set name = coalesce(note, 'changed') returning id, name"
    expect((await ask(sql)).body).toEqual({ rows: [[own, 'changed']] })
    expect((await ask('delete from main.items where note is null returning id')).body).toEqual({
      rows: [[own]],
    })
    expect(await database.rows('select id, name, note from items')).toEqual([
      { id: other, name: 'theirs', note: 'secret' },
    ])
  })
})
