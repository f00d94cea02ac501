import type { AuditEntry } from '@engine/contract/admin-api'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Accounts, masterKey, openAccounts, password } from '../support/accounts.ts'

let accounts: Accounts
const options = {
  config: { audit: { enabled: true } },
  tables:
    "create table people (id integer primary key, email text, name text, role text default 'user')",
}

beforeEach(async () => {
  accounts = await openAccounts(
    {
      userTable: { table: 'main.people', columns: ['id', 'email', 'name', 'role'] },
      resolveSession: async (_user, db) => {
        await db.selectFrom('main.notes').select('id').execute()
        return {}
      },
    },
    options,
  )
})
afterEach(() => accounts.close())

async function audit(query: string): Promise<readonly AuditEntry[]> {
  const { status, body } = await accounts.call('GET', `/admin/api/audit?limit=500&${query}`, {
    token: masterKey,
  })
  expect(status).toBe(200)
  return body.entries
}

async function readNotes(): Promise<string> {
  const { body } = await accounts.call('POST', '/auth/sign-up', {
    body: { email: 'ada@example.com', password },
  })
  const sql = 'select id from main.notes'
  const answer = await accounts.call('POST', '/data', {
    token: body.session.token,
    body: { sql, params: [], method: 'all' },
  })
  expect(answer.status).toBe(200)
  return body.user.id
}

test('rows of users and look-ups for sessions have the caller system, hidden until asked for', async () => {
  const id = await readNotes()
  const shown = await audit('')
  expect(new Set(shown.map(({ caller }) => caller))).toEqual(new Set([id]))
  expect(shown.every(({ via }) => via === 'http')).toBe(true)

  const own = await audit('caller=system')
  expect(new Set(own.map(({ via, caller }) => `${via} ${caller}`))).toEqual(
    new Set(['system system']),
  )
  const statements = own.map(({ sql }) => sql)
  expect(statements).toContainEqual(expect.stringMatching(/insert into "main"."people"/))
  expect(statements).toContainEqual(expect.stringMatching(/^select .* where "id" = \$1 limit 2$/))
  expect(statements).toContainEqual(expect.stringMatching(/^select "id" from "main"."notes"/))

  const all = await audit('includeSystem=true')
  expect(all).toHaveLength(shown.length + own.length)
})

test('what an administrator did is found by one filter', async () => {
  const id = await readNotes()
  await accounts.call('PATCH', `/admin/api/users/${id}`, {
    token: masterKey,
    body: { disabled: true },
  })
  const sql = 'select id from main.notes'
  const body = { sql, params: [], method: 'all' }
  await accounts.call('POST', '/data', { token: masterKey, body })
  expect(await audit('caller=admin')).toMatchObject([
    { kind: 'query', via: 'http', sql },
    { kind: 'admin', via: 'admin', action: 'user-updated' },
  ])
})

test('the caller system is there without logUser, and no user is taken for it', async () => {
  await accounts.reconfigure({ audit: { enabled: true, logUser: false } })
  await readNotes()
  expect((await audit('caller=system')).length).toBeGreaterThan(0)
  expect((await audit('kind=query')).map(({ caller }) => caller)).toEqual([null])
})

test('an export has them when they are asked for', async () => {
  await readNotes()
  const exported = async (query: string) => {
    const { text } = await accounts.call('GET', `/admin/api/audit/export?${query}`, {
      token: masterKey,
    })
    return text.includes('"caller":"system"')
  }
  expect(await exported('')).toBe(false)
  expect(await exported('includeSystem=true')).toBe(true)
})
