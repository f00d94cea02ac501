/** The demo of `npm start`: a shop in SQLite, three roles, and a command that works as printed. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generate } from '@engine/codegen'
import type { SchemaDocument } from '@engine/contract'
import type { EngineStatus } from '@engine/contract/admin-api'
import type { Permission } from '@engine/core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createFolder, type TestFolder } from '../support/folder.ts'
import { inheritedEnvironment, type ServerProcess, startServer } from '../support/server-process.ts'
import { codeOf, refusal, rowsOf, withWire } from '../support/wire.ts'

// Starts programs, one after the other: the time limit only has to be long enough.
vi.setConfig({ testTimeout: 180_000 })

describe('the demo', () => {
  let folder: TestFolder
  let server: ServerProcess
  let url: string
  /** By role. */
  let tokens: Readonly<Record<string, string>>

  beforeAll(async () => {
    folder = createFolder()
    server = startServer(['--port', '0'], { cwd: folder.path })
    url = await server.ready()
    const found = server.stderr().matchAll(/^ {4}(\w+) +\w+@example\.com /gm)
    tokens = Object.fromEntries(
      Array.from(found, ([, role = '']) => [role, tokenOf(`${role}.token`)]),
    )
  })
  afterAll(async () => {
    server?.signal('SIGTERM')
    await server?.exit()
    folder?.remove()
  })

  const tokenOf = (file: string) => readFileSync(join(folder.path, '.engine', file), 'utf8')

  const ask = async (role: string, sql: string, params: readonly unknown[] = []) => {
    const response = await fetch(`${url}/data`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${tokens[role]}` },
      body: JSON.stringify({ sql, params, method: 'all' }),
    })
    const body = (await response.json()) as { rows: unknown[][] }
    return { status: response.status, rows: body.rows }
  }

  test('the demo names three accounts, whose tokens only this user may read', () => {
    expect(Object.keys(tokens)).toEqual(['manager', 'support', 'customer'])
    for (const name of ['customer.token', 'customer.headers']) {
      expect(statSync(join(folder.path, '.engine', name)).mode & 0o077).toBe(0)
    }
    expect(server.stderr()).not.toContain(tokens['customer'])
  })

  test('prints curl lines that work as printed, from the working directory', () => {
    const lines = server.stderr().match(/^ {5}curl .*$/gm) ?? []
    const counts = lines.map((line) => {
      const { status, stdout } = spawnSync('sh', ['-c', line], {
        cwd: folder.path,
        encoding: 'utf8',
      })
      expect(status).toBe(0)
      return Number((JSON.parse(stdout) as { rows: [[string]] }).rows[0][0])
    })
    expect(counts).toEqual([expect.any(Number), 1200])
    expect(counts[0]).toBeLessThan(100)
  })

  test('without a terminal: lines without colours, and one line of JSON on stdout', () => {
    expect(server.stderr()).not.toContain('\u001b')
    expect(server.stderr()).toMatch(/^ {2}Filling the demo shop\n {2}Opening the databases\n/m)
    expect(server.stderr()).toContain(
      '\n  The data and the rules of the demo begin anew at each start.\n',
    )
    expect(JSON.parse(server.stdout())).toMatchObject({ ready: true, http: url })
  })

  test('the demo answers a browser that asks for its address with a page of links', async () => {
    const page = await fetch(url, { headers: { accept: 'text/html' } })
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await page.text()).toContain('href="/health/ready"')
    expect(await (await fetch(url)).json()).toMatchObject({
      name: 'Engine',
      health: '/health/ready',
    })
  })

  test('prints how clients of PostgreSQL connect, with the password of an account', async () => {
    const line = /^ {2}psql +PGPASSWORD='(.+)' psql -h (\S+) -p (\d+) -U (\S+)$/m
    const [, password = '', host, port, user = ''] = line.exec(server.stderr()) ?? []
    const address = `${host}:${port}`
    expect((await server.readyLine()).pgWire).toBe(address)
    await withWire({ address, user, password }, async (client) => {
      expect(await rowsOf(client, 'select id from orders limit 3')).toHaveLength(3)
      expect((await ask('customer', 'select count(*)::int from main.orders')).rows).toEqual(
        await rowsOf(client, 'select count(*)::int from orders'),
      )
    })
    expect(await refusal({ address, user, password: `${password}!` })).toBe('28P01')
    const token = tokens['support'] ?? ''
    const salaries = await withWire({ address, password: token }, (client) =>
      rowsOf(client, 'select salary from employees').catch(codeOf),
    )
    expect(salaries).toBe('42501')
  })

  test('prints a link that signs an administrator in, where the pages are built', async () => {
    const [, token] = /\/admin\?tour=1#sign-in=([\w-]{43})$/m.exec(server.stderr()) ?? []
    expect(token !== undefined).toBe((await fetch(`${url}/admin`)).status === 200)
    const headers = { 'content-type': 'application/json', origin: url, 'x-engine-admin': 'page' }
    const body = JSON.stringify({ token: token ?? 'none' })
    const signIn = () => fetch(`${url}/admin/api/sign-in/link`, { method: 'POST', headers, body })
    expect((await signIn()).status).toBe(token === undefined ? 401 : 201)
    expect((await signIn()).status).toBe(401)
  })

  test('a changed rule holds at once, and a reset brings rules and rows back', async () => {
    const [, key] = /with the key (\S+)/.exec(server.stderr()) ?? []
    const admin = (method: string, path: string, body?: unknown) =>
      fetch(`${url}/admin/api${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${key}`,
          'Content-Type': 'application/json',
          'If-Match': '*',
        },
        body: body === undefined ? null : JSON.stringify(body),
      })
    const { demo } = (await (await admin('GET', '/status')).json()) as EngineStatus
    expect(demo?.accounts.map(({ role }) => role)).toEqual(['manager', 'support', 'customer'])

    const cost = 'select cost from products where id = 1'
    expect((await ask('customer', cost)).status).toBe(403)
    const path = '/config/permissions/everyone-reads-the-catalogue'
    const rule = (await (await admin('GET', path)).json()) as Permission
    const read = rule.select?.columns
    if (!Array.isArray(read)) throw new Error('the rule lists no columns')
    const wider = { ...rule, select: { ...rule.select, columns: [...read, 'cost'] } }
    expect((await admin('PUT', path, wider)).status).toBe(200)
    expect((await ask('customer', cost)).rows).toHaveLength(1)
    expect((await ask('manager', 'delete from order_items')).status).toBe(200)

    expect((await admin('POST', '/demo/reset')).status).toBe(200)
    expect((await ask('customer', cost)).status).toBe(403)
    expect((await ask('manager', 'select count(*)::int from orders')).rows).toEqual([[1200]])
    const items = 'select count(*)::int from order_items where order_id = 1'
    expect((await ask('manager', items)).rows[0]?.[0]).toBeGreaterThan(0)
    expect(
      (await ask('customer', 'select count(*)::int from orders')).rows[0]?.[0],
    ).toBeGreaterThan(0)
  })

  test('the same statement answers each role differently', async () => {
    const count = 'select count(*)::int from "main"."orders"'
    const [manager, support, customer] = await Promise.all(
      ['manager', 'support', 'customer'].map((role) => ask(role, count)),
    )
    expect(manager?.rows).toEqual([[1200]])
    expect(support?.rows).toEqual([[1200]])
    expect(customer?.rows[0]?.[0]).toBeGreaterThan(0)
    expect(customer?.rows[0]?.[0]).toBeLessThan(100)

    const customers = 'select count(*)::int from "main"."customers"'
    expect((await ask('support', customers)).rows).toEqual([[90]])
    expect((await ask('customer', customers)).rows).toEqual([[1]])

    const salaries = 'select "salary" from "main"."employees" where "id" = 1'
    expect((await ask('manager', salaries)).status).toBe(200)
    expect((await ask('support', salaries)).status).toBe(403)
    expect((await ask('customer', salaries)).status).toBe(403)
  })

  test('a second server in its folder is refused, whatever its ports, and changes nothing', async () => {
    const tokenBefore = tokenOf('manager.token')
    for (const port of ['0', new URL(url).port]) {
      const second = startServer(['--port', port, '--pg-wire-port', '0'], { cwd: folder.path })
      expect(await second.exit()).toBe(2)
      expect(second.stderr()).toContain(
        `Another server serves the demo of ${join(folder.path, '.engine')}, and its files are not shared.`,
      )
    }
    expect(tokenOf('manager.token')).toBe(tokenBefore)
    const count = 'select count(*)::int from "main"."orders"'
    expect(await ask('manager', count)).toEqual({ status: 200, rows: [[1200]] })
    const body = JSON.stringify({
      email: 'maria@example.com',
      password: 'correct horse battery',
    })
    const headers = { 'content-type': 'application/json' }
    const signIn = await fetch(`${url}/auth/sign-in`, { method: 'POST', headers, body })
    expect(signIn.status).toBe(200)
  })

  test('a server that was killed does not keep the next one from its folder', async () => {
    const own = createFolder()
    try {
      const killed = startServer(['--port', '0'], { cwd: own.path })
      await killed.ready()
      killed.signal('SIGKILL')
      await killed.exit()
      const next = startServer(['--port', '0'], { cwd: own.path })
      await next.ready()
      next.signal('SIGTERM')
      await next.exit()
    } finally {
      own.remove()
    }
  })

  test('roles change what they may: support moves open orders along, customers place their own', async () => {
    const ship = 'update "main"."orders" set "status" = $1 where "id" = $2 returning "status"'
    const open = `select "id" from "main"."orders" where "status" = 'new' order by "id" limit 1`
    const [[id] = []] = (await ask('manager', open)).rows
    expect(await ask('customer', ship, ['shipped', id])).toMatchObject({ status: 403 })
    expect(await ask('support', ship, ['lost', id])).toMatchObject({ status: 422 })
    expect(await ask('support', ship, ['shipped', id])).toEqual({
      status: 200,
      rows: [['shipped']],
    })
    const place =
      'insert into "main"."orders" ("notes") values ($1) returning "customer_id", "status"'
    expect(await ask('customer', place, ['gift'])).toEqual({ status: 200, rows: [[7, 'new']] })
  })

  const runProgram = (program: string, environment: NodeJS.ProcessEnv = {}) =>
    spawnSync(process.execPath, ['--conditions=@engine/source', program], {
      env: { ...inheritedEnvironment(), ENGINE_URL: url, ...environment },
      encoding: 'utf8',
    })

  test.each(['example-drizzle', 'example-kysely'])('apps/%s runs against it', (name) => {
    const program = fileURLToPath(new URL(`../../../${name}/src/index.ts`, import.meta.url))
    for (const environment of [{}, { ENGINE_TOKEN: tokens['manager'] }]) {
      const { status, stdout, stderr } = runProgram(program, environment)
      expect([status, stderr]).toEqual([0, ''])
      expect(stdout).toMatch(/^ {2}deleted: /m)
    }
  })

  test('the types of apps/example-kysely are those that engine-codegen makes of it', async () => {
    const file = new URL('../../../example-kysely/src/generated/database.ts', import.meta.url)
    const schema = (await (await fetch(`${url}/schema`)).json()) as SchemaDocument
    const made = generate(schema, { format: 'kysely', connections: ['main'] })
    expect(readFileSync(file, 'utf8')).toBe(made)
  })

  test('the first program of the README runs against it, with the schema that it tells', async () => {
    const readme = readFileSync(new URL('../../../../README.md', import.meta.url), 'utf8')
    const [, code = ''] = /```ts\n(\/\/ \S*first\.ts\n.*?)```/s.exec(readme) ?? []
    const schema = (await (await fetch(`${url}/schema`)).json()) as SchemaDocument
    // A folder where the example's packages are found, and which version control ignores.
    const dist = fileURLToPath(new URL('../../../example-drizzle/dist', import.meta.url))
    mkdirSync(dist, { recursive: true })
    const place = mkdtempSync(join(dist, 'first-'))
    try {
      writeFileSync(
        join(place, 'shop.ts'),
        generate(schema, { format: 'drizzle', connections: ['main'] }),
      )
      writeFileSync(join(place, 'first.ts'), code.replace('http://127.0.0.1:3001', url))
      const { status, stdout, stderr } = runProgram(join(place, 'first.ts'))
      expect([status, stderr]).toEqual([0, ''])
      expect(stdout).toContain("status: 'new'")
    } finally {
      rmSync(place, { recursive: true })
    }
  })
})
