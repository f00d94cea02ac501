/** @module Sessions of administrators: signing in with the master key from a browser. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Accounts, type CallAnswer, masterKey, openAccounts } from '../support/accounts.ts'

let accounts: Accounts
beforeEach(async () => {
  accounts = await openAccounts({}, { config: { audit: { enabled: true } } })
})
afterEach(() => accounts.close())

const minute = 60_000
const page = { 'sec-fetch-site': 'same-origin', 'x-engine-admin': 'page' }
const local = { host: 'localhost:3000', origin: 'http://localhost:3000' }

function signIn(headers: Readonly<Record<string, string>> = {}, key = masterKey) {
  return accounts.call('POST', '/admin/api/sign-in', {
    body: { masterKey: key },
    headers: { ...page, ...headers },
  })
}

function cookieOf(answer: CallAnswer): string {
  return answer.headers.get('set-cookie')?.split(';')[0] ?? ''
}

function status(cookie: string, headers: Readonly<Record<string, string>> = page) {
  return accounts.call('GET', '/admin/api/status', { headers: { ...headers, cookie } })
}

test('the cookie opens the API, and no other part of the server', async () => {
  const answer = await signIn()
  expect(answer.status).toBe(201)
  expect(answer.headers.get('set-cookie')).toMatch(
    /^__Host-engine_admin=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
  )
  const cookie = cookieOf(answer)
  expect((await status(cookie)).status).toBe(200)
  const data = await accounts.call('POST', '/data', {
    body: { sql: 'select 1', params: [], method: 'all' },
    headers: { ...page, cookie },
  })
  expect(data.status).toBe(401)
})

test('over http on this machine the cookie has no Secure; elsewhere that name opens nothing', async () => {
  const answer = await signIn(local)
  expect(answer.headers.get('set-cookie')).toMatch(
    /^engine_admin=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
  )
  const cookie = cookieOf(answer)
  expect((await status(cookie, { ...page, ...local })).status).toBe(200)
  expect((await status(cookie)).status).toBe(401)
})

test('a wrong key is 401 and counts against the address', async () => {
  expect(await signIn({}, 'wrong')).toMatchObject({ status: 401, body: { error: 'UNAUTHORIZED' } })
  expect((await signIn({}, 'wrong')).headers.get('set-cookie')).toBeNull()
  for (let i = 0; i < 98; i += 1) await signIn({}, 'wrong')
  expect(await signIn()).toMatchObject({ status: 429 })
})

test('an address outside of the list cannot sign in, nor use a session', async () => {
  const cookie = cookieOf(await signIn())
  const ip = '203.0.113.1'
  const headers = { ...page, cookie }
  for (const [method, path] of [
    ['POST', '/admin/api/sign-in'],
    ['GET', '/admin/api/session'],
    ['GET', '/admin/api/status'],
  ] as const) {
    const body = method === 'POST' ? { body: { masterKey } } : {}
    expect((await accounts.call(method, path, { ...body, headers, ip })).status).toBe(403)
  }
})

describe('how long a session lasts', () => {
  test('30 minutes without use', async () => {
    const cookie = cookieOf(await signIn())
    accounts.pass(29 * minute)
    expect((await status(cookie)).status).toBe(200)
    accounts.pass(29 * minute)
    expect((await status(cookie)).status).toBe(200)
    accounts.pass(30 * minute)
    expect((await status(cookie)).status).toBe(401)
  })

  test('requests that the page sends by itself do not prolong it', async () => {
    const cookie = cookieOf(await signIn())
    const background = { ...page, 'x-engine-admin': 'background' }
    for (let i = 0; i < 2; i += 1) {
      accounts.pass(14 * minute)
      expect((await status(cookie, background)).status).toBe(200)
    }
    accounts.pass(2 * minute)
    expect((await status(cookie)).status).toBe(401)
  })

  test('8 hours in any case', async () => {
    const cookie = cookieOf(await signIn())
    for (let i = 0; i < 23; i += 1) {
      accounts.pass(20 * minute)
      expect((await status(cookie)).status).toBe(200)
    }
    accounts.pass(20 * minute)
    expect((await status(cookie)).status).toBe(401)
  })

  test('until sign-out', async () => {
    const cookie = cookieOf(await signIn())
    const answer = await accounts.call('POST', '/admin/api/sign-out', {
      headers: { ...page, cookie },
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('set-cookie')).toContain('Max-Age=0')
    expect((await status(cookie)).status).toBe(401)
    const session = await accounts.call('GET', '/admin/api/session', {
      headers: { ...page, cookie },
    })
    expect(session).toMatchObject({ status: 200, body: { session: null } })
  })
})

describe('requests of other sites', () => {
  const change = (headers: Readonly<Record<string, string>>) =>
    accounts.call('POST', '/admin/api/api-keys', { body: { name: 'k', roles: [] }, headers })

  test('a change needs the header of the pages, and their origin', async () => {
    const cookie = cookieOf(await signIn())
    const own = { 'x-engine-admin': 'page' }
    const host = { host: 'admin.example.com' }
    const refused: readonly Readonly<Record<string, string>>[] = [
      {},
      { 'sec-fetch-site': 'same-origin' },
      own,
      { ...own, 'sec-fetch-site': 'cross-site' },
      { ...own, 'sec-fetch-site': 'same-site' },
      { ...own, 'sec-fetch-site': 'none' },
      { ...own, ...host, origin: 'https://evil.example.com' },
      { ...own, ...host, origin: 'null' },
    ]
    for (const headers of refused) {
      expect((await change({ ...headers, cookie })).status).toBe(403)
    }
    expect((await change({ ...page, cookie })).status).toBe(201)
    const sameOrigin = { ...own, ...host, origin: 'https://admin.example.com' }
    expect((await change({ ...sameOrigin, cookie })).status).toBe(201)
  })

  test('reading from another site is refused, too; so is signing in', async () => {
    const cookie = cookieOf(await signIn())
    expect((await status(cookie, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await signIn({ 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  })
})

test('the database has neither the token nor the key, and the audit tells who came and went', async () => {
  const cookie = cookieOf(await signIn())
  const token = cookie.split('=')[1] ?? ''
  await accounts.call('POST', '/admin/api/sign-out', { headers: { ...page, cookie } })
  const again = cookieOf(await signIn())
  const rows = await accounts.gateway.store?.database
    .selectFrom('engine_admin_sessions')
    .selectAll()
    .execute()
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain(again.split('=')[1])
  const audit = await accounts.call('GET', '/admin/api/audit?kind=admin', { token: masterKey })
  expect(audit.body.entries).toMatchObject([
    { action: 'admin-signed-in' },
    { action: 'admin-signed-out' },
    { action: 'admin-signed-in' },
  ])
  expect(audit.text).not.toContain(token)
  expect(audit.text).not.toContain(masterKey)
})

test('cookies that are no tokens are no session', async () => {
  for (const value of ['', 'x', '..', `${'a'.repeat(43)}`, 'a'.repeat(5_000)]) {
    expect((await status(`__Host-engine_admin=${value}`)).status).toBe(401)
  }
})

describe('a sign-in link', () => {
  const useLink = (token: string | undefined, headers: object = {}, ip = '127.0.0.1') =>
    accounts.call('POST', '/admin/api/sign-in/link', {
      body: { token },
      headers: { ...page, ...local, ...headers },
      ip,
    })

  test('a sign-in link opens a session, once; the audit tells which credential it was', async () => {
    const token = accounts.gateway.createAdminLink()
    const answer = await useLink(token)
    expect(answer.status).toBe(201)
    expect((await status(cookieOf(answer), { ...page, ...local })).status).toBe(200)
    expect(await useLink(token)).toMatchObject({ status: 401, body: { error: 'UNAUTHORIZED' } })
    const audit = await accounts.call('GET', '/admin/api/audit?kind=admin', { token: masterKey })
    expect(audit.body.entries).toMatchObject([
      { action: 'admin-signed-in', facts: { credential: 'link' } },
    ])
    expect(audit.text).not.toContain(token)
  })

  test('a sign-in link is too old after two minutes', async () => {
    const token = accounts.gateway.createAdminLink()
    accounts.pass(2 * minute)
    expect((await useLink(token)).status).toBe(401)
  })

  test('a sign-in link is for this machine, directly and by a page of this origin', async () => {
    const token = accounts.gateway.createAdminLink()
    expect((await useLink(token, {}, '203.0.113.1')).status).toBe(403)
    expect((await useLink(token, {}, '10.0.0.7')).status).toBe(403)
    for (const headers of [
      { host: 'engine.example.com' },
      { 'x-forwarded-for': '203.0.113.1' },
      { forwarded: 'for=203.0.113.1' },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      expect((await useLink(token, headers)).status).toBe(403)
    }
    expect((await useLink(token)).status).toBe(201)
  })

  test('a sign-in link that does not exist opens nothing, and is no master key', async () => {
    const token = accounts.gateway.createAdminLink() ?? ''
    expect((await useLink('a'.repeat(43))).status).toBe(401)
    expect((await useLink('')).status).toBe(400)
    expect((await signIn(local, token)).status).toBe(401)
    expect((await accounts.call('GET', '/admin/api/status', { token })).status).toBe(401)
  })
})

test('an address of the allow-list that is not this machine cannot use a link', async () => {
  const open = await openAccounts(
    {},
    { config: { audit: { enabled: true }, security: { adminIpAllowlist: ['0.0.0.0/0'] } } },
  )
  const token = open.gateway.createAdminLink()
  const answer = await open.call('POST', '/admin/api/sign-in/link', {
    body: { token },
    headers: { ...page, ...local },
    ip: '10.0.0.7',
  })
  expect(answer).toMatchObject({ status: 403, body: { error: 'PERMISSION_DENIED' } })
  await open.close()
})
