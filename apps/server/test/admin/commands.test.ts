import { silentLog } from '@engine/core'
import { createAudit } from '@engine/core/server'
import { openStore } from '@engine/core/store'
import { serviceDatabases } from '@engine/test-stores'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { auditSettings, queryEvent } from '../audit/settings.ts'
import { createProgram, type Program } from '../support/program.ts'

const config = {
  connections: { main: 'main.db' },
  service_db: 'service.db',
  auth: { secret: 'a secret of at least thirty-two bytes' },
  audit: { enabled: true },
  permissions: [
    { name: 'notes', table: 'main.notes', roles: ['reader'], select: { columns: ['id'] } },
  ],
  port: 0,
}

// Starts programs, one after the other: the time limit only has to be long enough.
vi.setConfig({ testTimeout: 180_000 })

let program: Program
beforeEach(() => {
  program = createProgram()
  const notes = new Database(`${program.folder.path}/main.db`)
  notes.exec('create table notes (id integer primary key)')
  notes.close()
  program.folder.write('engine.config.json', JSON.stringify(config))
})
afterEach(() => program.close())

async function printed(...args: readonly string[]) {
  const { code, stdout, stderr } = await program.run(args)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout.split('\n').filter((line) => line !== '')
}

async function jsonOf(...args: readonly string[]) {
  return (await printed(...args)).map((line) => JSON.parse(line))
}

const data = (url: string, key: string) =>
  fetch(`${url}/data`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ sql: 'select id from "main"."notes"', params: [], method: 'all' }),
  }).then(({ status }) => status)

test('users are invited by a running server', async () => {
  const masterKey = 'a master key of at least thirty-two bytes'
  program.folder.write('engine.config.json', JSON.stringify({ ...config, masterKey }))
  const url = await program.start([]).ready()
  const invite = ['users', 'invite', '--url', url, '--email', 'ada@example.com']
  const options = ['--name', 'Ada', '--role', 'reader', '--expires', '1d']
  const { code, stdout, stderr } = await program.run([...invite, ...options])
  expect(code).toBe(0)
  const made = JSON.parse(stdout)
  expect(stderr).toContain(`curl ${url}/admin/api/outbox`)
  expect(stderr).toContain(`curl ${url}/auth/accept-invitation`)
  expect(made).toMatchObject({ email: 'ada@example.com', name: 'Ada', roles: ['reader'] })
  expect(Date.parse(made.expiresAt) - Date.parse(made.sentAt)).toBe(86_400_000)
  const again = await program.run(invite)
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('409: This address') })
  expect(await program.run(['users', 'invite'])).toMatchObject({ code: 2 })
  expect(await program.run([...invite, '--fields', '[]'])).toMatchObject({ code: 2 })
})

describe('API keys', () => {
  test('API keys are made and ended beside a server that runs, and every change is written down', async () => {
    const url = await program.start([]).ready()
    const [made] = await jsonOf('keys', 'create', '--name', 'nightly', '--role', 'reader')
    expect(made).toMatchObject({ name: 'nightly', roles: ['reader'], expiresAt: null })
    expect(await data(url, made.key)).toBe(200)
    const [listed, ...others] = await jsonOf('keys', 'list')
    expect(listed).toMatchObject({ id: made.id, name: 'nightly' })
    expect(others).toEqual([])
    expect(listed).not.toHaveProperty('key')
    await printed('keys', 'revoke', made.id)
    expect(await data(url, made.key)).toBe(401)
    const entries = await jsonOf('audit', 'export')
    const changes = entries.filter(({ kind }) => kind === 'admin')
    expect(changes).toMatchObject([
      { action: 'api-key-created', via: 'cli', facts: { id: made.id } },
      { action: 'api-key-revoked', via: 'cli', facts: { id: made.id } },
    ])
    expect(JSON.stringify(entries)).not.toContain(made.key)
  })

  test('API keys have fields and an end', async () => {
    const fields = '{"tenant":7}'
    const [made] = await jsonOf(
      'keys',
      'create',
      '--name',
      'a',
      '--fields',
      fields,
      '--expires',
      '1d',
    )
    expect(made).toMatchObject({ fields: { tenant: 7 }, roles: [] })
    const lifeMs = Date.parse(made.expiresAt) - Date.parse(made.createdAt)
    expect(Math.round(lifeMs / 3_600_000)).toBe(24)
  })

  test.each<[code: number, ...args: string[]]>([
    [2, 'keys', 'create'],
    [2, 'keys', 'create', '--name', 'a', '--fields', '[]'],
    [2, 'keys', 'create', '--name', 'a', '--expires', 'soon'],
    [1, 'keys', 'create', '--name', 'a', '--user', 'nobody'],
    [2, 'keys', 'revoke'],
    [1, 'keys', 'revoke', 'nothing'],
    [2, 'keys', 'list', '--jsn'],
    [2, 'sessions', 'end'],
    [2, 'sessions', 'end', '--all', '--user', 'a'],
    [2, 'audit', 'export', '--format', 'xml'],
    [2, 'audit', 'export', '--since', 'yesterday'],
  ])('exit %i: %s %s', async (code, ...args) => {
    const outcome = await program.run(args)
    expect(outcome).toMatchObject({ code, stdout: '' })
    expect(outcome.stderr.split('\n')).toHaveLength(2)
  })
})

test('sessions end beside a server that runs', async () => {
  const url = await program.start([]).ready()
  const signUp = async (email: string) => {
    const response = await fetch(`${url}/auth/sign-up`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: 'correct horse battery staple' }),
    })
    return (await response.json()) as { user: { id: string }; session: { token: string } }
  }
  const session = (token: string) =>
    fetch(`${url}/auth/session`, { headers: { authorization: `Bearer ${token}` } }).then(
      ({ status }) => status,
    )
  const [ada, bob] = [await signUp('ada@example.com'), await signUp('bob@example.com')]
  expect(await jsonOf('sessions', 'end', '--user', ada.user.id)).toEqual([{ ended: 1 }])
  expect(await session(ada.session.token)).toBe(401)
  expect(await session(bob.session.token)).toBe(200)
  expect(await jsonOf('sessions', 'end', '--all')).toEqual([{ ended: 1 }])
  expect(await session(bob.session.token)).toBe(401)
})

test('the audit is printed whole, or from some time on, in both formats', async () => {
  const nowMs = Date.now()
  const store = await openStore({ url: `${program.folder.path}/service.db`, serviceDatabases })
  for (const [ageMs, sql] of [
    [3 * 86_400_000, 'select 1'],
    [3_600_000, 'select 2'],
  ] as const) {
    const audit = await createAudit({
      settings: auditSettings,
      store,
      log: silentLog,
      clock: () => nowMs - ageMs,
    })
    for (let i = 0; i < 700; i += 1) audit.record(queryEvent(sql))
    await audit.close()
  }
  await store.close()
  expect(await printed('audit', 'export')).toHaveLength(1_400)
  expect(await printed('audit', 'export', '--since', '1d')).toHaveLength(700)
  expect(await printed('audit', 'export', '--until', '1d')).toHaveLength(700)
  const csv = await printed('audit', 'export', '--format', 'csv', '--since', '1d')
  expect(csv).toHaveLength(701)
  expect(csv[0]).toContain('"id","at","node"')
})

test('without accounts there are keys, where a server has a service database for them', async () => {
  const { auth: _, ...open } = config
  program.folder.write('engine.config.json', JSON.stringify(open))
  expect(await program.run(['keys', 'list'])).toMatchObject({ code: 0, stdout: '' })
  expect(await program.run(['sessions', 'end', '--all'])).toMatchObject({
    code: 2,
    stderr: 'The configuration has no auth: there are no accounts\n',
  })
  program.folder.write('engine.config.json', JSON.stringify({ connections: open.connections }))
  expect(await program.run(['keys', 'list'])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^No server with this configuration knows API keys/),
  })
})

describe('schema refresh', () => {
  const masterKey = 'a master key of at least thirty-two bytes'

  test('running servers read their tables again', async () => {
    program.folder.write('engine.config.json', JSON.stringify({ ...config, masterKey }))
    const url = await program.start([]).ready()
    const notes = new Database(`${program.folder.path}/main.db`)
    notes.exec('create table later (id integer primary key)')
    notes.close()
    expect(await jsonOf('schema', 'refresh', '--url', url)).toEqual([
      { url, connections: { main: { isRead: true, isChanged: true, tables: 2 } } },
    ])
  })

  test('without a master key, or a server, it says so and fails', async () => {
    const refused = await program.run(['schema', 'refresh'])
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('masterKey') })
    program.folder.write('engine.config.json', JSON.stringify({ ...config, masterKey }))
    const silent = await program.run(['schema', 'refresh', '--url', 'http://127.0.0.1:9'])
    expect(silent.code).toBe(1)
    expect(silent.stdout).toBe('')
  })
})
