/** `engine-server init` as a program: what it writes, keeps and refuses. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { decide } from '../../src/init/answers.ts'
import { createAsk } from '../../src/init/ask.ts'
import { readDatabase } from '../../src/init/read-database.ts'
import { createProgram, type Program } from '../support/program.ts'

// Starts programs, one after the other: the time limit only has to be long enough.
vi.setConfig({ testTimeout: 180_000 })

let program: Program

beforeEach(() => {
  program = createProgram()
})
afterEach(() => program.close())

const read = (name: string) => readFileSync(join(program.folder.path, name), 'utf8')

function createShop(name: string, tables: string): string {
  const path = join(program.folder.path, name)
  const database = new Database(path)
  database.exec(tables)
  database.close()
  return path
}

const tenants = `
  create table organizations (id integer primary key, name text not null);
  create table users (id integer primary key, email text not null unique, password_hash text);
  create table memberships (
    user_id integer not null references users (id),
    organization_id integer not null references organizations (id),
    primary key (user_id, organization_id)
  );
  create table projects (
    id integer primary key,
    organization_id integer not null references organizations (id),
    name text not null
  );
  create table tasks (
    id integer primary key,
    project_id integer not null references projects (id),
    author_id integer references users (id),
    api_token text
  );
  insert into organizations values (1, 'ours'), (2, 'theirs');
  insert into users values (1, 'ann@example.com', null), (2, 'bob@example.com', null);
  insert into memberships values (1, 1), (2, 2);
  insert into projects values (1, 1, 'our project'), (2, 2, 'their project');
  insert into tasks values (1, 1, 1, 'x'), (2, 2, 2, 'y');`

test('a folder gets a configuration whose tests pass; secrets are new and for this user alone', async () => {
  createShop('shop.sqlite3', tenants)
  const outcome = await program.run(['init', '--url', 'shop.sqlite3'])
  expect(outcome).toMatchObject({ code: 0, stderr: '' })
  expect(outcome.stdout).toMatch(/\n {2}0 faults, \d+ warnings?, \d+ ok\n/)
  expect(read('engine.config.ts')).toMatch(
    /main: `file:\$\{join\(import\.meta\.dirname, 'shop\.sqlite3'\)\}`,/,
  )
  expect(read('engine.config.ts')).toContain(
    "where: { organization: { memberships: { $some: { user_id: '$user.id' } } } },",
  )
  expect(read('.env')).toMatch(/^ENGINE_MASTER_KEY=[\w-]{43}\nENGINE_AUTH_SECRET=[\w-]{43}\n$/)
  expect(statSync(join(program.folder.path, '.env')).mode & 0o777).toBe(0o600)
  expect(read('.gitignore')).toBe('.env\nengine.db*\n')
  expect(JSON.parse(read('package.json'))).toMatchObject({
    type: 'module',
    scripts: { 'engine:test': 'engine-server permissions test engine.tests.ts' },
  })
  expect(await program.run(['permissions', 'test', 'engine.tests.ts'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /ok {4}users see their own rows of tasks only[\s\S]*\d+ passed, 0 fa/,
    ),
  })
  const caller = '{"roles":["staff"],"fields":{"id":1}}'
  const sql = 'select name from projects order by id'
  expect(await program.run(['simulate', '--as', caller, '--json', sql])).toMatchObject({
    stdout: expect.stringContaining('our project'),
  })
  const { stdout } = await program.run(['simulate', '--as', caller, '--json', sql])
  expect(stdout).not.toContain('their project')
})

const ownTenant = `
  create table tenants (id text primary key, name text not null);
  create table users (
    id integer primary key, tenant_id text not null references tenants (id), email text not null unique
  );
  create table orders (
    id integer primary key, tenant_id text not null references tenants (id),
    created_by integer references users (id), status text not null
  );
  create table items (order_id integer not null references orders (id), line integer not null, primary key (order_id, line));
  create table labels (id integer primary key, tenant_id text not null references tenants (id));
  create table notes (id integer primary key, user_id integer not null references users (id));`

const ownTenantRows = `
  insert into tenants values ('t-1', 'ours'), ('t-2', 'theirs');
  insert into users values (7, 't-1', 'ann@example.com'), (8, 't-1', 'bob@example.com'), (9, 't-2', 'cid@example.com');
  insert into orders values (1, 't-1', null, 'paid'), (2, 't-1', 7, 'paid'), (3, 't-1', 8, 'draft'), (4, 't-2', 9, 'paid');
  insert into items values (2, 1), (3, 1), (4, 1);
  insert into labels values (1, 't-1'), (2, 't-2');`

test('a condition that is removed or replaced makes the written tests fail', async () => {
  createShop('shop.db', ownTenant + ownTenantRows)
  expect(await program.run(['init', '--url', 'shop.db'])).toMatchObject({ code: 0, stderr: '' })
  const written = read('engine.config.ts')
  const failures = async () => {
    const { stdout } = await program.run(['permissions', 'test', 'engine.tests.ts', '--json'])
    const { tests } = JSON.parse(stdout) as {
      readonly tests: readonly { readonly name: string; readonly problems: readonly string[] }[]
    }
    return tests.filter(({ problems }) => problems.length > 0).map(({ name }) => name)
  }
  expect(await failures()).toEqual([])
  const both = "where: { tenant_id: '$user.tenant_id', created_by: '$user.id' }"
  const ofTenant = "where: { tenant_id: '$user.tenant_id' }"
  const changes: readonly (readonly [string, string, readonly string[]])[] = [
    [both, ofTenant, ['users see their own rows of orders only']],
    [
      both,
      "where: { created_by: '$user.id' }",
      ['user of another tenant does not see that row of orders'],
    ],
    [
      both,
      "where: { tenant_id: '$user.tenant_id', status: 'paid' }",
      ['another user does not see that row of orders'],
    ],
    [
      both,
      "where: { tenant_id: '$user.tenant_id', status: 'draft' }",
      ['users see their own rows of orders only'],
    ],
    [ofTenant, 'where: {}', ['staff sees rows of its tenant of orders only']],
  ]
  for (const [condition, changed, names] of changes) {
    expect(written).toContain(condition)
    program.folder.write('engine.config.ts', written.replaceAll(condition, changed))
    expect(await failures()).toEqual(expect.arrayContaining([...names]))
  }
})

test('init runs attempts to break in; each of them fails where a person grants it after all', async () => {
  const saas = new URL('attacked/saas.sql', import.meta.url)
  createShop('saas.db', readFileSync(saas, 'utf8').replaceAll('#key', 'integer primary key'))
  const outcome = await program.run(['init', '--url', 'saas.db', '--writes'])
  expect(outcome).toMatchObject({ code: 0, stderr: '' })
  expect(outcome.stdout).toMatch(/\nTests of the permissions\n {2}\d{2,} passed, 0 failed\n/)
  const written = read('engine.config.ts')
  const failures = async () => {
    const { stdout } = await program.run(['permissions', 'test', 'engine.tests.ts', '--json'])
    const { tests } = JSON.parse(stdout) as {
      readonly tests: readonly { readonly name: string; readonly problems: readonly string[] }[]
    }
    return tests.filter(({ problems }) => problems.length > 0).map(({ name }) => name)
  }
  const grants = (table: string, more: string) =>
    written.replace(`'own ${table}': {`, `'own ${table}': { ${more},`)
  const own = "preset: { user_id: '$user.id' }"
  const changes: readonly (readonly [string, string])[] = [
    [
      grants('memberships', `insert: { columns: ['organization_id'], ${own} }`),
      'a user joins no tenant by a row of memberships',
    ],
    [
      grants('user_settings', `insert: { columns: ['name', 'value'], ${own} }`),
      'a user adds no row to user_settings',
    ],
    [
      written.replace(
        "update: { columns: ['name'], where: { id:",
        "update: { columns: ['name', 'is_admin'], where: { id:",
      ),
      'a user does not set is_admin of users',
    ],
    [
      written
        .replaceAll(
          "organization: { memberships: { $some: { user_id: '$user.id' } } }",
          'organization_id: { $notNull: true }',
        )
        .replaceAll("owner_id: '$user.id',", 'owner_id: { $notNull: true },'),
      'a row of tasks does not move to projects of another user',
    ],
  ]
  for (const [text, name] of changes) {
    expect(text).not.toBe(written)
    program.folder.write('engine.config.ts', text)
    expect(await failures()).toContain(name)
  }
})

test('a view with an owner and a tenant is proposed with their conditions, not granted', async () => {
  const views = `
    create view totals as select tenant_id, status, count(*) n from orders group by 1, 2;
    create view own_orders as select id, tenant_id, created_by from orders;
    create view statuses as select distinct status from orders;`
  createShop('shop.db', ownTenant + views)
  expect(await program.run(['init', '--url', 'shop.db'])).toMatchObject({ code: 0, stderr: '' })
  const text = read('engine.config.ts')
    .replace(/\n *\/\/ */g, ' ')
    .replace(/,? ([}\]])/g, ' $1')
  expect(text).toContain('Every user would read the rows of their tenant: ')
  expect(text).toContain('Every user would read their own rows in their tenant: ')
  expect(text).toContain('Staff would read the rows of its tenant: ')
  const granted = (view: string, role: string) =>
    new RegExp(`table: 'main\\.${view}', roles: \\['${role}'\\], select: (.*?\\}) \\}`, 's').exec(
      text,
    )?.[1]
  expect(granted('totals', 'user')).toContain("where: { tenant_id: '$user.tenant_id' }")
  expect(granted('totals', 'staff')).toContain("where: { tenant_id: '$user.tenant_id' }")
  expect(granted('own_orders', 'user')).toContain(
    "where: { tenant_id: '$user.tenant_id', created_by: '$user.id' }",
  )
  expect(granted('statuses', 'staff')).not.toContain('where')
  expect(read('engine.config.ts')).not.toMatch(
    /^ {6}table: 'main\.(?:totals|own_orders|statuses)'/m,
  )
})

test('a test of a table without rows says that it proves nothing', async () => {
  createShop('shop.db', ownTenant + ownTenantRows)
  expect(await program.run(['init', '--url', 'shop.db'])).toMatchObject({ code: 0 })
  const name = /users see their own rows of (\w+) only \(proves nothing yet: no row was found\)/g
  expect([...read('engine.tests.ts').matchAll(name)].map(([, table]) => table)).toEqual(['notes'])
  createShop('empty.db', ownTenant)
  expect(await program.run(['init', 'empty', '--url', 'empty.db'])).toMatchObject({ code: 0 })
  expect(read('empty/engine.tests.ts')).toContain('passes whatever the permission')
  expect(await program.run(['permissions', 'test', 'empty/engine.tests.ts'])).toMatchObject({
    code: 0,
  })
})

test('where sign-up cannot fill a row, the commands that are named do', async () => {
  createShop('shop.db', ownTenant + ownTenantRows)
  const { stdout } = await program.run(['init', '--url', 'shop.db'])
  expect(stdout).toContain('users invite --email you@example.com --role staff')
  const text = read('engine.config.ts')
  expect(text).toContain('`engine-server users invite --role staff --email …`')
  expect(text).not.toContain('users create')
  const fields = /--fields '(.*)'/.exec(text)?.[1]?.replace('…', 't-1') ?? ''
  const url = await program.start(['--port', '0']).ready()
  const invite = ['users', 'invite', '--url', url, '--role', 'staff', '--email']
  expect(await program.run([...invite, 'ann@example.com'])).toMatchObject({ code: 0 })
  expect(await program.run([...invite, 'new@example.com', '--fields', fields])).toMatchObject({
    code: 0,
  })
  const create = ['users', 'create', '--url', url, '--email', 'bob@example.com']
  expect(await program.run(create)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^The server answers 409: .*needs a value for tenant_id.*invite/),
  })
})

test('an empty tenant of new accounts turns sign-up off', async () => {
  const nullable = ownTenant.replace(
    'tenant_id text not null references',
    'tenant_id text references',
  )
  createShop('shop.db', nullable)
  expect(await program.run(['init', '--url', 'shop.db'])).toMatchObject({ code: 0 })
  expect(read('engine.config.ts')).toContain(
    '// A sign-up leaves tenant_id empty: such an account would see nothing.',
  )
  expect(read('engine.config.ts')).toContain('signUp: { enabled: false }')
  createShop('many.db', tenants)
  expect(await program.run(['init', 'many', '--url', 'many.db'])).toMatchObject({ code: 0 })
  expect(read('many/engine.config.ts')).toContain(
    '// A new account sees nothing of a tenant before a row of memberships names it',
  )
  expect(read('many/engine.config.ts')).not.toContain('signUp:')
})

interface Answer {
  readonly mails: readonly { readonly text: string }[]
  readonly session: { readonly token: string }
}

test('a person who has a row is invited, and reads the rows that the guesses give', async () => {
  createShop('shop.db', tenants)
  expect(await program.run(['init', '--url', 'shop.db'])).toMatchObject({ code: 0 })
  const url = await program.start(['--port', '0']).ready()
  const invite = ['users', 'invite', '--url', url, '--email', 'ann@example.com']
  expect(await program.run(invite)).toMatchObject({ code: 0 })
  const masterKey = /^ENGINE_MASTER_KEY=(\S+)$/m.exec(read('.env'))?.[1]
  const ask = async (path: string, body?: object, token = masterKey) => {
    const response = await fetch(url + path, {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    })
    return [response.status, (await response.json()) as Answer] as const
  }
  let token: string | undefined
  await expect
    .poll(async () => {
      const [, { mails }] = await ask('/admin/api/outbox')
      token = /code:\n(\S+)/.exec(mails[0]?.text ?? '')?.[1]
      return token
    })
    .toBeDefined()
  const password = 'correct horse battery'
  const [status, { session }] = await ask('/auth/accept-invitation', { token, password })
  expect(status).toBe(200)
  const dataOf = (sql: string) => ask('/data', { sql, params: [], method: 'all' }, session.token)
  expect(await dataOf('select id, project_id, author_id from tasks')).toEqual([
    200,
    { rows: [[1, 1, 1]] },
  ])
  expect(await dataOf('select name from projects')).toEqual([200, { rows: [['our project']] }])
  expect(await dataOf('select api_token from tasks')).toMatchObject([403, {}])
  const again = await program.run(['users', 'invite', '--url', url, '--email', 'x@'])
  expect(again).toMatchObject({ code: 1, stderr: expect.stringMatching(/^The server answers 400/) })
  expect(again.stderr).not.toContain('    at ')
})

test('a folder of its own serves from everywhere', async () => {
  createShop('shop.db', tenants)
  expect(await program.run(['init', 'mine', '--url', 'shop.db'])).toMatchObject({ code: 0 })
  const config = ['--config', 'mine/engine.config.ts']
  const doctor = await program.run(['doctor', ...config])
  expect(doctor).toMatchObject({ code: 0, stdout: expect.stringMatching(/\n0 faults, /) })
  expect(existsSync(join(program.folder.path, 'engine.db'))).toBe(false)
  expect(await program.run(['permissions', 'test', 'mine/engine.tests.ts'])).toMatchObject({
    code: 0,
  })
})

test('nothing is replaced without --force, and secrets stay even then', async () => {
  createShop('shop.db', 'create table users (id text primary key, email text)')
  program.folder.write('engine.config.json', '{}')
  const refused = await program.run(['init', '--url', 'shop.db'])
  expect(refused).toMatchObject({
    code: 2,
    stdout: '',
    stderr: 'engine.config.json: there already; --force replaces it\n',
  })
  expect(() => read('.env')).toThrow('ENOENT')
  program.folder.write('.env', 'OTHER=1\nENGINE_MASTER_KEY=a master key that is there')
  expect(await program.run(['init', '--url', 'shop.db', '--force'])).toMatchObject({ code: 0 })
  expect(read('.env')).toMatch(
    /^OTHER=1\nENGINE_MASTER_KEY=a master key that is there\nENGINE_AUTH_SECRET=\S+\n$/,
  )
  expect(statSync(join(program.folder.path, '.env')).mode & 0o777).toBe(0o600)
  expect(await program.run(['init', '--url', 'shop.db'])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^engine\.config\.ts, engine\.schema\.ts, engine\.tests\.ts, /),
  })
})

test('a project that is there keeps its scripts; its files are modules in any case', async () => {
  createShop('shop.db', 'create table "it\'s "" odd" (id integer primary key, "a b" text)')
  program.folder.write('.env', 'DATABASE_URL=file:shop.db')
  program.folder.write(
    'package.json',
    '{\n    "name": "mine",\n    "scripts": { "engine": "mine" }\n}\n',
  )
  expect(await program.run(['init'])).toMatchObject({ code: 0, stderr: '' })
  const manifest = read('package.json')
  expect(manifest).toMatch(/^\{\n {4}"name": "mine",\n {4}"scripts"/)
  expect(JSON.parse(manifest).scripts).toMatchObject({
    engine: 'mine',
    'engine:test': 'engine-server permissions test engine.tests.mts',
  })
  expect(await program.run(['permissions', 'matrix'])).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringContaining('odd'),
  })
})

test('a folder that was made for nothing is removed', async () => {
  program.folder.write('kept/.keep', '')
  const { code, stderr } = await program.run(['init', 'kept/a/b', '--url', './none.db'])
  expect([code, stderr]).toEqual([2, `There is no file ${join(program.folder.path, 'none.db')}.\n`])
  expect(readdirSync(join(program.folder.path, 'kept'))).toEqual(['.keep'])
})

test.each([
  [['init'], /^Say which database: --url URL, or set DATABASE_URL/],
  [['init', '--url', 'none.db'], /^There is no file \/.*\/none\.db\.\n$/],
  [['init', '--url', 'shop'], /^There is no file \/.*\/shop\. \(A server is named by a URL: p/],
  [['init', '--url', 'postgres://app:hunter2@127.0.0.1:1/x'], /ECONNREFUSED 127\.0\.0\.1:1\n$/],
  [['init', '--url', 'redis://x'], /connections\.main: expects postgres:\/\/, mysql:\/\//],
  [['init', '--url', 'empty.db'], /^The database has no tables\.\n$/],
  [['init', '--url', 'shop.db', '--users', 'people'], /^--users people: there is no such table/],
  [['init', '--url', 'shop.db', '--tenant', 'x'], /^--tenant x: neither users nor memberships/],
])('%j says what is missing, and writes nothing', async (args, message) => {
  createShop('empty.db', '')
  createShop('shop.db', 'create table users (id text primary key, email text)')
  const { code, stdout, stderr } = await program.run(args)
  expect(code).not.toBe(0)
  expect(stdout).toBe('')
  expect(stderr).toMatch(message)
  expect(stderr).not.toContain('hunter2')
  expect(() => read('engine.config.ts')).toThrow('ENOENT')
})

test('a person at a terminal chooses with the keyboard', async () => {
  const path = createShop('shop.db', tenants)
  const { connection } = await readDatabase('main', path)
  const terminal = { input: new PassThrough(), output: new PassThrough() }
  const ask = await createAsk(terminal)
  let shown = ''
  const keys = [
    ['Which table has a row for each person', '\r'],
    ['Several organisations in one database', '\u001B[B\r'],
    ['May users add, change and delete', 'y'],
  ] as const
  let at = 0
  terminal.output.on('data', (text: Buffer) => {
    shown += text.toString()
    const [question, answer] = keys[at] ?? ['', '']
    if (question === '' || !shown.includes(question)) return
    at += 1
    shown = ''
    setImmediate(() => terminal.input.write(answer))
  })
  const given = { users: undefined, tenant: undefined, writes: undefined }
  const decisions = await decide(connection, given, ask)
  expect(decisions.users?.table.name).toBe('users')
  expect(decisions.tenancy).toBeUndefined()
  expect(decisions.writes).toBe(true)
})
