/** MERGE of callers with restrictions: what they cannot see neither changes nor shows. */
import { describePostgres } from '@engine/test-databases/vitest'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openPostgres } from '../support/databases.ts'
import {
  acme,
  type Claims,
  createWorld,
  mine,
  type PermissionGateway,
  type PermissionWorld,
} from '../support/permission-world.ts'
import { bearer } from '../support/tokens.ts'

const tables = `
  create table docs (
    id int primary key, tenant text not null, owner text not null default 'ada', title text,
    secret text, code text unique, score int not null default 0 check (score < 1000)
  );
  create table inbox (id int, tenant text not null, title text, score int);
  create table vault (id int, title text);
  create table moved (id int primary key, tenant text not null, body text);
  create function move() returns trigger language plpgsql as $$
    begin if new.body = 'move' then new.tenant := 'umbra'; end if; return new; end $$;
  create trigger moving before insert or update on moved for each row execute function move();
  create table tree (id int primary key, parent int, tenant text);
`

/** Visible: 1 to 3, of which 3 belongs to somebody else. */
const visible = `
  truncate docs, inbox, vault, moved, tree;
  insert into docs values
    (1, 'acme', 'ada', 'one', 'S1', 'c1', 10), (2, 'acme', 'ada', 'two', 'S2', 'c2', 20),
    (3, 'acme', 'eve', 'three', 'S3', 'c3', 30);
  insert into inbox values (1, 'acme', 'in one', 11), (4, 'acme', 'in four', 44);
  insert into moved values (1, 'acme', 'a');
  insert into tree values (1, null, 'acme'), (2, 1, 'acme');
`

/** Two states that differ in hidden rows and hidden cells only. */
const hidden = [
  `insert into docs values (5, 'umbra', 'ada', 'CANARY', 'SX', 'h5', 7), (6, 'umbra', 'cy', '6', 'SX', 'h6', 0);
   insert into inbox values (5, 'umbra', 'CANARY', 7), (1, 'umbra', 'CANARY', 1);
   insert into vault values (1, 'CANARY'); insert into moved values (5, 'umbra', 'CANARY');`,
  `insert into docs values (7, 'umbra', 'ada', '7', 'SY', 'h7', 999);
   update docs set secret = 'CANARY' where tenant = 'acme';
   insert into inbox values (8, 'umbra', '8', 8); insert into moved values (6, 'umbra', 'b');`,
] as const

const own = { tenant: '$user.tenant', owner: '$user.name' }

const permissions = {
  docs: {
    table: 'main.docs',
    roles: ['clerk', 'masked'],
    select: { columns: ['id', 'tenant', 'owner', 'title', 'code', 'score'], where: mine },
    insert: {
      columns: ['id', 'owner', 'title', 'code', 'score'],
      preset: { tenant: '$user.tenant' },
      check: { score: { $gte: 0 }, owner: '$user.name' },
    },
    update: {
      columns: ['title', 'score', 'owner'],
      where: own,
      check: { ...own, score: { $gte: 0 } },
    },
    delete: { where: own },
  },
  secrets: {
    table: 'main.docs',
    roles: ['masked'],
    select: { columns: ['id', 'secret'], where: { ...mine, id: 1 } },
  },
  reader: { table: 'main.docs', roles: ['reader'], select: { where: mine } },
  writer: { table: 'main.docs', roles: ['writer'], insert: {}, update: {}, delete: {} },
  adder: { table: 'main.docs', roles: ['adder'], select: { where: mine }, insert: { check: mine } },
  titles: {
    table: 'main.docs',
    roles: ['split'],
    select: { where: mine },
    update: { columns: ['title'], where: { ...mine, id: 1 }, check: mine },
  },
  scores: {
    table: 'main.docs',
    roles: ['split'],
    update: { columns: ['score'], where: { ...mine, id: 2 }, check: mine },
  },
  inbox: {
    table: 'main.inbox',
    roles: ['clerk', 'reader', 'writer', 'adder', 'split', 'masked'],
    select: { columns: ['id', 'title', 'score'], where: mine },
  },
  moved: {
    table: 'main.moved',
    roles: ['clerk'],
    select: { where: mine },
    insert: { check: mine },
    update: { where: mine, check: mine },
  },
  tree: {
    table: 'main.tree',
    roles: ['clerk'],
    select: {},
    insert: { check: { $exists: { table: 'main.tree', where: { id: { $col: 'parent' } } } } },
    update: {},
  },
}

const as = (role: string): Claims => ({ ...acme, roles: [role] })

const insertOf = (values: string) =>
  `when not matched then insert (id, score, title) values (${values})`

describePostgres('MERGE under permissions', () => {
  let world: PermissionWorld
  let gateway: PermissionGateway
  beforeAll(async () => {
    world = await createWorld(openPostgres, tables)
    gateway = await world.open(permissions, { isDevelopment: false })
  })
  beforeEach(() => world.database.run(visible + hidden[0]))
  afterAll(() => world?.close())

  const ask = async (sql: string, claims: Claims = acme, params: readonly unknown[] = []) => {
    const request = { sql, params, method: 'run', meta: true }
    const { status, body } = await gateway.gateway.data(request, await bearer(claims))
    const { correlation_id: _, ...answer } = body as Record<string, unknown>
    return { status, ...answer } as { status: number; rowCount?: number; error?: string }
  }
  const outcome = async (sql: string, claims: Claims = acme) => {
    const { status, rowCount, error } = await ask(sql, claims)
    return error === undefined ? [status, rowCount] : [status, error]
  }
  const rowsOf = (where: string, table = 'docs') =>
    world.database.rows(`select * from ${table} where ${where} order by id`)

  describe('answers alike, whatever is hidden, and leaves hidden rows alone', () => {
    test.each([
      // Rows that are not there for the caller
      'merge into main.docs t using (values (5), (7)) s(id) on t.id = s.id when matched then delete',
      'merge into main.docs t using (values (5), (7)) s(id) on t.id = s.id when matched then update set score = 1',
      'merge into main.docs t using (values (5), (7), (1)) s(id) on t.id = s.id when matched then update set score = 1',
      "merge into main.docs t using (select 1) s on t.title = 'CANARY' when matched then delete",
      'merge into main.docs t using (select 1 as n) s on true when matched then update set score = s.n',
      'merge into main.docs t using (select 1) s on true when matched then delete',
      "merge into main.docs t using (select 1) s on t.tenant = 'umbra' when matched then update set title = 'mine'",
      'merge into main.docs t using (values (5), (5), (7), (7)) s(id) on t.id = s.id when matched then delete',
      'merge into main.docs t using main.docs s on s.id = t.id + 4 when matched then update set title = s.title',
      'merge into main.docs t using main.docs s on s.tenant <> t.tenant when matched then update set title = s.title',
      'merge into main.docs t using main.inbox s on t.id = s.id when matched then update set title = s.title, score = s.score',
      `merge into main.docs t using main.inbox s on t.id = s.id ${insertOf('s.id, s.score, s.title')}`,
      `merge into main.docs t using main.inbox s on false ${insertOf("s.id + 100, 1, 'x'")}`,
      // Errors of hidden rows
      'merge into main.docs t using (select 1) s on 1 / (t.score - 7) < 5 when matched then update set score = 2',
      'merge into main.docs t using (select 1) s on t.title::text::int > 0 and false when matched then delete',
      'merge into main.docs t using (select 1) s on 1 / (t.score - 999) < 5 when matched then delete',
      'merge into main.docs t using (values (1), (5), (7)) s(id) on t.id = s.id when matched and 1 / (t.score - 7) < 5 then delete',
      'merge into main.docs t using (select 1) s on true when matched and 1 / (t.score - 999) < 5 then update set score = 3',
      'merge into main.docs t using (select 1) s on true when matched then update set score = 1 / (t.score - 7)',
      'merge into main.docs t using main.inbox s on 1 / (s.score - 7) < 5 and t.id = s.id when matched then delete',
      'merge into main.docs t using (select 1 / (score - 8) as n from main.inbox) s on t.id = s.n when matched then delete',
      `merge into main.docs t using (select 1 as id) s on 1 / (t.score - 7) > 5 ${insertOf("50, 1, 'x'")}`,
      'merge into main.docs t using (values (1)) s(id) on t.id = s.id when matched and exists (select from main.docs d where 1 / (d.score - 7) > 5) then delete',
      'merge into main.docs t using (values (1)) s(id) on t.id = s.id when matched then update set score = (select max(score) from main.docs)',
      'merge into main.docs t using (values (1)) s(id) on t.id = s.id when matched then update set score = (select count(*) from main.inbox)',
      // Keys of hidden rows, in rows that may not be stored
      `merge into main.docs t using (values (5), (7)) s(id) on t.id = s.id ${insertOf("s.id, -1, 'x'")}`,
      `merge into main.docs t using (values (5)) s(id) on t.id = s.id ${insertOf("s.id, -1, 'x'")}`,
      `merge into main.docs t using (values (7)) s(id) on t.id = s.id when matched then delete ${insertOf("s.id, -1, 'x'")}`,
      "merge into main.docs t using (values ('h5')) s(code) on t.code = s.code when not matched then insert (id, code, score) values (60, s.code, -1)",
      "merge into main.docs t using (values ('h7')) s(code) on t.code = s.code when matched then update set score = 1 when not matched then insert (id, code, owner) values (60, s.code, 'cy')",
      'merge into main.docs t using (values (1), (7)) s(id) on t.id = s.id when matched then update set score = -1 when not matched then insert (id, score) values (s.id, 1)',
      'merge into main.docs t using (values (7), (7)) s(id) on t.id = s.id when not matched then insert (id, score) values (s.id, -1)',
      // Cells that are not there for the caller
      'merge into main.docs t using (values (1)) s(id) on t.id = s.id when matched then update set title = to_json(t)::text',
      'merge into main.docs t using (select d.* from main.docs d) s on t.id = s.id when matched then update set title = to_json(s)::text',
      "merge into main.docs t using (values (1)) s(id) on t.secret = 'CANARY' when matched then delete",
      "merge into main.docs t using (values (1)) s(id) on t.id = s.id when matched and t.secret = 'CANARY' then delete",
      'merge into main.docs t using (values (1)) s(id) on t.id = s.id when matched then update set title = t.secret',
      "merge into main.docs t using (values (1)) s(id) on t.id = s.id when matched then update set secret = 'x'",
      "merge into main.docs t using (values (1)) s(id) on t.id = s.id when matched then update set nothing = 'x'",
      "merge into main.docs t using (values (9)) s(id) on t.id = s.id when not matched then insert (id, secret) values (s.id, 'x')",
      'merge into main.docs t using (select secret from main.docs) s on true when matched then delete',
      'merge into main.docs t using (values (9)) s(id) on t.id = s.id when not matched then insert values (s.id)',
      'merge into main.docs t using main.vault s on t.id = s.id when matched then update set title = s.title',
      'merge into main.vault t using main.docs s on t.id = s.id when matched then delete',
      'merge into main.nothing t using main.docs s on t.id = s.id when matched then delete',
      'merge into main.docs t using main.inbox s on t.tenant = s.tenant when matched then delete',
      'with q as (delete from main.inbox returning id, title, score) merge into main.docs t using q on t.id = q.id when matched then update set title = q.title, score = q.score',
      `with q as (delete from main.inbox where 1 / (score - 7) < 5 returning id, title, score) merge into main.docs t using q s on t.id = s.id ${insertOf('s.id, s.score, s.title')}`,
      'with q as (update main.docs set score = 1 / (score - 7) returning id) merge into main.docs t using q on t.id = q.id when matched then do nothing',
      'with q as (delete from main.docs where id in (5, 7) returning id) merge into main.docs t using q on true when matched then do nothing',
      "with q as (insert into main.docs (id, score) values (5, -1) returning id) merge into main.docs t using q on t.id = q.id when not matched then insert (id, score, title) values (q.id + 50, 1, 'x')",
      'with q as (delete from main.vault returning id, title) merge into main.docs t using q on t.id = q.id when matched then update set title = q.title',
      'with q as (delete from main.inbox returning *) merge into main.docs t using (select secret from main.docs) s on true when matched then delete',
    ])('%s', async (sql) => {
      const answers: unknown[] = []
      for (const state of hidden) {
        await world.database.run(visible + state)
        const before = await rowsOf("tenant = 'umbra'")
        const answer = await ask(sql)
        expect(await rowsOf("tenant = 'umbra'")).toEqual(before)
        expect(JSON.stringify(answer)).not.toContain('CANARY')
        const seen = `select id, owner, title, code, score from docs where tenant = 'acme' order by id`
        answers.push([answer, await world.database.rows(seen)])
      }
      expect(answers[1]).toEqual(answers[0])
    })
  })

  test('the ordinary MERGE of a tenant works', async () => {
    const sql = `merge into main.docs t using main.inbox s on t.id = s.id
      when matched then update set title = s.title, score = t.score + s.score
      when not matched then insert (id, title, score) values (s.id, s.title, s.score)`
    expect(await outcome(sql)).toEqual([200, 2])
    expect(await rowsOf('id in (1, 4)')).toMatchObject([
      { tenant: 'acme', owner: 'ada', title: 'in one', secret: 'S1', score: 21 },
      { tenant: 'acme', owner: 'ada', title: 'in four', secret: null, score: 44 },
    ])
  })

  test('a row that may be seen and not changed matches, and stays as it is', async () => {
    const merge = (action: string) =>
      `merge into main.docs t using (values (3)) s(id) on t.id = s.id when matched then ${action}
       when not matched then insert (id, title) values (s.id + 50, 'new')`
    expect(await outcome(merge("update set title = 'x'"))).toEqual([200, 0])
    expect(await outcome(merge('delete'))).toEqual([200, 0])
    expect(await rowsOf('id in (3, 53)')).toMatchObject([{ id: 3, title: 'three' }])
  })

  test('a hidden key is the conflict that it is for INSERT', async () => {
    const insert = await ask('insert into main.docs (id, score) values (5, 1)')
    const merge = await ask(
      'merge into main.docs t using (values (5)) s(id) on t.id = s.id when matched then delete when not matched then insert (id, score) values (s.id, 1)',
    )
    expect(insert.status).toBe(409)
    expect(merge).toEqual(insert)
  })

  describe('no clause lends another its rights', () => {
    test.each<[string, string, string, readonly unknown[]]>([
      ['a reader updates', 'reader', 'when matched then update set score = 1', [403]],
      ['a reader deletes', 'reader', 'when matched then delete', [403]],
      ['a reader inserts', 'reader', 'when not matched then insert (id) values (90)', [403]],
      ['a reader does nothing', 'reader', 'when matched then do nothing', [200]],
      ['without select', 'writer', 'when matched then update set score = 1', [403]],
      ['without select, inserts', 'writer', 'when not matched then insert (id) values (90)', [403]],
      ['without select, nothing', 'writer', 'when matched then do nothing', [403]],
      ['insert does not update', 'adder', 'when matched then update set score = 1', [403]],
      ['a clause that no row meets', 'adder', 'when matched and false then delete', [403]],
      [
        'one of two clauses',
        'adder',
        'when not matched then do nothing when matched then delete',
        [403],
      ],
      [
        'a column of update in insert',
        'split',
        "when not matched then insert (title) values ('x')",
        [403],
      ],
      [
        'columns of two permissions',
        'split',
        "when matched then update set title = 'x', score = 1",
        [403],
      ],
      [
        'a preset column of insert',
        'clerk',
        "when not matched then insert (id, tenant) values (90, 'umbra')",
        [403],
      ],
      [
        'a preset column of update',
        'clerk',
        "when matched then update set tenant = 'umbra'",
        [403],
      ],
      ['the key', 'clerk', 'when matched then update set id = 90', [403]],
      ['a check of update', 'clerk', 'when matched then update set score = -1', [422]],
      [
        'a check of update: the owner',
        'clerk',
        "when matched then update set owner = 'eve'",
        [422],
      ],
      [
        'a check of insert',
        'clerk',
        'when not matched then insert (id, score) values (90, -1)',
        [422],
      ],
      [
        'one of two checks',
        'clerk',
        'when matched then update set score = 5 when not matched then insert (id, score) values (90, -1)',
        [422],
      ],
      [
        'the other of two checks',
        'clerk',
        'when matched then update set score = -5 when not matched then insert (id, score) values (90, 1)',
        [422],
      ],
      ['random() in WHEN', 'clerk', 'when matched and random() > 2 then delete', [400]],
    ])('%s', async (_, role, clauses, [status]) => {
      const before = await rowsOf('true')
      const sql = `merge into main.docs t using (values (1), (90)) s(id) on t.id = s.id ${clauses}`
      expect((await ask(sql, as(role))).status).toBe(status)
      expect(await rowsOf('true')).toEqual(before)
    })
  })

  test('every clause touches the rows of its own permission', async () => {
    const sql = `merge into main.docs t using (values (1), (2), (3)) s(id) on t.id = s.id
      when matched and s.id > 2 then update set score = 1
      when matched and s.id > 1 then update set title = 'x' when matched then update set score = 2`
    expect(await outcome(sql, as('split'))).toEqual([200, 0])
    const other = `merge into main.docs t using (values (1), (2)) s(id) on t.id = s.id
      when matched and s.id = 1 then update set title = 'x' when matched then update set score = 2`
    expect(await outcome(other, as('split'))).toEqual([200, 2])
  })

  test('masked cells are read as NULL in every part', async () => {
    const sql = `merge into main.docs t using (values (1), (2)) s(id) on t.id = s.id
      when matched and t.secret is null then update set title = 'masked'
      when matched then update set title = t.secret`
    expect(await outcome(sql, as('masked'))).toEqual([200, 2])
    expect(await rowsOf('id < 3')).toMatchObject([{ title: 'S1' }, { title: 'masked' }])
  })

  test('a row matched twice is an error only where it can be seen', async () => {
    const merge = (id: number, action: string) =>
      ask(`merge into main.docs t using (values (${id}, 1), (${id}, 2)) s(id, n) on t.id = s.id
           when matched then ${action}`)
    expect((await merge(1, 'update set score = s.n')).status).toBe(400)
    expect((await merge(1, 'delete')).status).toBe(400)
    expect(await merge(5, 'delete')).toMatchObject({ status: 200, rowCount: 0 })
    expect(await merge(1, 'do nothing')).toMatchObject({ status: 200, rowCount: 0 })
  })

  test('the row is checked as a trigger stored it', async () => {
    const merge = (id: number, body: string) =>
      `merge into main.moved t using (values (${id}, '${body}')) s(id, body) on t.id = s.id
       when matched then update set body = s.body
       when not matched then insert (id, tenant, body) values (s.id, 'acme', s.body)`
    expect((await ask(merge(1, 'move'))).status).toBe(422)
    expect((await ask(merge(2, 'move'))).status).toBe(422)
    expect(await outcome(merge(1, 'stay'))).toEqual([200, 1])
    expect(await outcome(merge(2, 'stay'))).toEqual([200, 1])
    expect(await rowsOf("tenant = 'umbra'", 'moved')).toHaveLength(1)
  })

  test('a value is computed once, for the check and for the row', async () => {
    const sql = `merge into main.docs t using (select id, random() as r from main.docs) s on t.id = s.id
      when matched then update set score = (s.r * 100)::int, title = ((s.r * 100)::int)::text`
    expect(await outcome(sql)).toEqual([200, 2])
    const rows = await world.database.rows('select title, score from docs where id < 3')
    for (const row of rows as { title: string; score: number }[]) {
      expect(row.title).toBe(String(row.score))
    }
  })

  test('a policy that reads the target is refused', async () => {
    const sql =
      'merge into main.tree t using (values (3)) s(id) on t.id = s.id when not matched then insert (id, parent) values (s.id, 1)'
    expect(await ask(sql)).toMatchObject({
      status: 400,
      message: expect.stringMatching(/^MERGE into a table that its policies look at/),
    })
    expect(await rowsOf('true', 'tree')).toHaveLength(2)
  })
})
