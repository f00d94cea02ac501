/** A read runs while it is found out whether its caller is still what it was; nothing leaves before that. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Auth } from '@engine/auth'
import { type Caller, GatewayError } from '@engine/core'
import type { Authenticated, AuthProvider } from '@engine/core/server'
import { createApp } from '@engine/http'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { json, openGateway, type TestGateway } from './support/open-gateway.ts'

const caller = (role: string): Caller => ({ kind: 'user', id: 'ada', roles: [role], fields: {} })
const known = (who: Caller): Authenticated => ({
  caller: who,
  credential: 'session',
  credentialId: undefined,
  expiresAtMs: undefined,
})

let folder: string
let opened: TestGateway
/** What is found out, and when. */
let confirmation: PromiseWithResolvers<boolean>
let before: Caller
let now: Caller | GatewayError

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'engine-ahead-'))
  const file = join(folder, 'main.db')
  const database = new DatabaseSync(file)
  database.exec('create table notes (id integer primary key, note text)')
  database.exec("insert into notes values (1, 'a')")
  database.close()
  confirmation = Promise.withResolvers()
  before = caller('reader')
  now = before
  opened = await openGateway({
    connections: { main: { url: file } },
    open: false,
    masterKey: 'a master key of more than thirty-two characters',
    permissions: [
      { table: 'main.notes', roles: ['reader', 'writer'], select: {} },
      { table: 'main.notes', roles: ['writer'], insert: {} },
    ],
    audit: { enabled: true },
  })
})
afterEach(async () => {
  await opened.close()
  rmSync(folder, { recursive: true, force: true })
})

const provider: AuthProvider = {
  expect: () => ({ known: known(before), confirmed: confirmation.promise }),
  authenticate: () => {
    if (now instanceof GatewayError) throw now
    return known(now)
  },
}

/** `settled` tells whether there is an answer yet. */
function ask(sql: string, body = JSON.stringify({ sql, params: [], method: 'all' })) {
  const app = createApp(opened.gateway.engine, {
    auth: { under: () => provider } as Partial<Auth> as Auth,
  })
  const headers = { ...json, authorization: 'Bearer token' }
  let isSettled = false
  const answer = Promise.resolve(app.request('/data', { method: 'POST', headers, body })).finally(
    () => {
      isSettled = true
    },
  )
  return { answer, settled: () => isSettled }
}

/** Long enough for everything that does not wait for something else. */
async function whatCanHappen(): Promise<void> {
  for (let i = 0; i < 50; i += 1) await nextTurn()
}

const read = 'select note from notes'
const write = "insert into notes (id, note) values (2, 'b')"

function count(): unknown {
  const database = new DatabaseSync(join(folder, 'main.db'), { readOnly: true })
  const row = database.prepare('select count(*) as count from notes').get()
  database.close()
  return row?.['count']
}

test('a read is answered when its caller is confirmed, and not before', async () => {
  const { answer, settled } = ask(read)
  await whatCanHappen()
  expect(settled()).toBe(false)
  confirmation.resolve(true)
  expect(await (await answer).json()).toEqual({ rows: [['a']] })
})

test('a caller that is no more gets nothing of what was read', async () => {
  now = new GatewayError('unauthorized', 'The session has ended.')
  const { answer } = ask(read)
  confirmation.resolve(false)
  const response = await answer
  expect(response.status).toBe(401)
  expect(await response.text()).not.toContain('rows')
})

test('a caller with other rights is answered by those', async () => {
  before = caller('stranger')
  now = caller('reader')
  const { answer, settled } = ask(read)
  await whatCanHappen()
  expect(settled()).toBe(false)
  confirmation.resolve(false)
  expect(await (await answer).json()).toEqual({ rows: [['a']] })
})

test('a caller who has lost a right is refused', async () => {
  now = caller('stranger')
  const { answer } = ask(read)
  confirmation.resolve(false)
  expect((await answer).status).toBe(403)
})

test.each([write, `${write} returning id`])('a write waits: %s', async (sql) => {
  before = caller('writer')
  const { answer } = ask(sql)
  await whatCanHappen()
  expect(count()).toBe(1)
  confirmation.resolve(true)
  expect((await answer).status).toBe(200)
  expect(count()).toBe(2)
})

test('a write by a caller who may no longer write does not happen', async () => {
  before = caller('writer')
  now = caller('reader')
  const { answer } = ask(write)
  confirmation.resolve(false)
  expect((await answer).status).toBe(403)
  expect(count()).toBe(1)
})

test('a write by a caller whose rights have changed, but suffice, happens once', async () => {
  before = caller('reader')
  now = caller('writer')
  const { answer } = ask(write)
  confirmation.resolve(false)
  expect((await answer).status).toBe(200)
  expect(count()).toBe(2)
})

test('a function that waits waits for the caller first', async () => {
  now = new GatewayError('unauthorized', 'The session has ended.')
  const { answer } = ask('select pg_sleep(60)')
  confirmation.resolve(false)
  expect((await answer).status).toBe(401)
})

test('without a confirmation there is no answer', async () => {
  const { answer } = ask(read)
  confirmation.reject(new GatewayError('unavailable', 'The service is not available.'))
  expect((await answer).status).toBe(503)
})

test('whoever is no more is told nothing about the body either', async () => {
  now = new GatewayError('unauthorized', 'The session has ended.')
  const { answer, settled } = ask('', '{')
  await whatCanHappen()
  expect(settled()).toBe(false)
  confirmation.resolve(false)
  expect((await answer).status).toBe(401)
})

test('the audit has each statement once, with the rights by which it was answered', async () => {
  before = caller('stranger')
  now = caller('reader')
  const { answer } = ask(read)
  confirmation.resolve(false)
  await answer
  // A search waits for entries that are not written yet, but not for long.
  await vi.waitFor(async () => {
    const entries = await opened.gateway.audit?.search({ kind: 'query', limit: 10 })
    expect(entries).toMatchObject([{ roles: ['reader'], sql: read, rowCount: 1 }])
  }, 10_000)
})
