import { type Caller, type Config, createEngine, type Engine } from '@engine/core'
import { GatewayError } from '@engine/core/adapter'
import { expect, onTestFinished, test } from 'vitest'
import { connect } from '../src/index.ts'
import { createDatabase } from './open-adapter.ts'

const setup = `
  create table users (Id integer primary key, Email text, name text collate nocase, "deleted at" timestamp, n int default 5, tenant int, secret text);
  create unique index by_email on users (lower(Email) /* ), */ desc) -- where (
  ;
  create unique index by_name on users (name, n) where "deleted at" is null;
  create unique index "by (n, x)" on users ((n + 1), Email collate nocase asc) where n > 100 and n <> 7;
  insert into users (Id, Email, name, n, tenant) values (1, 'Ada@x', 'ada', 1, 1), (2, 'Eve@x', 'eve', 200, 2);`

const columns = ['Id', 'Email', 'name', 'deleted at', 'n', 'tenant']
const permissions = {
  all: { table: 'main.users', roles: ['all'], select: {}, insert: {}, update: {} },
  member: {
    table: 'main.users',
    roles: ['member'],
    select: { columns, where: { tenant: '$user.tenant' } },
    insert: { columns, check: { tenant: '$user.tenant' } },
    update: { columns: ['name', 'n'], where: { tenant: '$user.tenant' } },
  },
} satisfies Config['permissions']

async function open(): Promise<Engine> {
  const engine = await createEngine(
    {
      connections: { main: { url: createDatabase(setup) } },
      permissions,
    },
    { adapters: { '@engine/adapters-sqlite': connect } },
  )
  onTestFinished(() => engine.close())
  return engine
}

async function run(engine: Engine, sql: string, role = 'all'): Promise<unknown> {
  const caller: Caller = { kind: 'user', id: 'u', roles: [role], fields: { tenant: 1 } }
  const request = { sql, params: [], method: 'all', meta: false, signal: undefined } as const
  const { body } = await engine.query(request, caller)
  const text = typeof body === 'string' ? body : Buffer.from(body).toString()
  return JSON.parse(text).rows
}

async function sqlStateOf(work: Promise<unknown>): Promise<string | undefined> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return error instanceof GatewayError ? error.sqlState : undefined
}

test('expressions, conditions and both find the row that has the key', async () => {
  const engine = await open()
  const upsert = async (cells: string, target: string, set = 'set n = 50') =>
    run(
      engine,
      `insert into main.users ("Email", name, n) values (${cells}) on conflict ${target} do update ${set} returning "Id", n`,
    )
  expect(await upsert(`'ADA@X', 'x', 1`, '(lower("Email"))')).toEqual([[1, 50]])
  expect(await upsert(`'n@x', 'ADA', 50`, '(n, name) where "deleted at" is null')).toEqual([
    [1, 50],
  ])
  const both = `("Email" collate nocase, (n + 1)) where n <> 7 and n > 100 and name is not null`
  expect(await upsert(`'EVE@x', 'z', 200`, both, "set name = 'z'")).toEqual([[2, 200]])
  expect(await upsert(`'new@x', 'z', 300`, both, "set name = 'z'")).toEqual([[3, 300]])
})

test('rows of one statement must not have the same key', async () => {
  const engine = await open()
  const upsert = (rows: string, target = '(lower("Email"))') =>
    sqlStateOf(
      run(
        engine,
        `insert into main.users ("Email", name) ${rows} on conflict ${target} do update set n = 3`,
      ),
    )
  expect(await upsert(`values ('a@x', 'p'), ('A@X', 'q')`)).toBe('21000')
  expect(await upsert(`select "Email", 'r' from main.users union all values ('ADA@x', 's')`)).toBe(
    '21000',
  )
  expect(await upsert(`values ('b@x', 'p'), ('c@X', 'q')`)).toBeUndefined()
  // The same name, and the same default of n.
  const partial = '(name, n) where "deleted at" is null'
  expect(await upsert(`values ('d@x', 'v'), ('e@x', 'V')`, partial)).toBe('21000')
})

test('a target that no index has is refused', async () => {
  const engine = await open()
  const target = (text: string) =>
    sqlStateOf(
      run(engine, `insert into main.users (name) values ('x') on conflict ${text} do nothing`),
    )
  expect(await target('(upper("Email"))')).toBe('42P10')
  expect(await target('(name, n)')).toBe('42P10')
  expect(await target('(name, n) where "deleted at" is not null')).toBe('42P10')
  expect(await target('(lower("Email") collate nocase)')).toBe('42P10')
})

test('rows of others are neither changed nor shown, and hidden columns are no target', async () => {
  const engine = await open()
  const insert = `insert into main.users ("Email", name, n, tenant) values ('EVE@x', 'mine', 200, 1) on conflict`
  for (const target of ['(lower("Email"))', '((n + 1), "Email") where n > 100 and n <> 7']) {
    expect(await run(engine, `${insert} ${target} do nothing returning "Id"`, 'member')).toEqual([])
  }
  const update = `${insert} (lower("Email")) do update set name = 'mine' returning "Id"`
  expect(await run(engine, update, 'member')).toEqual([])
  expect(await run(engine, 'select name from main.users where "Id" = 2')).toEqual([['eve']])
  for (const name of ['secret', 'nosuch']) {
    expect(await sqlStateOf(run(engine, `${insert} (lower(${name})) do nothing`, 'member'))).toBe(
      '42501',
    )
  }
})
