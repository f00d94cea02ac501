/** `engine-server doctor`: its findings, its exit codes, and that it prints no secret. */
import { once } from 'node:events'
import { chmodSync, existsSync, readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createStoreAdmin } from '@engine/auth'
import { silentLog } from '@engine/core'
import { openStore } from '@engine/core/store'
import { createDatabase, describeEachMysql, describePostgres } from '@engine/test-databases/vitest'
import { startMailServer } from '@engine/test-mail-server'
import { serviceDatabases } from '@engine/test-stores'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createProgram, type Program } from '../support/program.ts'

// Starts programs, one after the other: the time limit only has to be long enough.
vi.setConfig({ testTimeout: 180_000 })

let program: Program

beforeEach(() => {
  program = createProgram()
})
afterEach(() => program.close())

interface Report {
  readonly ok: boolean
  readonly findings: readonly {
    readonly level: string
    readonly about: string
    readonly message: string
  }[]
}

const strong = {
  MASTER_KEY: 'hV8u2Kz0Qm4sT6xW1yB3nC5pE7rG9jLd',
  AUTH_SECRET: 'Zr4Xc6Vb8Nm0Lk2Jh1Gf3Ds5Aq7Pw9Eo',
}
/** A variable in a JSON file. */
const variable = (name: string): string => `\${${name}}`
const sound = {
  port: 0,
  masterKey: variable('MASTER_KEY'),
  auth: { secret: variable('AUTH_SECRET') },
  connections: { main: { url: 'shop.db', create: true } },
}

async function examine(
  config: object,
  env: Readonly<Record<string, string>> = {},
): Promise<Report & { readonly code: number | null; readonly output: string }> {
  program.folder.write('engine.config.json', JSON.stringify(config))
  const { code, stdout, stderr } = await program.run(['doctor', '--json'], { ...strong, ...env })
  return { ...(JSON.parse(stdout) as Report), code, output: stdout + stderr }
}

const found = (report: Report, about: string) =>
  report.findings.filter((finding) => finding.about === about)

test('which file .env sets what is listed, without values', async () => {
  program.folder.write('.env', 'KEY=of the folder\nONLY=of the folder\nMASTER_KEY=ignored\n')
  program.folder.write('app/.env', 'KEY=beside\n')
  program.folder.write('app/engine.config.json', JSON.stringify(sound))
  const args = ['doctor', '--json', '--config', 'app/engine.config.json']
  const { stdout } = await program.run(args, strong)
  const messages = found(JSON.parse(stdout) as Report, '.env').map(({ message }) => message)
  expect(messages).toEqual([
    expect.stringMatching(
      /\/\.env sets ONLY; the environment, or a \.env nearer to the configuration, sets KEY, MASTER_KEY$/,
    ),
    expect.stringMatching(/\/app\/\.env sets KEY$/),
  ])
})

test('a sound configuration is well: exit 0, and nothing was made', async () => {
  const report = await examine(sound, { NODE_ENV: 'production' })
  expect(report.code).toBe(0)
  expect(report.ok).toBe(true)
  expect(found(report, 'NODE_ENV')).toMatchObject([{ level: 'ok' }])
  expect(found(report, 'connections.main')).toMatchObject([
    { message: 'is made at the first start' },
  ])
  expect(readdirSync(program.folder.path)).toEqual(['engine.config.json'])
})

test('faults are named by their path, for people and for scripts: exit 1', async () => {
  const report = await examine({ ...sound, limits: { maxRow: 1 }, prot: 1 })
  expect(report.code).toBe(1)
  expect(report.ok).toBe(false)
  expect(found(report, 'limits.maxRow')).toMatchObject([{ level: 'fault' }])
  const { code, stdout } = await program.run(['doctor'], strong)
  expect(code).toBe(1)
  expect(stdout).toMatch(/^FAULT {4}limits\.maxRow +unknown key/m)
  expect(stdout).toMatch(/2 faults, \d+ warnings?, \d+ ok\n$/)
})

test('weak secrets, secrets in the file and files for everyone are noticed, and not printed', async () => {
  const masterKey = 'abcabcabcabcabcabcabcabcabcabcabcabc'
  const secret = 'please-change-me-before-production-use!'
  const path = program.folder.write('engine.config.json', '{}')
  chmodSync(path, 0o644)
  const report = await examine({ ...sound, masterKey, auth: { secret } })
  expect(found(report, 'masterKey')).toMatchObject([
    { level: 'fault', message: expect.stringContaining('can be guessed') },
    { level: 'warning', message: expect.stringContaining('stands in the configuration file') },
  ])
  expect(found(report, 'auth.secret')).toMatchObject([{ level: 'warning' }, { level: 'warning' }])
  expect(found(report, 'configuration').at(-1)).toMatchObject({
    level: 'warning',
    message: expect.stringContaining('mode 644'),
  })
  for (const text of [masterKey, secret]) expect(report.output).not.toContain(text)
})

test('what production does not start with is a fault there, and a warning before', async () => {
  const config = { ...sound, masterKey: 'Zk3v9QpT7xWm2LrB', auth: {} }
  const of = async (mode: string) => {
    const report = await examine(config, { ...strong, NODE_ENV: mode })
    return ['masterKey', 'auth.secret'].map((path) =>
      found(report, path).filter(({ message }) => message.includes('32 bytes')),
    )
  }
  const key = { message: expect.stringMatching(/expects at least 32 bytes$/) }
  const secret = { message: expect.stringMatching(/a secret of at least 32 bytes is needed$/) }
  expect(await of('production')).toMatchObject([
    [{ level: 'fault', ...key }],
    [{ level: 'fault', ...secret }],
  ])
  expect(await of('development')).toMatchObject([
    [{ level: 'warning', ...key }],
    [{ level: 'warning', ...secret }],
  ])
})

test('one secret for two purposes is noticed', async () => {
  const report = await examine({ ...sound, auth: { secret: variable('MASTER_KEY') } })
  expect(found(report, 'masterKey')).toMatchObject([
    { level: 'warning', message: expect.stringContaining('the same as auth.secret') },
  ])
})

test('an unavailable database is a fault; its password is not printed', async () => {
  const away = 'postgres://app:hunter2-hunter2@127.0.0.1:1/none'
  const report = await examine({ ...sound, connections: { ...sound.connections, away } })
  expect(report.code).toBe(1)
  expect(found(report, 'connections.away')).toMatchObject([{ level: 'fault' }])
  expect(report.output).not.toContain('hunter2')
})

test('open mode and writes for everyone are warned of', async () => {
  const { auth: _, ...open } = sound
  expect(found(await examine(open), 'permissions')).toMatchObject([
    { level: 'warning', message: expect.stringContaining('OPEN MODE') },
  ])
  const database = join(program.folder.path, 'shop.db')
  const shop = new Database(database)
  shop.exec(
    'create table items (id integer primary key); create table notes (id integer primary key)',
  )
  shop.close()
  expect(existsSync(database)).toBe(true)
  const permissions = {
    everyone: { table: 'main.items', roles: ['*'], select: {}, insert: {}, delete: {} },
  }
  const report = await examine({ ...sound, permissions })
  expect(found(report, 'permissions.everyone')).toMatchObject([
    { message: 'every authenticated caller may insert, delete in main.items' },
  ])
  expect(found(report, 'connections.main')).toContainEqual(
    expect.objectContaining({ level: 'warning', message: expect.stringContaining('notes') }),
  )
})

test('types that stored rows decide are named', async () => {
  const path = join(program.folder.path, 'shop.db')
  const database = new Database(path)
  database.exec(
    `create table orders (id integer primary key, total integer); insert into orders values (1, ${2n ** 40n})`,
  )
  database.close()
  const permissions = {
    own: { table: 'main.orders', roles: ['user'], select: { where: { id: 1 } } },
  }
  const typesOf = async (more: object) => {
    const report = await examine({
      ...sound,
      permissions,
      connections: { main: { url: path, ...more } },
    })
    return found(report, 'connections.main').filter(({ message }) =>
      message.includes('stored rows'),
    )
  }
  const [finding, ...others] = await typesOf({})
  expect(others).toEqual([])
  expect(finding?.level).toBe('warning')
  expect(finding?.message).toContain('decide the type of orders.total (bigint), also rows')
  expect(await typesOf({ types: 'declared' })).toEqual([])
  expect(await typesOf({ columnTypes: { orders: { total: 'bigint' } } })).toEqual([])
})

test('a port in use is noticed', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as { readonly port: number }
  const report = await examine({ ...sound, port })
  taken.close()
  expect(found(report, 'port')).toMatchObject([{ level: 'warning' }])
})

test('the mail server is asked; nothing is sent', async () => {
  const server = await startMailServer()
  const mailing = (smtp: string) => ({ ...sound, auth: { ...sound.auth, email: { smtp } } })
  const good = await examine(mailing(server.url))
  await server.close()
  expect(found(good, 'auth.email')).toMatchObject([{ level: 'ok' }])
  for (const page of ['reset', 'verify', 'invite']) {
    expect(found(good, `auth.urls.${page}`)).toMatchObject([{ level: 'warning' }])
  }
  const bad = await examine(mailing('smtp://mailer:mail-password-9@127.0.0.1:1'))
  expect(found(bad, 'auth.email')).toMatchObject([{ level: 'fault' }])
  expect(bad.output).not.toContain('mail-password-9')
})

test('triggers that are missing in service_db are named', async () => {
  const url = join(program.folder.path, 'service.db')
  const store = await openStore({ url, serviceDatabases })
  await createStoreAdmin({ store, log: silentLog, clock: Date.now })
  await store.close()
  const triggered = async () =>
    found(await examine({ ...sound, service_db: url }), 'service_db').filter(
      ({ level, message }) => level === 'warning' && message.includes('by hand'),
    )
  expect(await triggered()).toEqual([])
  const database = new Database(url)
  const names = database
    .prepare("select name from sqlite_schema where type = 'trigger' and tbl_name = 'engine_users'")
    .pluck()
    .all()
  expect(names).toHaveLength(3)
  for (const name of names) database.exec(`drop trigger "${name}"`)
  database.close()
  expect(await triggered()).toMatchObject([{ message: expect.stringContaining('engine_users') }])
})

describePostgres('PostgreSQL', () => {
  test('version, rights, latency and clock are reported; so is the content of service_db', async () => {
    const url = await createDatabase('doctor')
    const report = await examine({ ...sound, connections: { main: url }, service_db: url })
    for (const about of ['connections.main', 'service_db']) {
      const messages = found(report, about).map(({ message }) => message)
      expect(messages).toContainEqual(expect.stringMatching(/^PostgreSQL \d+.*, as /))
      expect(messages).toContainEqual(expect.stringMatching(/^[\d.]+ ms away$/))
      expect(messages).toContain('its clock agrees with this machine')
    }
    expect(found(report, 'service_db').at(-1)?.message).toContain('has no tables yet')
  })
})

describeEachMysql('a server', ({ name, createDatabase: create }) => {
  test('version, latency and clock are reported', async () => {
    const url = await create('doctor')
    const report = await examine({ ...sound, connections: { main: url } })
    const messages = found(report, 'connections.main').map(({ message }) => message)
    expect(messages).toContainEqual(expect.stringMatching(new RegExp(`^${name} .*, as `)))
    expect(messages).toContain('its clock agrees with this machine')
  })
})

test('an unreachable server is reported with the reason, and without secrets', async () => {
  // No server listens there.
  const at = '127.0.0.1:1'
  const report = await examine({
    ...sound,
    connections: { main: `postgres://shop:pa55w0rd@${at}/shop`, files: { directory: 'nowhere' } },
    auth: { ...sound.auth, issuers: [{ issuer: 'login', jwksUri: `http://${at}/keys` }] },
    limits: { rateLimitPerIP: 5, rateLimitStore: `redis://:pa55w0rd@${at}` },
  })
  expect(report.code).toBe(1)
  const faults = report.findings.filter(({ level }) => level === 'fault')
  expect(Object.fromEntries(faults.map(({ about, message }) => [about, message]))).toEqual({
    'connections.main': `the database cannot be reached: connect ECONNREFUSED ${at}`,
    'connections.files': expect.stringMatching(
      /^the database cannot be reached: ENOENT: .*nowhere/,
    ),
    'auth.issuers.0.jwksUri': expect.stringMatching(/^its keys cannot be had: /),
    'limits.rateLimitStore': expect.stringMatching(/^cannot be reached: /),
  })
  expect(report.output).not.toContain('pa55w0rd')
})

test('rules for tokens that are not verified cause warnings', async () => {
  const { auth: _, ...open } = sound
  const report = await examine({ ...open, jwt: { issuer: 'https://login.example.com' } })
  expect(found(report, 'jwt')).toMatchObject([{ level: 'warning' }])
})

test('a user table whose rows sign-up cannot make is a fault, for doctor and at start', async () => {
  const shop = new Database(join(program.folder.path, 'shop.db'))
  shop.exec('create table customers (id integer primary key, email text, plan text not null)')
  shop.close()
  const auth = { ...sound.auth, userTable: { table: 'main.customers' } }
  const message = /^sign-up cannot make rows: plan need/
  const report = await examine({ ...sound, auth })
  expect(found(report, 'auth.userTable.table')).toMatchObject([
    { level: 'fault', message: expect.stringMatching(message) },
  ])
  const { code, stderr } = await program.run([], strong)
  expect(code).toBe(2)
  expect(stderr).toContain('auth.userTable.table: sign-up cannot make rows: plan')
  const closed = await examine({ ...sound, auth: { ...auth, signUp: { enabled: false } } })
  expect(found(closed, 'auth.userTable.table')).toEqual([])
})

test('silent mistakes are reported by doctor and at start', async () => {
  const shop = new Database(join(program.folder.path, 'shop.db'))
  shop.exec(
    'create table customers (id integer primary key, email text, plan text, company integer)',
  )
  shop.close()
  const userTable = {
    table: 'main.customers',
    matchOn: { column: 'id', jwtField: 'username' },
    columns: ['company'],
  }
  const config = {
    port: 0,
    connections: { main: 'shop.db', away: 'missing.db', files: { directory: '.' } },
    auth: { secret: variable('AUTH_SECRET'), userTable },
    jwt: { issuer: 'https://login.test' },
    permissions: {
      own: {
        table: 'main.customers',
        roles: ['user', 'anonymous'],
        select: { where: { company: '$user.compny' } },
      },
    },
  }
  const report = await examine(config)
  const warnings = new Map(
    report.findings
      .filter(({ level }) => level === 'warning')
      .map(({ about, message }) => [about, message]),
  )
  const expected = [
    ['permissions.own.select.where.company', /"\$user\.compny"; did you mean "company"\?/],
    ['permissions.own.roles', /no caller has the role "anonymous"/],
    ['auth.userTable.matchOn.jwtField', /have no "username"/],
    ['jwt.issuer', /without auth\.issuers/],
  ] as const
  for (const [about, message] of expected) expect(warnings.get(about)).toMatch(message)
  expect(found(report, 'connections.away')).toMatchObject([
    {
      level: 'fault',
      message: expect.stringMatching(/there is no file .*missing\.db.*"create": true/),
    },
  ])
  expect(found(report, 'connections.files')).toContainEqual(
    expect.objectContaining({ message: expect.stringContaining('read-only: "writable": true') }),
  )
  const server = program.start([], strong)
  await server.ready()
  for (const [about] of expected) expect(server.stderr()).toContain(`"path":"${about}"`)
  const away = server.stderr().match(/there is no file [^"]*missing\.db/g)
  expect(away).toHaveLength(2) // the cause, and the sentence that begins with it
})

test('a write that no caller can do is a fault', async () => {
  const database = new Database(join(program.folder.path, 'shop.db'))
  database.exec(`
    create table notes (
      id integer primary key, author text not null, created_at timestamp not null, body text, lang text not null default 'en'
    )`)
  database.close()
  const granted = (writes: object) =>
    examine({
      ...sound,
      permissions: { own: { table: 'main.notes', roles: ['user'], select: {}, ...writes } },
    })
  const author = { author: '$user.id' }
  const lacking = await granted({
    insert: { columns: ['body'], preset: author },
    update: { columns: [], where: author },
  })
  expect(lacking.code).toBe(1)
  expect([
    ...found(lacking, 'permissions.own.insert'),
    ...found(lacking, 'permissions.own.update'),
  ]).toEqual([
    {
      level: 'fault',
      about: 'permissions.own.insert',
      message:
        'no caller can insert: a row needs a value for "created_at", which is neither in columns nor in preset',
    },
    {
      level: 'fault',
      about: 'permissions.own.update',
      message: 'no caller can update: columns is empty',
    },
  ])
  const preset = { ...author, created_at: { $now: '0s' } }
  const whole = await granted({
    insert: { columns: ['body'], preset },
    update: { columns: ['body'], where: author },
  })
  expect(whole.findings.filter(({ level }) => level === 'fault')).toEqual([])
})
