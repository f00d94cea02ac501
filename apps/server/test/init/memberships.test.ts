/** A membership that does not count gives nothing: each way in which a row says that a person is invited, removed or expired. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createProgram, type Program } from '../support/program.ts'
import { openAttacked, rowsOf, senderOf } from './attacker.ts'

// Starts programs, one after the other: the time limit only has to be long enough.
vi.setConfig({ testTimeout: 180_000 })

let program: Program
let path: string
beforeEach(() => {
  program = createProgram()
  path = join(program.folder.path, 'shop.db')
})
afterEach(() => program.close())

/** Columns of memberships, with values that count and values that do not. */
const shapes: readonly (readonly [columns: string, counts: string[], over: string[]])[] = [
  ["status text not null default 'pending'", ["'active'", "'ACCEPTED'"], ["'pending'", "'x'"]],
  [
    "status text check (status in ('ON', 'joined', 'away'))",
    ["'joined'"],
    ["'ON'", "'away'", 'null'],
  ],
  ["role text check (role in ('OWNER', 'INVITED'))", ["'OWNER'"], ["'INVITED'"]],
  ['deleted_at timestamp', ['null'], ["'2020-01-01 00:00:00'", "'2999-01-01 00:00:00'"]],
  ['deletedAt integer', ['null'], ['1700000000']],
  ['left_on date', ['null', "'2999-01-01'"], ["'2020-01-01'"]],
  ['expires_at timestamp not null', ["'2999-01-01 00:00:00'"], ["'2020-01-01 00:00:00'"]],
  ['expires text', ['null'], ["'2999-01-01'"]],
  ['valid_from timestamp', ['null', "'2020-01-01 00:00:00'"], ["'2999-01-01 00:00:00'"]],
  ['accepted_at timestamp', ["'2020-01-01 00:00:00'"], ['null']],
  ['approved_by_id integer references users (id)', ['1'], ['null']],
  ['is_active boolean not null default true', ['true'], ['false']],
  ['enabled integer', ['1'], ['0', 'null']],
  ['revoked boolean', ['false', 'null'], ['true']],
  ['invitation_token text', ['null'], ["'x'"]],
  ['invited_at timestamp', ['null'], ["'2020-01-01 00:00:00'"]],
  // Who accepted was invited once.
  [
    'invited_at timestamp, joined_at timestamp',
    ["'2020-01-01 00:00:00', '2020-01-01 00:00:00'"],
    ["'2020-01-01 00:00:00', null"],
  ],
  // What such values mean, nothing says.
  ['status integer not null', [], ['0', '1']],
  ["active text default 'Y'", [], ["'Y'", "'N'"]],
  ["deleted_at timestamp not null default '9999-12-31'", [], ["'9999-12-31 00:00:00'"]],
]

const tables = (columns: string) => `
  create table users (id integer primary key, email text);
  create table organizations (id integer primary key, name text not null);
  create table memberships (id integer primary key, user_id integer not null references users (id), organization_id integer not null references organizations (id), ${columns}, unique (user_id, organization_id));
  create table projects (id integer primary key, organization_id integer not null references organizations (id), owner_id integer not null references users (id), name text);
  create table tasks (id integer primary key, project_id integer not null references projects (id), title text);
  create table hours (id integer primary key, membership_id integer not null references memberships (id), day date);
  create table comments (id integer primary key, user_id integer not null references users (id), project_id integer references projects (id), body text);`

const values = (member: number, value: string) => `
  insert into users (id, email) values (${member}, 'u${member}');
  insert into organizations values (${member}, 'o');
  insert into memberships values (${member}, ${member}, ${member}, ${value});
  insert into projects values (${member}, ${member}, ${member}, 'p');
  insert into tasks values (${member}, ${member}, 't');
  insert into hours values (${member}, ${member}, '2020-01-01');`

test.each(shapes)('%s', async (columns, counts, over) => {
  const database = new Database(path)
  database.exec(tables(columns))
  const all = [...counts, ...over]
  for (const [at, value] of all.entries()) database.exec(values(at + 1, value))
  database.close()
  const { engine, connection } = await openAttacked(path)
  try {
    for (const [at, value] of all.entries()) {
      const fields = { id: at + 1 }
      const caller = { kind: 'user', id: 'eve', roles: ['user', 'staff'], fields } as const
      const user = senderOf(engine, caller)
      const expected = at < counts.length ? [{ id: at + 1 }] : []
      for (const name of ['organizations', 'projects', 'tasks', 'hours']) {
        const table = connection.tables.get(name)
        if (table === undefined) throw new Error(name)
        expect(await rowsOf(user, table, ['id']), `${name}, ${value}`).toEqual(expected)
      }
      // Nor does a row come to refer to what is not seen.
      const sql = 'insert into "main"."comments" (project_id, body) values ($1, $2) returning id'
      const rows = await user.send(sql, [at + 1, 'mine'])
      expect(rows?.length ?? 0, value).toBe(expected.length)
    }
  } finally {
    await engine.close()
  }
})

test('init writes tests of it, and says where a person has to decide', async () => {
  const database = new Database(path)
  database.exec(
    tables("status text not null default 'invited', expires_at timestamp, is_blocked boolean"),
  )
  database.exec(values(1, "'active', null, false"))
  database.exec(values(2, "'active', null, null"))
  database.close()
  const { code, stdout, stderr } = await program.run(['init', 'one', '--url', path, '--writes'])
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' })
  const folder = join(program.folder.path, 'one')
  const config = readFileSync(join(folder, 'engine.config.ts'), 'utf8')
  expect(config).toContain('A row of memberships says it by: status, expires_at, is_blocked.')
  const written = readFileSync(join(folder, 'engine.tests.ts'), 'utf8')
  for (const column of ['status', 'expires_at', 'is_blocked']) {
    expect(written).toContain(
      `a user whose row of memberships does not count, by its ${column}, sees no row of`,
    )
  }
  expect(stdout).not.toContain('FAIL')

  // Without the condition one of them fails.
  const loose = config.replaceAll(/is_blocked: false/g, 'is_blocked: { $in: [true, false] }')
  writeFileSync(join(folder, 'engine.config.ts'), loose)
  const tested = await program.run(['permissions', 'test', join(folder, 'engine.tests.ts')])
  expect(tested.code).toBe(1)
  expect(tested.stdout.match(/FAIL .*/g)).toEqual([expect.stringContaining('by its is_blocked')])
})

test('where nothing says which memberships count, the rules are comments', async () => {
  const database = new Database(path)
  database.exec(tables('status integer not null'))
  database.exec(values(1, '1'))
  database.close()
  const { code, stdout } = await program.run(['init', 'one', '--url', path, '--writes'])
  expect(code, stdout).toBe(0)
  const config = readFileSync(join(program.folder.path, 'one', 'engine.config.ts'), 'utf8')
  expect(config).toContain(
    '// Not granted: "status" of memberships may say that a person is invited, removed or expired. Add the condition.',
  )
  expect(config).toMatch(/\/\/ 'read projects': \{/)
  expect(config).toMatch(/\/\/ 'staff: projects': \{/)
  expect(config).toMatch(/^ {4}'own memberships': \{/m)
})
