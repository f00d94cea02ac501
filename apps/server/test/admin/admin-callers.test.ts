/** @module `/admin/api/callers`: whom an administrator can act as. */
import type { AuthConfig } from '@engine/core'
import { afterEach, expect, test } from 'vitest'
import { type Accounts, masterKey, openAccounts } from '../support/accounts.ts'

let accounts: Accounts
afterEach(() => accounts.close())

const tables = `
  create table people (id text primary key, email text, name text, role text default 'user', password_hash text);
  insert into people values
    ('r1', 'rita@rows.example', 'Rita 100%', 'user', 'findable'),
    ('r2', 'ralf@rows.example', 'Ralf', 'clerk', 'findable');
`
const userTable = { table: 'main.people', columns: ['id', 'email', 'name', 'role'] }

async function open(auth: AuthConfig = {}, config = {}): Promise<void> {
  accounts = await openAccounts(auth, { tables, config: { audit: { enabled: true }, ...config } })
}

async function created(path: string, body: object): Promise<string> {
  const answer = await accounts.call('POST', `/admin/api/${path}`, { token: masterKey, body })
  expect(answer.status).toBe(201)
  return (answer.body.user ?? answer.body.apiKey).id
}

async function found(search: string) {
  const query = new URLSearchParams({ search })
  const { status, body } = await accounts.call('GET', `/admin/api/callers?${query}`, {
    token: masterKey,
  })
  expect(status).toBe(200)
  return body.callers
}

test('accounts are found by address, name and id, however many there are', async () => {
  await open()
  const first = await created('users', { email: 'first@example.com', name: 'Ada First' })
  for (let i = 0; i < 30; i += 1) await created('users', { email: `user${i}@example.com` })
  const account = {
    kind: 'account',
    as: { user: first },
    id: first,
    email: 'first@example.com',
    name: 'Ada First',
    isOver: false,
  }
  expect(await found('FIRST@')).toEqual([account])
  expect(await found('ada f')).toEqual([account])
  expect(await found(first)).toEqual([account])
  expect(await found(' first ')).toEqual([account])
  expect(await found('')).toHaveLength(20)
  expect(await found('user')).toHaveLength(20)
  expect(await found('%')).toEqual([])
})

test('an account that may not act, and a key that is over, say so', async () => {
  await open()
  const id = await created('users', { email: 'gone@example.com' })
  await accounts.call('PATCH', `/admin/api/users/${id}`, {
    token: masterKey,
    body: { disabled: true },
  })
  const key = await created('api-keys', { name: 'nightly import', roles: [] })
  expect(await found('gone')).toMatchObject([{ kind: 'account', isOver: true }])
  expect(await found('NIGHTLY')).toMatchObject([
    { kind: 'apiKey', as: { apiKey: key }, name: 'nightly import', isOver: false },
  ])
  await accounts.call('DELETE', `/admin/api/api-keys/${key}`, { token: masterKey })
  expect(await found(key)).toMatchObject([{ kind: 'apiKey', isOver: true }])
})

test('rows of the user table without an account are callers of tokens', async () => {
  await open({ userTable })
  const id = await created('users', { email: 'ann@example.com', name: 'Ann' })
  expect(await found('')).toMatchObject([
    { kind: 'account', id },
    { kind: 'row', id: 'r1' },
    { kind: 'row', id: 'r2', as: { user: 'r2' }, email: 'ralf@rows.example', name: 'Ralf' },
  ])
  expect(await found('r2')).toMatchObject([{ kind: 'row', id: 'r2' }])
  expect(await found('RITA')).toMatchObject([{ id: 'r1' }])
  expect(await found('100%')).toMatchObject([{ id: 'r1' }])
  expect(await found('findable')).toEqual([])
  expect(await found('ann@')).toMatchObject([{ kind: 'account' }])
})

test('they are named by the claim that the table is matched with', async () => {
  await open({ userTable: { ...userTable, matchOn: { column: 'email', jwtField: 'mail' } } })
  expect(await found('rita')).toMatchObject([
    {
      id: 'rita@rows.example',
      as: { user: 'rita@rows.example', claims: { mail: 'rita@rows.example' } },
    },
  ])
  const [{ as }] = await found('ralf')
  const answer = await accounts.call('POST', '/admin/api/explain', {
    token: masterKey,
    body: { sql: 'select note from main.notes', as },
  })
  expect(answer.body.subject).toMatchObject({ roles: ['clerk'], mayLackClaims: false })
})

test('rows are no callers where no such tokens are accepted', async () => {
  await open({ userTable }, { jwt: { algorithms: ['ES256'] } })
  expect(await found('rita')).toEqual([])
})

test('the search is for administrators, and its parameters are checked', async () => {
  await open()
  expect((await accounts.call('GET', '/admin/api/callers')).status).toBe(401)
  for (const query of ['find=x', `search=${'x'.repeat(201)}`]) {
    const answer = await accounts.call('GET', `/admin/api/callers?${query}`, { token: masterKey })
    expect(answer.status).toBe(400)
  }
})
