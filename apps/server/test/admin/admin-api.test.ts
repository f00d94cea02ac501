import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type Accounts,
  type CallOptions,
  masterKey,
  openAccounts,
  password,
} from '../support/accounts.ts'

let accounts: Accounts
beforeEach(async () => {
  accounts = await openAccounts(
    {},
    { config: { audit: { enabled: true }, security: { trustProxy: [] } }, isDevelopment: true },
  )
})
afterEach(() => accounts.close())

const admin = (method: string, path: string, options: CallOptions = {}) =>
  accounts.call(method, `/admin/api${path}`, { token: masterKey, ...options })

async function signUp(email: string): Promise<{ readonly id: string; readonly token: string }> {
  const { body } = await accounts.call('POST', '/auth/sign-up', { body: { email, password } })
  return { id: body.user.id, token: body.session.token }
}

const data = (token: string) =>
  accounts.call('POST', '/data', {
    token,
    body: { sql: 'select * from "main"."notes"', params: [], method: 'all' },
  })

async function changes(action: string): Promise<readonly { readonly facts: unknown }[]> {
  const { body } = await admin('GET', `/audit?kind=admin&action=${action}`)
  return body.entries
}

test('catalogs are read again before the answer, and the change is recorded', async () => {
  accounts.execute('create table later (id integer primary key)')
  const refreshed = await admin('POST', '/schema/refresh')
  expect(refreshed).toMatchObject({
    status: 200,
    body: { connections: { main: { isRead: true, isChanged: true } } },
  })
  expect(await changes('schema-refreshed')).toMatchObject([{ facts: refreshed.body }])
  expect((await admin('POST', '/schema/refresh')).body.connections.main.isChanged).toBe(false)
  expect((await admin('GET', '/schema/refresh')).status).toBe(405)
})

describe('API keys', () => {
  test('API keys are made, shown once, work, are listed without their secret, and end at once', async () => {
    const made = await admin('POST', '/api-keys', { body: { name: 'nightly', roles: ['user'] } })
    expect(made.status).toBe(201)
    const { key, ...description } = made.body.apiKey
    expect(key).toMatch(/^ek_/)
    expect((await data(key)).status).toBe(200)
    const listed = await admin('GET', '/api-keys')
    expect(listed.body.apiKeys).toMatchObject([
      { id: description.id, name: 'nightly', roles: ['user'], revokedAt: null },
    ])
    expect(listed.text).not.toContain(key.split('_')[2])
    const ended = await admin('DELETE', `/api-keys/${description.id}`)
    expect(ended).toMatchObject({ status: 200, body: { success: true } })
    expect((await data(key)).status).toBe(401)
    expect((await admin('DELETE', `/api-keys/${description.id}`)).status).toBe(404)
    const created = await changes('api-key-created')
    expect(created).toMatchObject([{ facts: { id: description.id, name: 'nightly' } }])
    expect(JSON.stringify(created)).not.toContain(key.split('_')[2])
    expect(await changes('api-key-revoked')).toMatchObject([{ facts: { id: description.id } }])
  })

  test.each<[string, unknown]>([
    ['no body', undefined],
    ['a list', []],
    ['no name', { roles: [] }],
    ['an empty name', { name: '', roles: [] }],
    ['a name that is no text', { name: 7, roles: [] }],
    ['roles that are no list', { name: 'a', roles: 'admin' }],
    ['roles that are no texts', { name: 'a', roles: [1] }],
    ['an unknown field', { name: 'a', roles: [], isAdmin: true }],
    ['fields that are a list', { name: 'a', roles: [], fields: [] }],
    ['a user that does not exist', { name: 'a', roles: [], userId: 'nobody' }],
    ['an end in the past', { name: 'a', roles: [], expiresAt: '2020-01-01T00:00:00Z' }],
    ['an end that is no time', { name: 'a', roles: [], expiresAt: 'tomorrow' }],
  ])('API keys with %s are refused, and nothing is written down', async (_, body) => {
    const answer = await admin('POST', '/api-keys', body === undefined ? { raw: '' } : { body })
    expect(answer.status).toBe(400)
    expect((await admin('GET', '/api-keys')).body.apiKeys).toEqual([])
    expect(await changes('api-key-created')).toEqual([])
  })

  test('API keys end when their time is over', async () => {
    const expiresAt = new Date(accounts.now() + 60_000).toISOString()
    const { body } = await admin('POST', '/api-keys', {
      body: { name: 'a', roles: ['user'], expiresAt },
    })
    expect((await data(body.apiKey.key)).status).toBe(200)
    accounts.pass(61_000)
    expect((await data(body.apiKey.key)).status).toBe(401)
  })
})

describe('sessions', () => {
  test('sessions are listed page by page, and ended one by one or all of a user', async () => {
    const ada = await signUp('ada@example.com')
    const bob = await signUp('bob@example.com')
    const again = await accounts.call('POST', '/auth/sign-in', {
      body: { email: 'ada@example.com', password },
    })
    const first = await admin('GET', '/sessions?limit=2')
    expect(first.body.sessions).toHaveLength(2)
    const second = await admin('GET', `/sessions?limit=2&cursor=${first.body.next}`)
    expect(second.body).toMatchObject({ sessions: [expect.anything()], next: null })
    const ofBob = await admin('GET', `/sessions?userId=${bob.id}`)
    expect(ofBob.body.sessions).toMatchObject([{ userId: bob.id, email: 'bob@example.com' }])
    expect(ofBob.text).not.toContain(bob.token)

    const one = await admin('DELETE', `/sessions/${ofBob.body.sessions[0].id}`)
    expect(one).toMatchObject({ status: 200, body: { success: true } })
    expect((await data(bob.token)).status).toBe(401)
    expect((await admin('DELETE', `/sessions/${ofBob.body.sessions[0].id}`)).status).toBe(404)

    expect((await data(ada.token)).status).toBe(200)
    const all = await admin('DELETE', `/users/${ada.id}/sessions`)
    expect(all.body).toEqual({ success: true, ended: 2 })
    expect((await data(ada.token)).status).toBe(401)
    expect((await data(again.body.session.token)).status).toBe(401)
    expect(await changes('sessions-ended')).toMatchObject([{ facts: { userId: ada.id, ended: 2 } }])
  })
})

describe('users', () => {
  test('users are listed and searched, page by page', async () => {
    for (const name of ['ada', 'bob', 'eve']) await signUp(`${name}@example.com`)
    const page = await admin('GET', '/users?limit=2')
    expect(page.body.users).toHaveLength(2)
    const rest = await admin('GET', `/users?limit=2&cursor=${page.body.next}`)
    expect(rest.body.users).toHaveLength(1)
    expect(rest.body.next).toBeNull()
    const found = await admin('GET', '/users?search=BOB')
    expect(found.body.users).toMatchObject([{ email: 'bob@example.com', disabled: false }])
    expect(found.text).not.toContain('argon2')
  })

  test('get roles, which count from the next request on', async () => {
    const { id, token } = await signUp('ada@example.com')
    expect((await data(token)).status).toBe(200)
    const changed = await admin('PATCH', `/users/${id}`, { body: { roles: [] } })
    expect(changed).toMatchObject({ status: 200, body: { success: true } })
    expect((await data(token)).status).toBe(403)
    expect(await changes('user-updated')).toMatchObject([{ facts: { id, roles: [] } }])
  })

  test('users are disabled: nothing of theirs works any more', async () => {
    const { id, token } = await signUp('ada@example.com')
    await admin('PATCH', `/users/${id}`, { body: { disabled: true } })
    expect((await data(token)).status).toBe(401)
    const body = { email: 'ada@example.com', password }
    expect((await accounts.call('POST', '/auth/sign-in', { body })).status).toBe(401)
    await admin('PATCH', `/users/${id}`, { body: { disabled: false } })
    expect((await accounts.call('POST', '/auth/sign-in', { body })).status).toBe(200)
  })

  test('users are sent a reset, whose mail waits in the outbox as long as no server is configured', async () => {
    const { id } = await signUp('ada@example.com')
    const started = await admin('POST', `/users/${id}/reset`)
    expect(started).toMatchObject({ status: 200, body: { success: true } })
    const token = await accounts.mailedToken('ada@example.com', /reset/i)
    const reset = await accounts.call('POST', '/auth/reset-password', {
      body: { token, password: 'another long password' },
    })
    expect(reset.status).toBe(200)
    const { body } = await admin('GET', '/outbox')
    expect(body.mails[0]).toMatchObject({ to: 'ada@example.com' })
    const { body: audit } = await admin('GET', '/audit?action=outbox-read')
    expect(audit.entries).toMatchObject([{ kind: 'admin', facts: { mails: body.mails.length } }])
  })

  test.each<[method: string, path: string, body: unknown, status: number]>([
    ['PATCH', '/users/nobody', { disabled: true }, 404],
    ['PATCH', '/users/nobody', {}, 400],
    ['PATCH', '/users/nobody', { roles: null }, 400],
    ['PATCH', '/users/nobody', { roles: [''] }, 400],
    ['PATCH', '/users/nobody', { disabled: 'yes' }, 400],
    ['PATCH', '/users/nobody', { email: 'x@example.com' }, 400],
    ['POST', '/users/nobody/reset', undefined, 404],
  ])('%s %s with %j is refused', async (method, path, body, status) => {
    const answer = await admin(method, path, body === undefined ? {} : { body })
    expect(answer.status).toBe(status)
    expect(answer.body.correlation_id).toBeTypeOf('string')
  })
})

describe('the audit', () => {
  test('the audit is searched by what stands in the query', async () => {
    const { id, token } = await signUp('ada@example.com')
    const { headers } = await data(token)
    await data('wrong')
    await accounts.gateway.audit?.flush()
    const { body } = await admin('GET', `/audit?caller=${id}&kind=query`)
    expect(body).toMatchObject({
      entries: [
        {
          kind: 'query',
          via: 'http',
          connection: 'main',
          sql: 'select * from "main"."notes"',
          params: null,
          rowCount: 0,
          correlationId: headers.get('x-request-id'),
          ip: '127.0.0.1',
          roles: ['user'],
          error: null,
        },
      ],
      next: null,
    })
    expect(body.entries[0].durationMs).toBeTypeOf('number')
    const denied = await admin('GET', '/audit?kind=denial&error=UNAUTHORIZED')
    expect(denied.body.entries).toHaveLength(1)
    const signUps = await admin('GET', '/audit?kind=auth&action=sign-up')
    expect(signUps.body.entries).toHaveLength(1)
    expect(signUps.text).not.toContain('ada@example.com')
    expect((await admin('GET', '/audit?since=1h')).body.entries.length).toBeGreaterThan(2)
    expect((await admin('GET', '/audit?until=2020-01-01T00:00:00Z')).body.entries).toEqual([])
  })

  test('the audit is given out page by page, newest first', async () => {
    const { token } = await signUp('ada@example.com')
    for (let i = 0; i < 5; i += 1) await data(token)
    await accounts.gateway.audit?.flush()
    const ids: string[] = []
    for (let next = ''; next !== null; ) {
      const cursor = next === '' ? '' : `&before=${next}`
      const { body } = await admin('GET', `/audit?kind=query&limit=2${cursor}`)
      for (const { id } of body.entries) ids.push(id)
      next = body.next
    }
    expect(ids).toHaveLength(5)
    expect(ids).toEqual(ids.toSorted().reverse())
  })

  test('the audit is given out whole, as lines of JSON or CSV; that is written down too', async () => {
    const { token } = await signUp('ada@example.com')
    await data(token)
    await accounts.gateway.audit?.flush()
    const lines = await admin('GET', '/audit/export?kind=query')
    expect(lines.headers.get('content-type')).toContain('application/x-ndjson')
    expect(lines.headers.get('content-disposition')).toContain('audit.ndjson')
    expect(JSON.parse(lines.text)).toMatchObject({ sql: 'select * from "main"."notes"' })
    const csv = await admin('GET', '/audit/export?format=csv&kind=query')
    expect(csv.headers.get('content-type')).toContain('text/csv')
    expect(csv.text.split('\r\n')[0]).toContain('"id","at","node"')
    expect(csv.text).toContain('"select * from ""main"".""notes"""')
    expect(await changes('audit-exported')).toHaveLength(2)
  })

  test.each([
    'limit=0',
    'limit=501',
    'limit=x',
    'before=1',
    'kind=nothing',
    'since=yesterday',
    'since=2026-13-01',
    'unknown=1',
    'kind=query&kind=auth',
    'text=',
  ])('the audit refuses %s', async (query) => {
    const answer = await admin('GET', `/audit?${query}`)
    expect(answer).toMatchObject({ status: 400, body: { error: 'VALIDATION_ERROR' } })
  })

  test('the audit keeps no secret', async () => {
    const { id, token } = await signUp('ada@example.com')
    const made = await admin('POST', '/api-keys', { body: { name: 'a', roles: ['user'] } })
    await data(made.body.apiKey.key)
    await data(`${token}x`)
    await accounts.call('POST', '/auth/sign-in', {
      body: { email: 'ada@example.com', password: 'a wrong password' },
    })
    await admin('POST', `/users/${id}/reset`)
    const reset = await accounts.mailedToken('ada@example.com', /reset/i)
    await accounts.call('POST', '/auth/sign-out', { token })
    await accounts.gateway.audit?.flush()
    const { text } = await admin('GET', '/audit/export')
    const [, , secret] = made.body.apiKey.key.split('_')
    for (const hidden of [token, secret, password, 'a wrong password', reset, masterKey]) {
      expect(text).not.toContain(hidden)
    }
    expect(text).not.toContain('ada@example.com')
  })
})

describe('permissions', () => {
  test('permissions are shown as a matrix', async () => {
    const { body } = await admin('GET', '/permissions/matrix')
    expect(body).toMatchObject({ isOpen: false, tables: ['main.notes'] })
    expect(body.entries).toMatchObject([{ role: 'user', table: 'main.notes', operation: 'select' }])
  })

  const statement = { sql: 'select * from "main"."notes" where id = $1', params: [1] }

  test('explain themselves for a caller that is described, or shows a token', async () => {
    const { id, token } = await signUp('ada@example.com')
    for (const subject of [{ as: { id, roles: ['user'] } }, { token }]) {
      const { status, body } = await admin('POST', '/explain', {
        body: { ...statement, ...subject },
      })
      expect(status).toBe(200)
      expect(body).toMatchObject({ answer: { outcome: 'runs' }, connection: { name: 'main' } })
    }
    const refused = await admin('POST', '/explain', { body: { ...statement, as: { roles: [] } } })
    expect(refused.body.answer).toMatchObject({ outcome: 'refused', error: 'PERMISSION_DENIED' })
    expect(await changes('explain')).toHaveLength(3)
  })

  test('permissions are tried out without a trace in the data', async () => {
    const sql = `insert into "main"."notes" (id, owner, note) values (1, 'ada', 'new') returning id`
    const tried = await admin('POST', '/simulate', { body: { sql, as: 'admin' } })
    expect(tried.body).toMatchObject({
      outcome: 'answered',
      isWrite: true,
      body: { rows: [[1]] },
    })
    const read = await admin('POST', '/simulate', { body: { ...statement, as: 'admin' } })
    expect(read.body.body.rows).toEqual([])
    const refused = await admin('POST', '/simulate', { body: { sql, as: 'anonymous' } })
    expect(refused.body).toMatchObject({ outcome: 'refused', status: 403 })
  })

  test.each<[string, object]>([
    ['nobody to be', statement],
    ['two to be', { ...statement, as: 'admin', token: 'x' }],
    ['an unknown name', { ...statement, as: 'boss' }],
    ['an unknown field', { ...statement, as: 'admin', commit: true }],
    ['no statement', { as: 'admin' }],
    ['parameters that are no list', { sql: 'select 1', params: {}, as: 'admin' }],
  ])('%s is 400', async (_, body) => {
    for (const path of ['/explain', '/simulate']) {
      expect((await admin('POST', path, { body })).status).toBe(400)
    }
  })

  test('a token that is wrong is 401', async () => {
    const answer = await admin('POST', '/simulate', { body: { ...statement, token: 'wrong' } })
    expect(answer.status).toBe(401)
  })
})

describe('the state of things', () => {
  test('the state of things shows databases, audit, plans, and warnings', async () => {
    const { token } = await signUp('ada@example.com')
    await data(token)
    const { body } = await admin('GET', '/status')
    expect(body).toMatchObject({
      version: null,
      isReady: true,
      isOpen: false,
      connections: { main: { kind: 'sqlite', isUp: true, tables: 1, isReadOnly: false } },
      serviceDatabase: { kind: 'sqlite', isShared: false, isUp: true },
      audit: { isEnabled: true, lost: 0, isFailing: false },
      cachedPlans: 1,
      permissions: 1,
      actions: [],
      warnings: [],
    })
    expect(Date.parse(body.startedAt)).not.toBeNaN()
    expect(body.uptimeSeconds).toBeTypeOf('number')
  })

  test('the state of things shows the configuration without its secrets', async () => {
    const { body, text } = await admin('GET', '/config')
    expect(body).toMatchObject({ masterKey: '[redacted]', auth: { secret: '[redacted]' } })
    expect(text).not.toContain(masterKey)
  })
})

test('where there are no accounts their routes say so, the others work', async () => {
  const open = await openAccounts({}, { config: { auth: undefined } as never })
  try {
    const call = (method: string, path: string) =>
      open.call(method, `/admin/api${path}`, { token: masterKey })
    for (const path of ['/sessions', '/users', '/outbox']) {
      expect((await call('GET', path)).status).toBe(404)
    }
    expect((await call('GET', '/api-keys')).body).toEqual({ apiKeys: [] })
    expect((await call('GET', '/status')).status).toBe(200)
    expect((await call('GET', '/audit')).body).toEqual({ entries: [], next: null })
  } finally {
    await open.close()
  }
})
