/** @module Users who install a package get everything that it needs, and nothing else. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  checkTypes,
  createProject,
  type Project,
  projectEnvironment,
  publishablePackages,
  publishLocally,
  type Registry,
  runFile,
  runInProject,
} from '../src/index.ts'

// Installs, builds and starts other programs: the time limit only has to be long enough.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 300_000 })

const programs = fileURLToPath(new URL('programs', import.meta.url))
const packages = publishablePackages()
let registry: Registry

beforeAll(async () => {
  registry = await publishLocally()
})
afterAll(() => registry?.stop())

async function install(...names: readonly string[]): Promise<Project> {
  const project = await createProject(registry, names)
  onTestFinished(project.remove)
  return project
}

/** Drivers, servers and native code: installed only for users who request them. */
const heavy = [
  'better-sqlite3',
  'libsql',
  '@libsql/client',
  'mysql2',
  'pg',
  '@redis/client',
  'hono',
  '@hono/node-server',
  '@node-rs/argon2',
  '@node-rs/bcrypt',
  'nodemailer',
  'prom-client',
  'pino',
  'drizzle-orm',
]

const forHttp = ['@hono/node-server', '@node-rs/argon2', 'hono', 'nodemailer', 'prom-client']

test.each([
  { name: '@engine/contract', brings: [] },
  { name: '@engine/core', brings: [] },
  { name: '@engine/client', brings: [] },
  { name: '@engine/codegen', brings: [] },
  { name: '@engine/admin', brings: [] },
  { name: '@engine/create', brings: [] },
  { name: '@engine/adapters-postgres', brings: ['pg'] },
  { name: '@engine/adapters-mysql', brings: ['mysql2'] },
  { name: '@engine/adapters-sqlite', brings: ['better-sqlite3'] },
  { name: '@engine/adapters-csv', brings: ['better-sqlite3'] },
  // It uses SQLite's dialect, which is in the same package as SQLite's driver.
  { name: '@engine/adapters-libsql', brings: ['@libsql/client', 'better-sqlite3', 'libsql'] },
  { name: '@engine/auth', brings: ['@node-rs/argon2', 'nodemailer'] },
  { name: '@engine/http', brings: forHttp },
])('$name brings no driver but its own', async ({ name, brings }) => {
  const { installed } = await install(name)
  expect(heavy.filter((each) => installed.has(each)).sort()).toEqual([...brings].sort())
})

test('the pages of the administrator come built, and alone', async () => {
  const { installed, directory } = await install('@engine/admin')
  expect([...installed]).toEqual(['@engine/admin'])
  const site = join(directory, 'node_modules', '@engine', 'admin', 'dist', 'site')
  expect(await readFile(join(site, 'index.html'), 'utf8')).toContain('/assets/')
  expect(await readdir(join(site, 'assets'))).not.toContainEqual(expect.stringMatching(/\.map$/))
})

test('contract, client and codegen bring hardly anything', async () => {
  const { installed } = await install('@engine/client', '@engine/codegen')
  expect([...installed].sort()).toEqual([
    '@engine/client',
    '@engine/codegen',
    '@engine/contract',
    'citty',
  ])
})

test('core and SQLite answer a query, with no other driver and no HTTP', async () => {
  const project = await install('@engine/core', '@engine/adapters-sqlite')
  expect(heavy.filter((each) => project.installed.has(each))).toEqual(['better-sqlite3'])
  const outcome = await runFile(project, join(programs, 'sqlite.ts'))
  expect(outcome).toEqual({ exitCode: 0, stdout: '{"rows":[42]}\n', stderr: '' })
})

test('npm installs everything, and core answers a query', async () => {
  const names = packages.map(({ name }) => name)
  const project = await createProject(registry, names, 'npm')
  onTestFinished(project.remove)
  expect(names.filter((name) => !project.installed.has(name))).toEqual([])
  const { exitCode, stderr } = await runFile(project, join(programs, 'sqlite.ts'))
  expect(exitCode, stderr).toBe(0)
})

test('a database whose adapter is not installed says what to install', async () => {
  const project = await install('@engine/core')
  const { exitCode, stderr } = await runFile(project, join(programs, 'sqlite.ts'))
  expect(exitCode).toBe(1)
  expect(stderr).toContain('npm install @engine/adapters-sqlite')
})

describePostgres('with a PostgreSQL', () => {
  test('core, PostgreSQL and HTTP answer a request, with no other driver', async () => {
    const project = await install('@engine/core', '@engine/adapters-postgres', '@engine/http')
    const brought = heavy.filter((each) => project.installed.has(each))
    expect(brought.sort()).toEqual([...forHttp, 'pg'].sort())
    const url = await createDatabase('installed')
    const outcome = await runFile(project, join(programs, 'postgres-over-http.ts'), [url])
    expect(outcome).toEqual({
      exitCode: 0,
      stdout: '200 {"rows":[42]}\n',
      stderr: expect.stringMatching(/^engine warning: OPEN MODE: [^\n]+\n$/),
    })
  })
})

describe('with a server that was installed too', () => {
  let url: string
  let end: () => Promise<void>

  beforeAll(async () => {
    const project = await createProject(registry, ['@engine/server'])
    const { directory } = project
    const server = spawn('engine-server', ['--port', '0'], {
      cwd: directory,
      env: projectEnvironment(directory),
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    end = async () => {
      if (server.exitCode === null) {
        server.kill('SIGTERM')
        await once(server, 'exit')
      }
      await project.remove()
    }
    for await (const line of createInterface(server.stdout)) {
      url = JSON.parse(line).http
      break
    }
  })
  afterAll(() => end?.())

  test('the client alone signs up, queries and signs out', async () => {
    const project = await install('@engine/client')
    const outcome = await runFile(project, join(programs, 'client.ts'), [url])
    expect(outcome).toEqual({ exitCode: 0, stdout: '[ 42 ]\nUNAUTHORIZED\n', stderr: '' })
  })

  test('codegen alone writes types of the schema', async () => {
    const project = await install('@engine/codegen')
    const words = ['--url', url, '--out', 'schema.ts']
    const outcome = await runInProject(project, 'engine-codegen', words)
    expect(outcome.exitCode, outcome.stderr).toBe(0)
    const text = await readFile(join(project.directory, 'schema.ts'), 'utf8')
    expect(text).toContain('export interface MainOrders {')
    expect(await checkTypes(project, [], ['schema.ts'])).toEqual([])
  })
})

test('the types of every entry point hold in a strict project, for Node.js and for bundlers', async () => {
  const files = await readdir(programs)
  const peers = ['kysely', 'drizzle-orm']
  const project = await install(...packages.map(({ name }) => name), ...peers)
  for (const file of files) await runInProject(project, 'cp', [join(programs, file), '.'])
  expect(await checkTypes(project, packages, files, 'nodenext')).toEqual([])
  expect(await checkTypes(project, packages, [], 'bundler')).toEqual([])
})
