/** @module What an administrator sees as a user is what that user gets with a credential of its own. */
import { afterEach, describe, expect, test } from 'vitest'
import { type Accounts, type CallAnswer, masterKey, openAccounts } from '../support/accounts.ts'
import { configurations, type Owner, openFor, statements } from '../support/as-user.ts'

let accounts: Accounts
afterEach(() => accounts.close())

type Statement = (typeof statements)[number]

const admin = (path: string, body: unknown) =>
  accounts.call('POST', `/admin/api/${path}`, { token: masterKey, body })

/** What must be equal: status, rows, error code. */
function outcomeOf({ status, body }: CallAnswer): unknown {
  return status === 200 ? { status, rows: body.rows ?? body } : { status, error: body.error }
}

function innerOutcome(answer: CallAnswer): unknown {
  if (answer.status !== 200) return outcomeOf(answer)
  return outcomeOf({ ...answer, body: answer.body.body })
}

const own = ({ credential }: Owner, statement: Statement) =>
  accounts.call('POST', '/data', { token: credential, body: { ...statement, method: 'all' } })

describe.each(configurations)('with $name', (configuration) => {
  test('each answer is the same', async () => {
    accounts = await openFor(configuration)
    const seen = new Set<number>()
    for (const owner of await configuration.owners(accounts)) {
      for (const statement of statements) {
        const label = `${owner.name}: ${statement.sql}`
        const expected = await own(owner, statement)
        seen.add(expected.status)
        const { as } = owner
        const asUser = await admin('query', { ...statement, as })
        expect(innerOutcome(asUser), label).toEqual(outcomeOf(expected))

        const simulated = await admin('simulate', { ...statement, as })
        const told =
          simulated.status === 200 && simulated.body.outcome === 'refused'
            ? { status: simulated.body.status, error: simulated.body.error }
            : innerOutcome(simulated)
        expect(told, label).toEqual(outcomeOf(expected))

        const explained = await admin('explain', { ...statement, as })
        const { answer } = explained.body
        if (explained.status !== 200) expect(outcomeOf(explained)).toEqual(outcomeOf(expected))
        else if (answer.outcome === 'refused') expect(answer.error, label).toBe(expected.body.error)
        else expect([200, 422], label).toContain(expected.status)
      }
    }
    expect(seen.size).toBeGreaterThan(0)
  })

  test('an action sees the same caller', async () => {
    accounts = await openFor(configuration)
    for (const { name, credential, as } of await configuration.owners(accounts)) {
      const expected = await accounts.call('POST', '/actions/who', { token: credential, body: {} })
      const asUser = await admin('actions/who', { as, input: {} })
      expect(asUser.status, name).toBe(expected.status)
      if (expected.status === 200) expect(asUser.body.output, name).toEqual(expected.body)
      else expect(asUser.body.error, name).toBe(expected.body.error)
    }
    const { body } = await accounts.call('GET', '/admin/api/audit?limit=500', {
      token: masterKey,
    })
    for (const { via, caller, action } of body.entries) {
      if (action === 'action-run' || via === 'admin') expect(caller).toBe('admin')
    }
  })

  test('an entry of the audit leads to the same answer', async () => {
    accounts = await openFor(configuration)
    for (const owner of await configuration.owners(accounts)) {
      for (const statement of statements) {
        const expected = await own(owner, statement)
        const id = expected.headers.get('x-request-id')
        const { body } = await accounts.call('GET', `/admin/api/audit?correlationId=${id}`, {
          token: masterKey,
        })
        const [entry] = body.entries
        const label = `${owner.name}: ${statement.sql}`
        const answer = await admin('query', { ...statement, as: { entry: entry.id } })
        if (entry.caller === null) {
          expect(outcomeOf(answer), label).toEqual({ status: 404, error: 'NOT_FOUND' })
        } else if (owner.isPartlyRecorded === true) {
          const explained = await admin('explain', { ...statement, as: { entry: entry.id } })
          const tells = explained.status !== 200 || explained.body.subject.mayLackClaims
          expect(tells, label).toBe(true)
        } else {
          expect(innerOutcome(answer), label).toEqual(outcomeOf(expected))
        }
      }
    }
  })
})

describe('as another caller', () => {
  const sql = 'select id from main.orders'

  test('everything is recorded as the administrator, with the name of that caller', async () => {
    const configuration = configurations.find(({ name }) => name === 'accounts alone')
    if (configuration === undefined) throw new Error('it is gone')
    accounts = await openFor(configuration)
    const owners = await configuration.owners(accounts)
    const clerk = owners[1]
    const disabled = owners[3]
    const as = clerk?.as
    await admin('query', { sql, as })
    await admin('query', { sql: 'select id from main.notes', as })
    await admin('query', { sql, as: disabled?.as })
    await admin('simulate', { sql, as })
    await admin('explain', { sql, as })
    await admin('actions/who', { as, input: {} })
    const { body } = await accounts.call('GET', '/admin/api/audit?caller=admin&limit=10', {
      token: masterKey,
    })
    const who = { kind: 'user', id: as?.['user'], roles: ['clerk'] }
    const named = (kind: string, action: string | null) => ({
      kind,
      action,
      caller: 'admin',
      facts: { as: who },
    })
    expect(body.entries.slice(0, 9)).toMatchObject([
      named('admin', 'action-run'),
      named('action', 'who'),
      { ...named('query', null), via: 'action:who' },
      named('admin', 'explain'),
      named('admin', 'simulate'),
      { kind: 'denial', error: 'UNAUTHORIZED', facts: { as: { id: disabled?.as['user'] } } },
      { kind: 'denial', error: 'PERMISSION_DENIED', facts: { as: who } },
      named('admin', 'query'),
      named('query', null),
    ])
    const byUser = await accounts.call('GET', `/admin/api/audit?caller=${as?.['user']}`, {
      token: masterKey,
    })
    expect(byUser.body.entries.filter(({ via }: { via: string }) => via === 'admin')).toEqual([])
  })

  test('a refusal of the caller says so, and why', async () => {
    const configuration = configurations[0]
    if (configuration === undefined) throw new Error('it is gone')
    accounts = await openFor(configuration)
    const disabled = (await configuration.owners(accounts))[3]
    for (const path of ['query', 'explain', 'simulate']) {
      expect(await admin(path, { sql, as: disabled?.as })).toMatchObject({
        status: 401,
        body: {
          error: 'UNAUTHORIZED',
          message: 'The account is disabled.',
          details: { subject: disabled?.as['user'] },
        },
      })
    }
  })

  test('a preview sees the same caller', async () => {
    const configuration = configurations[2]
    if (configuration === undefined) throw new Error('it is gone')
    accounts = await openFor(configuration)
    const member = (await configuration.owners(accounts))[0]
    const preview = await admin('config/preview', {
      connection: 'main',
      table: 'orders',
      permissions: {
        'orders-of-tenant': {
          table: 'main.orders',
          roles: ['member'],
          select: { columns: ['owner'], where: { tenant_id: '$user.tenant_id' } },
        },
      },
      as: member?.as,
    })
    expect(preview).toMatchObject({
      status: 200,
      body: { rows: { body: { rows: [['ann']] } }, columns: { visible: ['owner'] } },
    })
  })

  test.each([
    [{ user: 'nobody-at-all' }, 404],
    [{ apiKey: 'none' }, 404],
    [{ entry: 'x' }, 400],
    [{ user: '' }, 400],
    [{ user: 'a\u0000b' }, 400],
    [{ user: 'x', roles: ['clerk'] }, 400],
    [{ entry: '00000000-0000-7000-8000-000000000000' }, 404],
  ])('%j is %s', async (as, status) => {
    accounts = await openAccounts({}, { config: { jwt: { algorithms: ['ES256'] } } })
    expect(await admin('query', { sql, as })).toMatchObject({ status })
  })

  test('a provider of the application knows callers by their credentials alone', async () => {
    const auth: object = { authenticate: () => Promise.reject(new Error('not asked')) }
    accounts = await openAccounts({}, { config: { auth } })
    expect(await admin('query', { sql, as: { user: 'x' } })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('Send a token instead') },
    })
  })

  test('an entry of an account that is gone is refused as its session is', async () => {
    const configuration = configurations[0]
    if (configuration === undefined) throw new Error('it is gone')
    accounts = await openFor(configuration)
    const [owner] = await configuration.owners(accounts)
    if (owner === undefined) throw new Error('it is gone')
    const statement = { sql, params: [] }
    const before = await own(owner, statement)
    const id = before.headers.get('x-request-id')
    const { body } = await accounts.call('GET', `/admin/api/audit?correlationId=${id}`, {
      token: masterKey,
    })
    await accounts.gateway.store?.database.deleteFrom('engine_users' as never).execute()
    accounts.pass(60_000)
    const expected = { status: 401, body: { error: 'UNAUTHORIZED' } }
    expect(await own(owner, statement)).toMatchObject(expected)
    const asCaller = await admin('query', { ...statement, as: { entry: body.entries[0].id } })
    expect(asCaller).toMatchObject(expected)
  })

  test('an entry of an administrator gives no full rights', async () => {
    accounts = await openAccounts({}, { config: { audit: { enabled: true } } })
    await admin('query', { sql: 'select id from main.notes', as: 'admin' })
    const { body } = await accounts.call('GET', '/admin/api/audit', { token: masterKey })
    for (const { id } of body.entries) {
      expect(await admin('query', { sql, as: { entry: id } })).toMatchObject({ status: 400 })
    }
  })

  test('claims are those of the user', async () => {
    accounts = await openAccounts()
    const as = { user: 'x', claims: { sub: 'y' } }
    expect(await admin('query', { sql, as })).toMatchObject({
      status: 400,
      body: { message: 'claims.sub: is not that of the user.' },
    })
  })
})
