import { readFileSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createProgram, type Program } from '../support/program.ts'

// Starts programs, one after the other: the time limit only has to be long enough.
vi.setConfig({ testTimeout: 240_000 })

const masterKey = 'a master key of at least thirty-two bytes'
const otherKey = 'another master key, thirty-two bytes too'

let program: Program
beforeEach(() => {
  program = createProgram()
  const notes = new Database(`${program.folder.path}/main.db`)
  notes.exec('create table notes (id integer primary key)')
  notes.close()
  program.folder.write(
    'engine.config.json',
    JSON.stringify({
      mode: 'interactive',
      port: 0,
      service_db: 'service.db',
      masterKey: '$' + '{KEY}',
      auth: { secret: 'a secret of at least thirty-two bytes' },
      connections: { main: 'main.db' },
      permissions: [{ name: 'notes', table: 'main.notes', roles: ['reader'], select: {} }],
      schemaEndpoint: { enabled: true, token: 'sch3ma-t0ken' },
      limits: { maxRows: 10 },
    }),
  )
})
afterEach(() => program.close())

const file = () => `${program.folder.path}/engine.stored.json`
const run = (args: readonly string[], env = {}) => program.run(args, { KEY: masterKey, ...env })

test('the stored configuration is pulled, changed in its file, and pushed', async () => {
  const server = program.start([], { KEY: masterKey })
  const url = ['--url', await server.ready()]
  expect(await run(['config', 'pull', ...url])).toMatchObject({ code: 0, stderr: '' })
  const text = readFileSync(file(), 'utf8')
  expect(JSON.parse(text)).toMatchObject({
    schemaEndpoint: { token: '***' },
    limits: { maxRows: 10 },
  })
  expect(await run(['config', 'diff', ...url])).toMatchObject({ code: 0, stdout: '' })
  expect((await run(['config', 'push', ...url])).stdout).toBe('nothing to change\n')

  writeFileSync(file(), text.replace('"maxRows": 10', '"maxRows": 20'))
  const line = '~ limits.maxRows  10 -> 20\n'
  expect(await run(['config', 'diff', ...url])).toMatchObject({ code: 1, stdout: line })
  expect(await run(['config', 'push', ...url])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--yes'),
  })
  expect(await run(['config', 'push', ...url, '--yes', '--note', 'more'])).toMatchObject({
    code: 0,
    stdout: `${line}revision 2\n`,
  })
  writeFileSync(file(), text.replace('"maxRows": 10', '"maxRows": -1'))
  expect(await run(['config', 'push', ...url, '--yes'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('limits.maxRows'),
  })

  writeFileSync(file(), text.replace('"maxRows": 10', '"maxRows": 30'))
  const asAda = ['--yes', '--author', 'Ada Lovelace']
  expect(await run(['config', 'push', ...url, ...asAda])).toMatchObject({ code: 0 })
  const answer = await fetch(new URL('/admin/api/config/revisions', url[1]), {
    headers: { authorization: `Bearer ${masterKey}` },
  })
  const { revisions } = (await answer.json()) as { readonly revisions: readonly object[] }
  expect(revisions).toMatchObject([
    { revision: 3, author: 'Ada Lovelace', via: 'cli', note: null },
    { revision: 2, author: userInfo().username, via: 'cli', note: 'more' },
    { revision: 1, author: 'admin', via: 'start' },
  ])

  const { stdout } = await run(['doctor', '--json'])
  expect(JSON.parse(stdout).findings).toContainEqual({
    level: 'warning',
    about: 'limits.maxRows',
    message: 'differs from the stored configuration: revision 3 is served',
  })
  expect(server.stderr()).not.toContain('sch3ma-t0ken')
})

test('a changed master key keeps a server from starting until the secrets are encrypted with it', async () => {
  await stopped(program.start([], { KEY: masterKey }))
  const refused = await run([], { KEY: otherKey })
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('config rekey') })
  expect(await run(['config', 'rekey'], { KEY: otherKey })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('ENGINE_OLD_MASTER_KEY'),
  })
  const keys = { KEY: otherKey, ENGINE_OLD_MASTER_KEY: masterKey }
  expect(await run(['config', 'rekey'], keys)).toMatchObject({
    code: 0,
    stdout: '{"revisions":1}\n',
  })
  await stopped(program.start([], { KEY: otherKey }))
})

async function stopped(server: ReturnType<Program['start']>): Promise<void> {
  await server.ready()
  server.signal('SIGTERM')
  expect(await server.exit()).toBe(0)
}
