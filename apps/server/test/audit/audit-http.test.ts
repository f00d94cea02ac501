import type { AuditEntry } from '@engine/contract/admin-api'
import type { Config } from '@engine/core'
import { afterEach, describe, expect, test } from 'vitest'
import { type Accounts, masterKey, openAccounts, password } from '../support/accounts.ts'

let accounts: Accounts
afterEach(() => accounts.close())

const notes = 'select * from "main"."notes" where note = $1'

interface User {
  readonly id: string
  readonly token: string
}

async function open(audit: Config['audit'] = {}, config = {}): Promise<User> {
  accounts = await openAccounts({}, { config: { audit: { enabled: true, ...audit }, ...config } })
  const { body } = await accounts.call('POST', '/auth/sign-up', {
    body: { email: 'ada@example.com', password },
  })
  return { id: body.user.id, token: body.session.token }
}

const data = (token: string, sql: string, params: readonly unknown[] = []) =>
  accounts.call('POST', '/data', { token, body: { sql, params, method: 'all' } })

async function entries(kind?: AuditEntry['kind']): Promise<readonly AuditEntry[]> {
  await accounts.gateway.audit?.flush()
  return (await accounts.gateway.audit?.search({ kind, limit: 100 })) ?? []
}

describe('a statement', () => {
  test('a statement is written down with who, from where, how long and how many rows', async () => {
    const { id, token } = await open()
    const answer = await data(token, notes, ['x'])
    expect(await entries('query')).toMatchObject([
      {
        via: 'http',
        caller: id,
        roles: ['user'],
        ip: '127.0.0.1',
        correlationId: answer.headers.get('x-request-id'),
        credentialId: expect.any(String),
        connection: 'main',
        sql: notes,
        params: null,
        durationMs: expect.any(Number),
        rowCount: 0,
        error: null,
      },
    ])
  })

  test('a statement by the master key is of the administrator', async () => {
    await open()
    await data(masterKey, notes, ['x'])
    expect(await entries('query')).toMatchObject([{ caller: 'admin', sql: notes }])
  })

  test('a statement that fails is written down with its error; one that makes no sense, too', async () => {
    const { token } = await open()
    await data(token, 'selec 1')
    await data(token, 'select * from "main"."nothing"')
    expect(await entries('query')).toMatchObject([
      { sql: 'select * from "main"."nothing"', error: 'TABLE_NOT_FOUND', rowCount: null },
      { sql: 'selec 1', error: 'BAD_REQUEST' },
    ])
  })

  test('a statement of a batch is an entry of its own', async () => {
    const { token } = await open()
    const statement = { sql: notes, params: ['x'], method: 'all' }
    const body = { statements: [statement, { ...statement, method: 'run' }] }
    await accounts.call('POST', '/data/batch', { token, body })
    expect(await entries('query')).toMatchObject([
      { sql: notes, facts: { batch: { number: 2, of: 2 } }, connection: 'main' },
      { sql: notes, facts: { batch: { number: 1, of: 2 } }, connection: 'main' },
    ])
  })

  test('a statement has its values where that is wanted, without personal data', async () => {
    const { token } = await open({ logParams: true })
    await data(token, notes, ['bob@example.com'])
    await data(token, notes, ['+1 415 555 2671'])
    await data(token, notes, ['plain'])
    expect((await entries('query')).map(({ params }) => params)).toEqual([
      ['plain'],
      ['[phone]'],
      ['[email]'],
    ])
  })

  test('a statement is left out without logQuery, refusals are not', async () => {
    const { token } = await open({ logQuery: false })
    await data(token, notes, ['x'])
    await data(token, 'delete from "main"."notes"')
    expect(await entries('query')).toEqual([])
    expect(await entries('denial')).toMatchObject([{ error: 'PERMISSION_DENIED', sql: null }])
  })

  test('a statement names no user without logUser', async () => {
    const { token } = await open({ logUser: false, logDuration: false })
    await data(token, notes, ['x'])
    expect(await entries('query')).toMatchObject([
      { caller: null, roles: null, ip: null, credentialId: null, durationMs: null, sql: notes },
    ])
  })
})

describe('a refusal', () => {
  test('a refusal by permissions is written down once, with the statement and who sent it', async () => {
    const { id, token } = await open()
    const answer = await data(token, 'delete from "main"."notes"')
    expect(answer.status).toBe(403)
    expect(await entries('denial')).toMatchObject([
      {
        error: 'PERMISSION_DENIED',
        caller: id,
        sql: 'delete from "main"."notes"',
        correlationId: answer.headers.get('x-request-id'),
        message: expect.stringContaining('delete'),
      },
    ])
    expect(await entries('query')).toEqual([])
  })

  test('a refusal of a batch names the statement', async () => {
    const { token } = await open()
    const good = { sql: notes, params: ['x'], method: 'all' }
    const bad = { sql: 'delete from "main"."notes"', params: [], method: 'run' }
    await accounts.call('POST', '/data/batch', { token, body: { statements: [good, bad] } })
    expect(await entries('denial')).toMatchObject([{ sql: 'delete from "main"."notes"' }])
    expect(await entries('query')).toEqual([])
  })

  test('a refusal by a check is written down', async () => {
    const permissions = [
      {
        name: 'short-notes',
        table: 'main.notes',
        roles: ['user'],
        insert: { check: { note: { $eq: 'short' } } },
      },
    ]
    const { token } = await open({}, { permissions })
    const sql = `insert into "main"."notes" (id, note) values (1, 'long')`
    expect((await data(token, sql)).status).toBe(422)
    expect(await entries('denial')).toMatchObject([{ error: 'VALIDATION_ERROR', sql }])
  })

  test('a refusal of a token is written down without it', async () => {
    const { token } = await open()
    expect((await data(`${token}x`, notes, ['x'])).status).toBe(401)
    const [denial] = await entries('denial')
    expect(denial).toMatchObject({ error: 'UNAUTHORIZED', sql: null, ip: '127.0.0.1', via: 'http' })
    expect(JSON.stringify(denial)).not.toContain(token)
  })

  test('a refusal of too many requests is written down', async () => {
    const { token } = await open({}, { limits: { rateLimitPerIP: 1 } })
    await data(token, notes, ['x'])
    expect((await data(token, notes, ['x'])).status).toBe(429)
    expect(await entries('denial')).toMatchObject([{ error: 'RATE_LIMITED' }])
  })

  test('a refusal is left out without logDenied', async () => {
    const { token } = await open({ logDenied: false })
    await data(token, 'delete from "main"."notes"')
    await data('wrong', notes, ['x'])
    expect(await entries('denial')).toEqual([])
  })
})

test('what happens to accounts is written down, e-mail addresses as hashes', async () => {
  await open()
  const wrong = { email: 'ada@example.com', password: 'wrong password' }
  await accounts.call('POST', '/auth/sign-in', { body: wrong })
  await accounts.call('POST', '/auth/sign-in', { body: { ...wrong, password } })
  const events = await entries('auth')
  expect(events.map(({ action }) => action)).toEqual(['sign-in', 'sign-in-failed', 'sign-up'])
  const addresses = new Set(events.map(({ facts }) => facts?.['email']))
  expect([...addresses]).toEqual([expect.stringMatching(/^email:[0-9a-f]{32}$/)])
})

test('changes by administrators are left out without logAdminActions', async () => {
  const { id } = await open({ logAdminActions: false })
  const path = `/admin/api/users/${id}`
  await accounts.call('PATCH', path, { token: masterKey, body: { roles: ['boss'] } })
  expect(await entries('admin')).toEqual([])
})

test('without audit nothing is written down', async () => {
  const { token } = await open({ enabled: false })
  await data(token, notes, ['x'])
  await data(token, 'delete from "main"."notes"')
  expect(await entries()).toEqual([])
})
