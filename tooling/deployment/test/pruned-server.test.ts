/** @module An installed server without the files that no program reads answers as with them: drivers, passwords, catalogs. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { createProject, projectEnvironment, publishLocally } from '@engine/check-packages'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { pruneDirectory } from '../src/prune-directory.ts'

// Builds and installs packages: the time limit only has to be long enough.
vi.setConfig({ testTimeout: 600_000 })

const config = {
  connections: {
    main: 'shop.db',
    files: { directory: 'exports' },
    other: { url: 'file:other.db', create: true },
  },
  service_db: 'service.db',
  auth: { secret: 'a secret of more than thirty-two characters' },
  pgWire: { port: 0, auth: { strategy: ['trust'] } },
  permissions: {
    products: { table: 'main.products', roles: ['anonymous', 'user'], select: {} },
    orders: { table: 'files.orders', roles: ['anonymous', 'user'], select: {} },
  },
}

test('databases, files, accounts and the wire protocol with its catalog', async () => {
  const registry = await publishLocally()
  onTestFinished(() => registry.stop())
  const { directory, remove } = await createProject(registry, ['@engine/server'])
  onTestFinished(remove)
  const machine = `${process.platform}-${process.arch}`
  expect(pruneDirectory(join(directory, 'node_modules'), machine)).toBeGreaterThan(10_000_000)

  const database = new DatabaseSync(join(directory, 'shop.db'))
  database.exec(
    "create table products (id integer primary key, name text); insert into products values (1, 'Tea')",
  )
  database.close()
  await mkdir(join(directory, 'exports'))
  await writeFile(join(directory, 'exports', 'orders.csv'), 'id,product\n7,1\n')
  await writeFile(join(directory, 'engine.config.json'), JSON.stringify(config))

  const server = spawn('engine-server', ['--port', '0'], {
    cwd: directory,
    env: projectEnvironment(directory),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(async () => {
    server.kill('SIGTERM')
    if (server.exitCode === null) await once(server, 'exit')
  })
  let log = ''
  server.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text
  })
  const [line] = (await once(createInterface(server.stdout), 'line')) as [string]
  const { http, pgWire } = JSON.parse(line) as { readonly http: string; readonly pgWire: string }

  const post = async (path: string, body: unknown, headers: object = {}): Promise<unknown> => {
    const options = { method: 'POST', body: JSON.stringify(body) }
    const sent = { 'Content-Type': 'application/json', ...headers }
    return (await fetch(`${http}${path}`, { ...options, headers: sent })).json()
  }
  const account = { email: 'ada@example.com', password: 'correct horse battery staple' }
  const signedUp = (await post('/auth/sign-up', account)) as { session: { token: string } }
  const authorization = { Authorization: `Bearer ${signedUp.session?.token}` }
  for (const [table, rows] of [
    ['main.products', [[1, 'Tea']]],
    ['files.orders', [[7, 1]]],
  ] as const) {
    const statement = { sql: `select * from ${table}`, params: [], method: 'all' }
    expect(await post('/data', statement, authorization), log).toMatchObject({ rows })
  }

  const client = new pg.Client({ connectionString: `postgres://anonymous@${pgWire}/main` })
  await client.connect()
  onTestFinished(() => client.end())
  // Only the embedded PostgreSQL can answer it.
  const sql = `select a.attname, format_type(a.atttypid, a.atttypmod) from pg_catalog.pg_attribute a
    join pg_catalog.pg_class c on c.oid = a.attrelid where c.relname = 'products' and a.attnum > 0 order by a.attnum`
  expect((await client.query({ text: sql, rowMode: 'array' })).rows).toEqual([
    ['id', 'integer'],
    ['name', 'text'],
  ])
  expect(log).not.toContain('not installed')
})
