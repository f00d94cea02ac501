/** psql over three kinds of database at once: which connection a bare name means. */
import { createPgWireServer } from '@engine/pgwire'
import { describeEachMysql, describePostgres, type MysqlOfRun } from '@engine/test-databases/vitest'
import { runPsql } from '@engine/wire-clients'
import { describeClient } from '@engine/wire-clients/vitest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { masterKey } from '../support/accounts.ts'
import { mysqlOpener, openPostgres, openSqlite, type TestDatabase } from '../support/databases.ts'
import { openGateway, type TestGateway } from '../support/gateway.ts'
import { bearer, secret } from '../support/tokens.ts'

const every = (tests: (server: MysqlOfRun) => void) =>
  describeClient('psql', 'several connections in psql', () =>
    describePostgres('PostgreSQL and SQLite', () => describeEachMysql('and another', tests)),
  )

every((server) => {
  const databases: TestDatabase[] = []
  let gateway: TestGateway
  let address: string
  let reader: string

  beforeAll(async () => {
    const shop = await openPostgres(
      "create table invoice (id int primary key); insert into invoice values (1); create table note (place text primary key); insert into note values ('shop')",
    )
    const chinook = await mysqlOpener(server)(
      "create table album (id int primary key, title text); insert into album values (1, 'Big Ones'); create table note (place text primary key); insert into note values ('chinook')",
    )
    const lite = await openSqlite(
      "create table visit (id integer primary key); insert into visit values (7); create table note (place text primary key); insert into note values ('lite')",
    )
    databases.push(shop, chinook, lite)
    gateway = await openGateway(
      {
        connections: { shop: shop.url, chinook: chinook.url, lite: lite.url },
        service_db: ':memory:',
        masterKey,
        auth: { secret, roles: { claim: 'roles' } },
        permissions: [
          { table: 'chinook.album', roles: ['reader'], select: {} },
          { table: 'lite.note', roles: ['reader'], select: {} },
        ],
        pgWire: { port: 0, auth: { strategy: ['password', 'jwt', 'apiKey'] } },
      },
      { pgWire: createPgWireServer },
    )
    address = (await gateway.engine.startPgWire({ isDevelopment: true })).address
    const { authorization } = await bearer({ roles: ['reader'] })
    reader = authorization.slice('Bearer '.length)
  })
  afterAll(async () => {
    await gateway?.close()
    for (const database of databases) await database.remove()
  })

  const psql = async (script: string, database = 'anything', password: string = masterKey) => {
    const { hostname, port } = new URL(`postgres://${address}`)
    const server = { host: hostname, port: Number(port), server: 'engine' } as const
    const login = { user: 'ada@example.com', password, database }
    return runPsql({ ...server, ...login, kind: 'postgres' }, { script })
  }
  const output = async (...of: Parameters<typeof psql>) => {
    const { stdout, stderr } = await psql(...of)
    return stdout + stderr
  }

  test('any other database name means all of them, in the order of the configuration', async () => {
    expect(await output('show search_path')).toBe('shop, chinook, lite\n')
    expect(await output('\\dt')).toBe(
      [
        'chinook|album|table|pg_engine',
        'lite|visit|table|pg_engine',
        'shop|invoice|table|pg_engine',
        'shop|note|table|pg_engine',
        '',
      ].join('\n'),
    )
    expect(await output('\\d album')).toContain('title|text|')
    const bare = 'select id from invoice; select title from album; select id from visit;'
    expect(await output(bare)).toBe('1\nBig Ones\n7\n')
    expect(await output('select place from note')).toBe('shop\n')
  })

  test.each(['shop', 'chinook', 'lite'])('-d %s chooses the connection', async (database) => {
    expect(await output('show search_path', database)).toBe(`${database}\n`)
    expect(await output('select place from note', database)).toBe(`${database}\n`)
    const tables = await output('\\dt', database)
    expect(tables.match(/^\w+(?=\|)/gm)).toEqual([database, database])
    expect(await output('select current_database()', database)).toBe(`${database}\n`)
  })

  test('a statement over two of them says so', async () => {
    const { stderr } = await psql('select 1 from album, invoice')
    expect(stderr).toContain('ERROR:  a statement can use the tables of one database only')
    expect(stderr).toContain('"chinook" and "shop"')
    const hidden = await psql('select 1 from album, invoice', 'anything', reader)
    const missing = await psql('select 1 from album, invoices', 'anything', reader)
    const words = ({ stderr }: { readonly stderr: string }) => stderr.split('\n')[0]
    expect(words(hidden)).toBe('ERROR:  relation "invoice" does not exist')
    expect(words(missing)).toBe('ERROR:  relation "invoices" does not exist')
  })

  test('\\c goes to another connection, qualified names reach all of them', async () => {
    const script = '\\c lite\nselect place from note; select place from chinook.note;'
    expect((await psql(script, 'shop')).stdout).toContain('lite\nchinook\n')
  })

  test('a role finds the connections where it may do something', async () => {
    expect(await output('show search_path', 'anything', reader)).toBe('chinook, lite\n')
    expect(await output('\\dt', 'anything', reader)).toBe(
      'chinook|album|table|pg_engine\nlite|note|table|pg_engine\n',
    )
    expect(await output('select place from note', 'anything', reader)).toBe('lite\n')
    // As any other name: it does not show that there is such a connection.
    expect(await output('show search_path', 'shop', reader)).toBe('chinook, lite\n')
  })

  test('a wrong password is called a wrong password, whether there is such an account or not', async () => {
    const { stderr, status } = await psql('select 1', 'shop', 'wrong password')
    expect(status).toBe(2)
    expect(stderr).toContain('FATAL:  password authentication failed for user "ada@example.com"')
    expect(stderr).toContain('HINT:  The e-mail address or the password is wrong.\n')
    expect(stderr).not.toContain('token')
    const token = await psql('select 1', 'shop', `${reader}x`)
    expect(token.stderr).toMatch(/HINT: {2}.*token/)
  })
})
