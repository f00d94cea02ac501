import { admin, type Caller, type Config, createEngine, type Engine } from '@engine/core'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connect } from '../src/index.ts'

const adapters = { '@engine/adapters-postgres': connect }

/** `member` writes the rows of its tenant through views; no permission names the tables below them. */
const permissions = {
  shown: {
    table: 'main.shown',
    roles: ['member'],
    select: { columns: ['nr', 'tenant', 'label', 'loud'], where: { tenant: '$user.tenant' } },
    insert: { columns: ['nr', 'label', 'points'], preset: { tenant: '$user.tenant' } },
    update: { columns: ['tenant', 'label', 'points'], where: { tenant: '$user.tenant' } },
    delete: { where: { tenant: '$user.tenant' } },
  },
  keyless: {
    table: 'main.keyless',
    roles: ['member'],
    select: { where: { tenant: '$user.tenant' } },
    update: { columns: ['label'], where: { tenant: '$user.tenant' } },
  },
  few: {
    table: 'main.few',
    roles: ['member'],
    select: {},
    insert: { check: { points: { $lt: 1000 } } },
    update: { columns: ['points'] },
  },
  whole: {
    table: 'main.whole',
    roles: ['member'],
    select: { where: { tenant: '$user.tenant' } },
    insert: {
      columns: ['nr', 'name', 'points'],
      preset: { tenant: '$user.tenant' },
      check: { points: { $lt: 1000 } },
    },
    update: {
      columns: ['name', 'points'],
      where: { tenant: '$user.tenant' },
      check: { points: { $lt: 1000 } },
    },
  },
  loudest: {
    table: 'main.counted',
    roles: ['member'],
    select: { where: { tenant: '$user.tenant' } },
    insert: { columns: ['id', 'tenant'], check: { rows: { $lt: 100 } } },
  },
  triggered: {
    table: 'main.triggered',
    roles: ['member'],
    select: {},
    insert: {},
    update: { columns: ['label'], where: { tenant: '$user.tenant' }, check: {} },
    delete: {},
  },
  masked: {
    table: 'main.shown',
    roles: ['clerk'],
    select: { columns: ['nr', 'label'] },
    insert: { columns: ['nr', 'label'] },
    update: { columns: ['label'] },
  },
  secrets: {
    table: 'main.shown',
    roles: ['clerk'],
    select: { columns: ['nr', 'points'], where: { tenant: '$user.tenant' } },
  },
  moved: { table: 'main.moved', roles: ['member'], select: {}, insert: {}, update: {}, delete: {} },
  overMoved: { table: 'main.over_moved', roles: ['member'], select: {}, insert: {}, update: {} },
  part: { table: 'main.parts_1', roles: ['member'], insert: {} },
  related: {
    table: 'main.related',
    roles: ['member'],
    select: {},
    insert: {
      check: { $not: { $exists: { table: 'main.items', where: { id: { $gt: 100 } } } } },
    },
  },
} satisfies Config['permissions']

describePostgres('writes of views', () => {
  let engine: Engine
  let client: Client

  beforeAll(async () => {
    const url = await createDatabase('view_writes')
    client = new Client({ connectionString: url })
    await client.connect()
    await client.query(`
      create table items (
        id int primary key, tenant int not null default 9, label text default 'new', points int,
        hidden boolean not null default false
      );
      create view shown as
        select id as nr, tenant, label, upper(label) as loud, points from items where not hidden;
      create view whole as select id as nr, tenant, label as name, points, upper(label) as shout from items;
      create view beyond as select nr as id, name as label from whole where points > 0;
      create view keyless as select tenant, label from shown;
      create view few as select nr as id, points from shown where points < 100 with check option;
      create view counted as select id, tenant, (select count(*) from items) as rows from items;
      create view related as select id, label from items;
      create view totals as select tenant, count(*) as n from items group by tenant;
      create view ruled as select id, label from items;
      create view doubled as select id, points, points as again from items;
      create table listed (id int);
      insert into listed values (1), (4);
      create view picked as select id, label from items where id in (select l.id from listed l);
      create rule off as on delete to ruled do instead nothing;
      create table moved (id int primary key, tenant int, label text);
      create view over_moved as select id, label from moved;
      create rule elsewhere as on insert to moved do instead
        insert into items (id, tenant, label) values (new.id, 2, new.label);
      create rule told as on update to moved do also insert into items (id, label) values (new.id + 10, new.label);
      create table calm (id int primary key);
      create rule never as on delete to calm do instead nothing;
      alter table calm disable rule never;
      create table parts (id int) partition by range (id);
      create table parts_1 partition of parts for values from (0) to (10);
      create rule part as on insert to parts_1 do instead nothing;
      create view triggered as select tenant, label, count(*) as n from items group by 1, 2;
      create function write_triggered() returns trigger language plpgsql as $$
        begin
          if tg_op = 'DELETE' then
            delete from items i where i.tenant = old.tenant and i.label = old.label; return old;
          end if;
          if tg_op = 'UPDATE' then
            update items i set label = new.label where i.tenant = old.tenant and i.label = old.label; return new;
          end if;
          insert into items values (new.n, new.tenant, new.label, 0); return new;
        end $$;
      create trigger write instead of insert or update or delete on triggered
        for each row execute function write_triggered();
    `)
    engine = await createEngine(
      { connections: { main: url }, auth: { secret: 'x'.repeat(32) }, permissions },
      { adapters },
    )
  })
  afterAll(async () => {
    await engine.close()
    await client.end()
  })
  beforeEach(async () => {
    await client.query('truncate items')
    await client.query(`insert into items values
      (1, 1, 'ada', 10, false), (2, 1, 'bob', 20, true), (3, 2, 'eve', 42, false)`)
  })

  const member: Caller = { kind: 'user', id: 'u1', roles: ['member'], fields: { tenant: 1 } }
  const clerk: Caller = { ...member, roles: ['clerk'] }
  const run = async (sql: string, caller: Caller = member) => {
    const request = { sql, params: [], method: 'all', meta: true, signal: undefined } as const
    const { body } = await engine.query(request, caller)
    const { rows, rowCount } = JSON.parse(String(body))
    return { rows, rowCount }
  }
  const failure = async (sql: string, caller: Caller = member) => {
    const error = await run(sql, caller).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    return error as { problem?: string; sqlState?: string; message?: string } | undefined
  }
  const stored = async (condition = 'true') => {
    const { rows } = await client.query({
      text: `select id, tenant, label, points from items where ${condition} order by id`,
      rowMode: 'array',
    })
    return rows
  }

  describe('an administrator', () => {
    test('writes the rows of the table that a view shows', async () => {
      expect(
        await run(`insert into main.shown (nr, label) values (4, 'dan') returning *`, admin),
      ).toEqual({ rows: [[4, 9, 'dan', 'DAN', null]], rowCount: 1 })
      await run(`update main.shown set points = nr + 1 where nr = 1`, admin)
      await run('delete from main.shown where nr = 3', admin)
      expect(await stored()).toEqual([
        [1, 1, 'ada', 2],
        [2, 1, 'bob', 20],
        [4, 9, 'dan', null],
      ])
    })

    test('writes a view that chooses its rows by a subquery', async () => {
      await run(`insert into main.picked values (4, 'dan')`, admin)
      await run(`update main.picked set label = 'x'`, admin)
      expect(await stored('id in (1, 2, 4)')).toEqual([
        [1, 1, 'x', 10],
        [2, 1, 'bob', 20],
        [4, 9, 'x', null],
      ])
    })

    test('writes by the trigger of a view', async () => {
      await run(`insert into main.triggered values (5, 'fay', 8)`, admin)
      await run(`update main.triggered set label = 'gus' where tenant = 2`, admin)
      await run('delete from main.triggered where tenant = 1', admin)
      expect(await stored()).toEqual([
        [3, 2, 'gus', 42],
        [8, 5, 'fay', 0],
      ])
    })

    test.each([
      ['insert into main.totals values (1, 2)', '55000'],
      ['delete from main.totals', '55000'],
      [`update main.shown set loud = 'X'`, '0A000'],
      [`insert into main.shown values (7, 1, 'x', 'X', 1)`, '0A000'],
      ['delete from main.ruled', '0A000'],
      ['insert into main.doubled values (5, 1, 2)', '42601'],
      ['update main.doubled set points = 1, again = 2', '42601'],
      ['insert into main.few values (5, 100)', '44000'],
      ['update main.few set points = 100 where id = 1', '44000'],
    ])('%s → %s, as PostgreSQL refuses it', async (sql, sqlState) => {
      expect((await failure(sql, admin))?.sqlState).toBe(sqlState)
      expect(await stored('points >= 100')).toEqual([])
    })

    test('a row that exists is left alone with DO NOTHING, and a view that hides rows has no DO UPDATE', async () => {
      const sql = `insert into main.shown (nr) values (1), (6) on conflict`
      expect(await run(`${sql} do nothing`, admin)).toMatchObject({ rowCount: 1 })
      expect(await run(`${sql} (nr) do nothing`, admin)).toMatchObject({ rowCount: 0 })
      expect((await failure(`${sql} (label) do nothing`, admin))?.sqlState).toBe('0A000')
      // The row 2 is hidden in the view.
      const hidden = `insert into main.shown (nr) values (2) on conflict (nr) do`
      expect(await run(`${hidden} nothing`, admin)).toMatchObject({ rowCount: 0 })
      for (const view of ['shown', 'few', 'beyond', 'triggered']) {
        const update = `insert into main.${view} default values on conflict (id) do update set label = 'x'`
        expect((await failure(update, admin))?.sqlState).toBe('0A000')
      }
      expect(await stored('id < 3')).toEqual([
        [1, 1, 'ada', 10],
        [2, 1, 'bob', 20],
      ])
    })

    test('a view that shows every row of its table has DO UPDATE', async () => {
      const sql = `insert into main.whole (nr, name, points) values (1, 'new', 7), (8, 'ann', 8)
        on conflict (nr) do update set name = excluded.name || '/' || whole.name || '/' || excluded.shout`
      expect(await run(`${sql} returning nr, name`, admin)).toMatchObject({
        rows: [
          [1, 'new/ada/NEW'],
          [8, 'ann'],
        ],
      })
      const kept = `insert into main.whole (nr) values (1) on conflict (nr) do update set points = 0
        where whole.shout = 'nobody'`
      expect(await run(kept, admin)).toMatchObject({ rowCount: 0 })
      expect((await failure(sql.replace('set name', 'set shout'), admin))?.sqlState).toBe('0A000')
      expect(await stored('id in (1, 8)')).toEqual([
        [1, 1, 'new/ada/NEW', 10],
        [8, 9, 'ann', 8],
      ])
    })

    test('DO UPDATE of a view is under its permissions', async () => {
      const sql = (nr: number, points: number) =>
        `insert into main.whole (nr, name, points) values (${nr}, 'x', ${points})
          on conflict (nr) do update set name = excluded.name, points = excluded.points`
      expect(await run(sql(1, 5))).toMatchObject({ rowCount: 1 })
      // Of another tenant: skipped, as a row that is not visible.
      expect(await run(sql(3, 5))).toMatchObject({ rowCount: 0 })
      expect((await failure(sql(1, 5000)))?.problem).toBe('checkFailed')
      expect((await failure(sql(3, 5000)))?.problem).toBe('checkFailed')
      expect((await failure(`${sql(1, 5)} where excluded.shout = 'X'`))?.sqlState).toBe('0A000')
      expect(await stored()).toEqual([
        [1, 1, 'x', 5],
        [2, 1, 'bob', 20],
        [3, 2, 'eve', 42],
      ])
    })
  })

  describe('permissions of the view', () => {
    test('fill in what they preset', async () => {
      await run(`insert into main.shown (nr, label) values (4, 'dan')`)
      expect(await stored('id = 4')).toEqual([[4, 1, 'dan', null]])
      expect((await failure(`insert into main.shown (nr, tenant) values (5, 2)`))?.problem).toBe(
        'permissionDenied',
      )
    })

    test('choose the rows that are written', async () => {
      expect(await run(`update main.shown set label = 'x'`)).toMatchObject({ rowCount: 1 })
      expect(await run('delete from main.shown')).toMatchObject({ rowCount: 1 })
      expect(await stored()).toEqual([
        [2, 1, 'bob', 20],
        [3, 2, 'eve', 42],
      ])
    })

    test('check the row that was stored', async () => {
      expect((await failure('update main.shown set tenant = 2 where nr = 1'))?.problem).toBe(
        'checkFailed',
      )
      expect(await stored('id = 1')).toEqual([[1, 1, 'ada', 10]])
    })

    test('show what RETURNING may show', async () => {
      expect(
        await run(`update main.shown set label = 'x' where nr > 0 returning nr, loud`),
      ).toEqual({ rows: [[1, 'X']], rowCount: 1 })
    })

    test('are needed: those of another view or of nothing grant nothing', async () => {
      expect((await failure('delete from main.keyless'))?.problem).toBe('permissionDenied')
      expect((await failure('delete from main.items'))?.problem).toBe('permissionDenied')
      expect((await failure('insert into main.related (id) values (7)', clerk))?.problem).toBe(
        'permissionDenied',
      )
    })
  })

  describe('hidden rows', () => {
    test('do not fail an expression: rows are found by the key that the view shows', async () => {
      await client.query(`insert into items values (8, 2, 'ten', 0), (9, 1, 'five', 5)`)
      await run('update main.shown set points = 7 where 1 / (nr - 8) < 2 and tenant = 1')
      expect(await stored('points = 7')).toEqual([
        [1, 1, 'ada', 7],
        [9, 1, 'five', 7],
      ])
    })

    test('of a view without the key of its table are not compared with expressions that can fail', async () => {
      expect(await run(`update main.keyless set label = 'x'`)).toMatchObject({ rowCount: 1 })
      const refused = await failure(
        `update main.keyless set label = 'y' where 1 / length(label) > 0`,
      )
      expect(refused).toMatchObject({ problem: 'unsupported', sqlState: '0A000' })
    })

    test('a conflict with one is the same conflict as with any other row, without its cells', async () => {
      const hidden = await failure(`insert into main.shown (nr, label) values (3, 'x')`)
      const visible = await failure(`insert into main.shown (nr, label) values (1, 'x')`)
      expect(hidden?.message).toBe(visible?.message)
      expect(hidden?.message).not.toContain('eve')
    })
  })

  describe('hidden cells', () => {
    test('are NULL in the values of an UPDATE', async () => {
      await run('update main.shown set label = points::text', clerk)
      expect(await stored('not hidden')).toEqual([
        [1, 1, '10', 10],
        [3, 2, null, 42],
      ])
    })

    test('are not returned', async () => {
      const sql = `insert into main.shown (nr, label) values (4, 'dan')`
      expect((await failure(`${sql} returning points`, clerk))?.sqlState).toBe('0A000')
      expect(await stored('id = 4')).toEqual([])
    })
  })

  describe('a rule of a table', () => {
    test.each([
      `insert into main.moved values (7, 1, 'x')`,
      `insert into main.moved values (7, 1, 'x') on conflict do nothing`,
      `insert into main.moved values (7, 1, 'x') on conflict (id) do update set label = 'y'`,
      `update main.moved set label = 'x'`,
      `insert into main.over_moved values (7, 'x')`,
      `update main.over_moved set label = 'x'`,
      `with w as (insert into main.moved values (7, 1, 'x') returning id) select * from w`,
      `merge into main.moved m using (values (1)) as i (id) on m.id = i.id when matched then delete`,
      'insert into main.parts_1 values (1)',
    ])('refuses %s, of an administrator and of a role', async (sql) => {
      for (const caller of [admin, member]) {
        expect(await failure(sql, caller)).toMatchObject({
          problem: 'unsupported',
          sqlState: '0A000',
        })
      }
      expect(await stored()).toHaveLength(3)
    })

    test('does not count for a caller who may not write the table', async () => {
      expect((await failure(`insert into main.moved values (7, 1, 'x')`, clerk))?.problem).toBe(
        'permissionDenied',
      )
    })

    test('leaves other writes alone, counts while it is enabled, and not for rows that come through the partitioned table', async () => {
      await run('delete from main.moved')
      await run('insert into main.calm values (1)', admin)
      expect(await run('delete from main.calm', admin)).toMatchObject({ rowCount: 1 })
      expect(await run('insert into main.parts values (1)', admin)).toMatchObject({ rowCount: 1 })
    })
  })

  describe('conditions that could not be enforced refuse the write', () => {
    test.each([
      ['on what a trigger writes', `update main.triggered set label = 'x'`],
      ['on an expression of the view', 'insert into main.counted (id, tenant) values (4, 1)'],
      ['on the table below the view', 'insert into main.related (id) values (101)'],
    ])('%s', async (_, sql) => {
      expect(await failure(sql)).toMatchObject({ problem: 'unsupported', sqlState: '0A000' })
      expect(await stored()).toHaveLength(3)
    })

    test('a trigger writes where there is none', async () => {
      await run(`insert into main.triggered values (5, 'fay', 8)`)
      await run('delete from main.triggered where tenant = 1')
      expect(await stored()).toEqual([
        [3, 2, 'eve', 42],
        [8, 5, 'fay', 0],
      ])
    })
  })

  test('the check of a view holds beside the check of a permission', async () => {
    expect((await failure('insert into main.few values (5, 100)'))?.sqlState).toBe('44000')
    expect(await run('insert into main.few values (5, 99)')).toMatchObject({ rowCount: 1 })
  })
})
