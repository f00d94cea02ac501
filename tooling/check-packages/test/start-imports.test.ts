/** @module What the built program loads until it is ready: nothing that its configuration does not need. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { buildPackages, publishablePackages, repositoryRoot } from '../src/index.ts'

// Builds packages: the time limit only has to be long enough.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 300_000 })

const recorder = fileURLToPath(new URL('../src/record-modules.ts', import.meta.url))
const secret = 'a secret of more than thirty-two characters'

/** Loaded when they are first needed, or included in our own files. */
const never = [
  '@electric-sql/pglite',
  '@engine/adapters-csv',
  '@engine/adapters-libsql',
  '@engine/adapters-mysql',
  '@engine/pgwire',
  '@libsql/client',
  '@node-rs/bcrypt',
  '@opentelemetry/api',
  '@redis/client',
  '@zxcvbn-ts/language-common',
  'csv-parse',
  'kysely',
  'mysql2',
  'nodemailer',
  'prom-client',
  'zod',
  'zod-to-json-schema',
]

/** Files, those of dependencies included: each costs time at every start. */
const most = 185

beforeAll(() => buildPackages(publishablePackages()))

/** The files that the program has loaded when it is ready, as addresses. */
async function filesAtStart(connection: string, serviceDatabase: string): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'engine-start-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const config = {
    connections: { main: connection },
    service_db: serviceDatabase,
    masterKey: secret,
    auth: {
      secret: `${secret}, too`,
      email: { from: 'a@example.com', smtp: { host: '127.0.0.1', port: 25 } },
    },
    audit: { enabled: true },
    permissions: [],
    port: 0,
  }
  await writeFile(join(directory, 'engine.config.json'), JSON.stringify(config))
  const modules = join(directory, 'modules.json')
  const main = join(repositoryRoot, 'apps', 'server', 'dist', 'main.js')
  const { NODE_OPTIONS: _, ENGINE_CONFIG: __, ...inherited } = process.env
  const server = spawn(process.execPath, ['--import', recorder, main], {
    cwd: directory,
    env: { ...inherited, NODE_ENV: 'development', ENGINE_MODULES_FILE: modules },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  server.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text
  })
  let isReady = false
  for await (const _ of createInterface(server.stdout)) {
    isReady = true
    server.kill('SIGTERM')
  }
  if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
  expect(isReady, log).toBe(true)
  return JSON.parse(await readFile(modules, 'utf8'))
}

/** Names of packages, ours by the folder that they are in. */
function packagesOf(files: readonly string[]): ReadonlySet<string> {
  return new Set(
    files.map((url) => {
      const [, name] = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? []
      const [, folder] = /\/packages\/([^/]+)\/dist\//.exec(url) ?? []
      return name ?? `@engine/${folder ?? 'server'}`
    }),
  )
}

test('on SQLite it loads no driver but that of SQLite, and no part that is not needed yet', async () => {
  const files = await filesAtStart('shop.db', 'service.db')
  const loaded = packagesOf(files)
  expect(loaded).toContain('better-sqlite3')
  expect([...never, '@engine/adapters-postgres', 'pg'].filter((name) => loaded.has(name))).toEqual(
    [],
  )
  expect(files.length).toBeLessThan(most)
})

describePostgres('with a PostgreSQL', () => {
  test('it loads no driver but that of PostgreSQL, and no part that is not needed yet', async () => {
    const [connection, service] = [await createDatabase('start'), await createDatabase('service')]
    const files = await filesAtStart(connection, service)
    const loaded = packagesOf(files)
    expect(loaded).toContain('pg')
    const others = ['@engine/adapters-sqlite', 'better-sqlite3']
    expect([...never, ...others].filter((name) => loaded.has(name))).toEqual([])
    expect(files.length).toBeLessThan(most)
  })
})
