/** Mistakes in a configuration, and what `doctor` says of each: where it is, and how to mend it. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describeEachMysql } from '@engine/test-databases/vitest'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { diagnose } from '../../src/doctor/diagnose.ts'
import { createFolder, type TestFolder } from '../support/folder.ts'

let folder: TestFolder

beforeAll(() => {
  folder = createFolder()
  const database = new Database(join(folder.path, 'shop.db'))
  database.exec(`
    create table customer (id integer primary key, email text, company text not null);
    create table invoice (
      id integer primary key, customer_id integer references customer (id), total numeric(10, 2)
    )`)
  database.close()
  folder.write('letter.db', 'a letter to somebody '.repeat(200))
  mkdirSync(join(folder.path, 'folder.db'))
})
afterAll(() => {
  vi.unstubAllEnvs()
  folder.remove()
})

/** Faults and warnings about one subject. */
async function findingsOf(name: string, text: string, about: string): Promise<readonly string[]> {
  const findings = await diagnose({
    path: folder.write(name, text),
    demo: () => Promise.reject(new Error('there is a file')),
    environment: process.env,
    nodeVersion: process.versions.node,
  })
  return findings
    .filter((finding) => finding.level !== 'ok' && finding.about === about)
    .map(({ level, message }) => `${level}: ${message}`)
}

const secret = 'Zr4Xc6Vb8Nm0Lk2Jh1Gf3Ds5Aq7Pw9Eo'
const connections = () => ({ chinook: join(folder.path, 'shop.db') })
const auth = {
  secret,
  userTable: { table: 'chinook.customer', columns: ['company'] },
  signUp: { enabled: false },
}
const invoices = { table: 'chinook.invoice', roles: ['user'] }
const reading = (select: unknown) => ({ permissions: { own: { ...invoices, select } } })
const where = (condition: object) => reading({ where: condition })
const connected = (chinook: unknown) => ({ connections: { chinook } })
const own = 'permissions.own'

const rows: readonly (readonly [mistake: string, config: object, about: string, says: string])[] = [
  [
    'a table',
    { permissions: { own: { ...invoices, table: 'chinook.invoices', select: {} } } },
    `${own}.table`,
    'fault: there is no table "chinook.invoices"; did you mean "chinook.invoice"?',
  ],
  [
    'a connection',
    { permissions: { own: { ...invoices, table: 'chinok.invoice', select: {} } } },
    `${own}.table`,
    'fault: there is no connection "chinok"; did you mean "chinook"?',
  ],
  [
    'a table without its connection',
    { permissions: { own: { ...invoices, table: 'invoice', select: {} } } },
    `${own}.table`,
    'fault: expects "<connection>.<table>"',
  ],
  [
    'a column in a list',
    reading({ columns: ['id', 'totel'] }),
    `${own}.select.columns[1]`,
    'fault: chinook.invoice has no column "totel"; did you mean "total"?',
  ],
  [
    'a column in a filter',
    where({ totel: 1 }),
    `${own}.select.where.totel`,
    'fault: chinook.invoice has no column or relation "totel"; did you mean "total"?',
  ],
  [
    'a relation',
    where({ customers: { company: 'x' } }),
    `${own}.select.where.customers`,
    'fault: chinook.invoice has no column or relation "customers"; did you mean "customer"?',
  ],
  ['an option', { pgwire: true }, 'pgwire', 'fault: unknown key; did you mean "pgWire"?'],
  [
    'an option within another',
    { limits: { maxRow: 1 } },
    'limits.maxRow',
    'fault: unknown key; did you mean "maxRows"?',
  ],
  ['an option of the server', { prot: 1 }, 'prot', 'fault: unknown key; did you mean "port"?'],
  [
    'an option in another place',
    { maxRows: 5 },
    'maxRows',
    'fault: unknown key; it belongs at "limits.maxRows"',
  ],
  [
    'snake case',
    { master_key: 'x' },
    'master_key',
    'fault: unknown key; did you mean "masterKey"?',
  ],
  [
    'an operator that is like none',
    where({ total: { $greater: 1 } }),
    `${own}.select.where.total.$greater`,
    'fault: unknown operator $greater; there are $eq, ',
  ],
  [
    'an operator',
    where({ total: { $gtt: 1 } }),
    `${own}.select.where.total.$gtt`,
    'fault: unknown operator $gtt; did you mean "$gt"?',
  ],
  [
    'an operator between conditions',
    where({ $any: [] }),
    `${own}.select.where.$any`,
    'fault: unknown operator $any; did you mean "$and"?',
  ],
  [
    'an operator without its $',
    where({ total: { gt: 1 } }),
    `${own}.select.where.total`,
    'fault: expects a value or operators such as { $gt: 1 }; "gt" is no operator; did you mean "$gt"?',
  ],
  [
    'a text for an integer',
    where({ id: 'abc' }),
    `${own}.select.where.id`,
    'fault: invalid input syntax for type integer: "abc"',
  ],
  ['true for an operation', reading(true), `${own}.select`, 'fault: expects an object: {} allows'],
  [
    'roles as a text',
    { permissions: { own: { ...invoices, roles: 'user', select: {} } } },
    `${own}.roles`,
    'fault: expects a non-empty list of texts',
  ],
  [
    'roles that inherit',
    { roles: { admin: { inherits: 'user' } } },
    'roles',
    'fault: unknown key; roles are the names in permissions and actions, and none inherits another',
  ],
  [
    'a role that resembles another',
    { permissions: { own: { ...invoices, roles: ['usr'], select: {} } } },
    `${own}.roles`,
    'warning: "usr" is the role of nothing else; did you mean "user"?',
  ],
  [
    'a field of the caller',
    where({ customer_id: '$user.compny' }),
    `${own}.select.where.customer_id`,
    'warning: no account has "$user.compny"; did you mean "company"?',
  ],
  [
    'a duration',
    { auth: { ...auth, session: { expiresIn: '1 day' } } },
    'auth.session.expiresIn',
    'fault: expects a duration such as "24h", "30d" or "90s"',
  ],
  [
    'a column of the user table',
    { auth: { ...auth, userTable: { table: 'chinook.customer', columns: ['compani'] } } },
    'auth.userTable.columns.0',
    'fault: there is no column "compani"; did you mean "company"?',
  ],
  [
    'the user table',
    { auth: { ...auth, userTable: { table: 'chinook.customers' } } },
    'auth.userTable.table',
    'fault: there is no table "customers"; did you mean "customer"?',
  ],
  [
    'a user table that sign-up cannot fill',
    { auth: { ...auth, signUp: { enabled: true } } },
    'auth.userTable.table',
    'company',
  ],
  [
    'a capital in the name of a connection',
    { connections: { Shop: 'shop.db' } },
    'connections.Shop',
    'fault: a name has lower-case letters, digits and _, and is not reserved; write "shop"',
  ],
  [
    'the default connection',
    { defaultConnection: 'chinok' },
    'defaultConnection',
    'fault: there is no connection "chinok"; did you mean "chinook"?',
  ],
  [
    'a scheme',
    connected('oracle://shop'),
    'connections.chinook',
    'fault: expects postgres://, mysql://, libsql://, file: or a path in .db or .sqlite',
  ],
  [
    'no scheme',
    connected('localhost/shop'),
    'connections.chinook',
    'fault: expects postgres://, mysql://, libsql://, file: or a path in .db or .sqlite',
  ],
  [
    'an empty master key',
    { masterKey: '' },
    'masterKey',
    'fault: is empty: expects 32 bytes or more that nobody can guess, such as `openssl rand -hex 32` prints; is its environment variable set, in .env for example?',
  ],
  [
    'an empty URL',
    connected(''),
    'connections.chinook.url',
    'fault: is empty: expects a URL or a path; is its environment variable set, in .env for example?',
  ],
  [
    'a # in a password',
    connected('postgres://app:pa#ss@localhost/shop'),
    'connections.chinook',
    'fault: has a "#" where a URL ends its host: in a user name or password write %23',
  ],
  [
    'a SQLite file',
    connected('none.db'),
    'connections.chinook',
    'fault: the database cannot be reached: there is no file /',
  ],
  [
    'a SQLite file that is something else',
    connected('letter.db'),
    'connections.chinook',
    'fault: the database cannot be reached: file is not a database: /',
  ],
  [
    'a SQLite file that is a directory',
    connected('folder.db'),
    'connections.chinook',
    'fault: the database cannot be reached: unable to open database file: /',
  ],
  [
    'a directory of CSV files',
    connected({ directory: './exports' }),
    'connections.chinook',
    'fault: the database cannot be reached: ENOENT: no such file or directory, ',
  ],
  [
    'a port',
    connected('postgres://app:x@127.0.0.1:1/shop'),
    'connections.chinook',
    'fault: the database cannot be reached: connect ECONNREFUSED 127.0.0.1:1',
  ],
  [
    'a table that is left out',
    { connections: { chinook: { url: 'shop.db', tables: { exclude: ['invoces'] } } } },
    'connections.chinook.tables.exclude[0]',
    'fault: there is no table "invoces"; did you mean "invoice"?',
  ],
  [
    'a table with relations',
    { connections: { chinook: { url: 'shop.db', relationships: { invoce: {} } } } },
    'connections.chinook.relationships.invoce',
    'fault: there is no table "invoce"; did you mean "invoice"?',
  ],
  [
    'a channel',
    { channels: [{ channel: 'chinok.news', roles: ['*'] }] },
    'channels.0.channel',
    'fault: there is no connection "chinok"; did you mean "chinook"?',
  ],
]

test.each(rows)('%s', async (_, config, about, says) => {
  const text = JSON.stringify({ connections: connections(), auth, ...config })
  const inFolder = text.replaceAll(/"(shop|letter|folder)\.db"/g, (_name, file) =>
    JSON.stringify(join(folder.path, `${file}.db`)),
  )
  const [message = '', ...others] = await findingsOf('mistake.json', inFolder, about)
  expect(message).toContain(says)
  expect(others).toEqual([])
})

describe('a file', () => {
  const of = async (name: string, text: string) =>
    (await findingsOf(name, text, 'configuration')).join().replaceAll(folder.path, '')

  test('a file that names variables which are not set', async () => {
    const text = JSON.stringify({ auth: { secret: `$\{NOPE_SECRET}` } })
    expect(await of('a.json', text)).toBe(
      'fault: /a.json names environment variables that are not set: NOPE_SECRET',
    )
  })

  test('in which a variable is undefined', async () => {
    const text = 'export default { connections: { main: process.env.NOPE_URL } }'
    expect(await findingsOf('b.mjs', text, 'connections.main')).toEqual([
      'fault: expects a URL, a path or an object { url } or { directory }: is its environment variable set?',
    ])
  })

  test.each([
    ['no JSON', '{ "port": 1,\n }', /not valid JSON: .*\(line 2 column 2\)$/],
    ['comments', '// mine\n{}', /\(JSON has no comments, and line 1 has one: engine\.config\.ts/],
    ['a comment', '{\n"a": "//", /* b */\n"c": 1}', /no comments, and line 2 has one/],
  ])('of %s', async (_, text, message) => {
    expect(await of('c.json', text)).toMatch(message)
  })

  test('of Windows is accepted', async () => {
    const text = `\uFEFF{\r\n"connections": ${JSON.stringify(connections())}\r\n}`
    expect(await findingsOf('d.json', text, 'configuration')).toEqual([])
  })

  test.each([
    ['e.mjs', 'export const config = {}', 'has no default export: write "export default'],
    ['f.ts', 'export const config = { connections: {} }', 'exports "config" and no default: write'],
    ['g.ts', 'export default async () => ({})', 'the configuration is a function: write'],
    ['h.ts', 'import "nope-nope"', "Cannot find package 'nope-nope'"],
  ])('of another shape: %s', async (name, text, message) => {
    expect(await of(name, text)).toContain(message)
  })
})

test('secrets are asked for in production, with advice', async () => {
  vi.stubEnv('NODE_ENV', 'production')
  const short = { connections: connections(), auth: { secret: 'secret' }, permissions: [] }
  const messages = await findingsOf('i.json', JSON.stringify(short), 'auth.secret')
  expect(messages.join('\n')).toContain('openssl rand -base64 32')
  vi.unstubAllEnvs()
})

describeEachMysql('a server', (server) => {
  test('a wrong password', async () => {
    const url = new URL(await server.createDatabase('mistakes'))
    url.password = 'wrong-password'
    const text = JSON.stringify({ connections: { main: url.href } })
    const messages = await findingsOf('j.json', text, 'connections.main')
    expect(messages.join('\n')).toContain('Access denied for user')
    expect(messages.join('\n')).not.toContain('wrong-password')
  })
})
