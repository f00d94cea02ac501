/** `engine-server simulate`, as users run it; also when it is killed while it runs. */
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { describeDatabases, type TestDatabase } from '../support/databases.ts'
import { createProgram, type Program } from '../support/program.ts'

const setUp = `
create table items (id integer primary key, name text not null, level integer not null);
insert into items (id, name, level)
  with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
  select i, 'item', i from n;
`

/** Takes minutes, and writes all the time. */
const endless = `update main.items set level = (
  select count(*) from main.items a, main.items b where a.id + b.id > items.id
)`

const permissions = [
  {
    table: 'main.items',
    roles: ['clerk'],
    select: {},
    update: { where: { id: { $lte: 10 } }, check: { level: { $gte: 0 } } },
  },
]

describeDatabases('engine-server simulate', (open, kind) => {
  let program: Program
  let database: TestDatabase

  beforeEach(async () => {
    program = createProgram()
    database = await open(setUp)
    const config = {
      connections: { main: database.url },
      auth: { secret: 'a secret of at least thirty-two bytes' },
      permissions,
      // MariaDB notices only at the end of its statement that the client has disconnected.
      limits: { queryTimeout: kind === 'mysql' ? 5_000 : 600_000 },
    }
    program.folder.write('engine.config.json', JSON.stringify(config))
  })
  afterEach(async () => {
    await program.close()
    await database.remove()
  })

  const simulate = (...args: readonly string[]) => program.run(['simulate', ...args])
  const state = () => database.rows('select count(*) as n, sum(level) as s from items')

  test('engine-server simulate says what a write would have answered, and exits with 0 or 1', async () => {
    const before = await state()
    const sql = 'update main.items set level = $1 where id < 3 returning id, level'
    const clerk = ['--as', '{"roles":["clerk"]}'] as const
    expect(await simulate(...clerk, '--param', '7', sql)).toEqual({
      code: 0,
      stdout: '200: 2 rows written, and rolled back\n  id, level\n  [1,7]\n  [2,7]\n',
      stderr: '',
    })
    expect(await simulate(...clerk, '--param=-7', sql)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /^refused; nothing was written\n {2}answer +422 VALIDATION_ERROR\n/,
      ),
    })
    expect(await state()).toEqual(before)
  })

  test('prints JSON, the body as it would have been sent', async () => {
    const before = await state()
    const sql = 'update main.items set level = $1 where id < 3 returning id, level'
    const clerk = ['--as', '{"roles":["clerk"]}'] as const
    const json = await simulate(...clerk, '--json', '--param', '7', sql)
    expect(JSON.parse(json.stdout)).toEqual({
      outcome: 'answered',
      status: 200,
      rowCount: 2,
      truncated: false,
      isWrite: true,
      body: {
        rows: [
          [1, 7],
          [2, 7],
        ],
        columns: [
          { name: 'id', type: 'integer' },
          { name: 'level', type: 'integer' },
        ],
        rowCount: 2,
        truncated: false,
      },
    })
    const refused = await simulate(...clerk, '--json', 'delete from main.items')
    expect(refused.code).toBe(1)
    expect(JSON.parse(refused.stdout)).toMatchObject({ outcome: 'refused', status: 403 })
    expect(await state()).toEqual(before)
  })

  /** Waits until the statement runs in the database. */
  const running = async (): Promise<void> => {
    while (!(await isRunning())) await pause(20)
  }
  const isRunning = async (): Promise<boolean> => {
    switch (kind) {
      case 'postgres':
        return isFound(
          `select 1 from pg_stat_activity where state = 'active' and datname = current_database()
             and query like '%update%items%' and pid <> pg_backend_pid()`,
        )
      case 'mysql':
        return isFound(
          `select 1 from information_schema.processlist where db = database()
             and command = 'Execute' and info like '%items%' and id <> connection_id()`,
        )
      case 'sqlite':
        return !(await works('pragma busy_timeout = 20; begin immediate; rollback'))
    }
  }
  const isFound = async (sql: string) => (await database.rows(sql)).length > 0
  const works = (sql: string): Promise<boolean> =>
    database.run(sql).then(
      () => true,
      () => false,
    )

  /** Waits until no transaction holds a lock on the rows any more. */
  const released = async (): Promise<void> => {
    const timeouts = {
      postgres: "set lock_timeout = '50ms'",
      mysql: 'set innodb_lock_wait_timeout = 1',
      sqlite: 'pragma busy_timeout = 50',
    }
    while (!(await works(`${timeouts[kind]}; update items set name = 'item' where id = 1`))) {
      await pause(20)
    }
  }

  test.each<NodeJS.Signals>(['SIGKILL', 'SIGTERM', 'SIGINT'])(
    'engine-server simulate keeps nothing when %s ends it in the middle',
    async (signal) => {
      const before = await state()
      const process = program.start(['simulate', '--as', 'admin', endless])
      const ended = process.exit().then(() => {
        throw new Error(`it ended by itself: ${process.stderr()}`)
      })
      await Promise.race([running(), ended])
      ended.catch(() => undefined)
      process.signal(signal)
      const code = await process.exit()
      expect(code).toBe(signal === 'SIGKILL' ? null : 1)
      await released()
      expect(await state()).toEqual(before)
    },
  )
})
