/** @module Actions that invite: two organisations, and callers who ask for more than they may. */
import { type ActionContext, type Config, defineAction, GatewayError } from '@engine/core'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { type Accounts, masterKey, openAccounts, password, signUp } from '../support/accounts.ts'
import { createFolder, type TestFolder } from '../support/folder.ts'

const tables = `
  create table organisations (id integer primary key, name text not null);
  insert into organisations values (1, 'Acme'), (2, 'Birch');
  create table users (
    id text primary key, email text not null unique, name text,
    organisation_id integer references organisations (id), role text, seats integer
  );
  create table notes (id integer primary key, organisation_id integer not null, text text not null);
  insert into notes values (1, 1, 'of Acme'), (2, 2, 'of Birch');
`

/** Its rules are those of the action: which organisation, which role. */
function organisationOf({ user }: ActionContext): number {
  const id = user.fields['organisation_id']
  if (typeof id !== 'number') throw new GatewayError('permissionDenied', 'No organisation.')
  return id
}

let kept: ActionContext | undefined

const actions: NonNullable<Config['actions']> = {
  invite: defineAction({
    roles: ['owner'],
    input: z.object({ email: z.string(), role: z.enum(['member', 'owner']) }),
    run: async (context, { email, role }) => {
      const scope = organisationOf(context)
      const fields = { organisation_id: scope, role }
      const { id } = await context.accounts.invite({ scope, email, fields })
      return { id }
    },
  }),
  invitations: defineAction({
    roles: ['owner'],
    input: z.unknown(),
    run: async (context) => {
      const list = await context.accounts.listInvitations({ scope: organisationOf(context) })
      return list.map(({ email }) => email)
    },
  }),
  revoke: defineAction({
    roles: ['owner'],
    input: z.object({ id: z.string() }),
    run: (context, { id }) =>
      context.accounts.revokeInvitation({ scope: organisationOf(context), id }),
  }),
  // What an action should not do: everything is as the client says.
  careless: defineAction({
    roles: ['owner'],
    input: z.any(),
    run: async ({ accounts }, input) => void (await accounts.invite(input)),
  }),
  keep: defineAction({
    roles: ['owner'],
    input: z.unknown(),
    run: (context) => {
      kept = context
      return undefined
    },
  }),
}

const permissions: Config['permissions'] = [
  {
    name: 'notes',
    table: 'main.notes',
    roles: ['member', 'owner'],
    select: { where: { organisation_id: '$user.organisation_id' } },
  },
]

let folder: TestFolder
let accounts: Accounts
let main: Database.Database
beforeEach(async () => {
  folder = createFolder()
  main = new Database(`${folder.path}/main.db`)
  main.exec(tables)
  const userTable = {
    table: 'main.users',
    matchOn: { column: 'id', jwtField: 'sub' },
    columns: ['organisation_id', 'role'],
  }
  const config = { connections: { main: `${folder.path}/main.db` }, permissions, actions }
  accounts = await openAccounts(
    {},
    {
      config: {
        ...config,
        auth: { secret: 'a secret of at least thirty-two bytes', throttle: false, userTable },
        audit: { enabled: true, piiRedaction: false },
      },
    },
  )
})
afterEach(async () => {
  await accounts.close()
  main.close()
  folder.remove()
})

const call = (token: string, action: string, body: unknown = {}) =>
  accounts.call('POST', `/actions/${action}`, { token, body })

/** A user of an organisation. */
async function enrol(organisation: number | null, role: string | null): Promise<string> {
  const { id, token } = await signUp(accounts)
  main
    .prepare('update users set organisation_id = ?, role = ? where id = ?')
    .run(organisation, role, id)
  return token
}

async function join(email: string) {
  const token = await accounts.mailedToken(email, /invited/i)
  return accounts.call('POST', '/auth/accept-invitation', { body: { token, password } })
}

async function notesOf(token: string): Promise<readonly unknown[]> {
  const body = { sql: 'select text from main.notes', params: [], method: 'all' }
  return (await accounts.call('POST', '/data', { token, body })).body.rows
}

test('an owner invites a colleague, who sees the rows of the organisation', async () => {
  const owner = await enrol(1, 'owner')
  const invited = await call(owner, 'invite', { email: 'bob@shop.test', role: 'member' })
  expect(invited).toMatchObject({ status: 200, body: { id: expect.any(String) } })
  expect((await call(owner, 'invitations')).body).toEqual(['bob@shop.test'])
  const joined = await join('bob@shop.test')
  expect(joined.status).toBe(200)
  const { token } = joined.body.session
  expect(await notesOf(token)).toEqual([['of Acme']])
  expect(await call(token, 'invite', { email: 'eve@shop.test', role: 'owner' })).toMatchObject({
    status: 403,
  })
  const audit = await accounts.call('GET', '/admin/api/audit?action=user-invited', {
    token: masterKey,
  })
  expect(audit.body.entries).toMatchObject([
    { via: 'action:invite', facts: { email: 'bob@shop.test' } },
  ])
})

test('no owner reaches another organisation, nor a role that the action does not give', async () => {
  const acme = await enrol(1, 'owner')
  const birch = await enrol(2, 'owner')
  const { body } = await call(acme, 'invite', { email: 'bob@shop.test', role: 'member' })
  expect((await call(birch, 'invitations')).body).toEqual([])
  expect((await call(birch, 'revoke', { id: body.id })).body).toBe(false)
  // The same address can be invited by both: neither learns of the other.
  const again = { email: 'bob@shop.test', role: 'member' }
  expect(await call(birch, 'invite', again)).toMatchObject({ status: 200 })
  expect(await call(birch, 'invite', again)).toMatchObject({ status: 409 })
  for (const input of [
    { email: 'eve@shop.test', role: 'admin' },
    { email: 'eve@shop.test', role: ['owner'] },
    { email: 'eve@shop.test', role: 'member', scope: 1, organisation_id: 1 },
  ]) {
    await call(birch, 'invite', input)
  }
  // What the input does not name is not taken over from it.
  expect((await call(acme, 'invitations')).body).toEqual(['bob@shop.test'])
  expect((await call(birch, 'invitations')).body).toEqual(['eve@shop.test', 'bob@shop.test'])
  const { token } = (await join('eve@shop.test')).body.session
  expect(await notesOf(token)).toEqual([['of Birch']])
})

test('a user of another organisation stays there', async () => {
  const acme = await enrol(1, 'owner')
  const { id, email, token } = await signUp(accounts)
  main.prepare("update users set organisation_id = 2, role = 'member' where id = ?").run(id)
  const taken = await call(acme, 'invite', { email, role: 'owner' })
  const free = await call(acme, 'invite', { email: 'new@shop.test', role: 'owner' })
  expect([taken.status, Object.keys(taken.body)]).toEqual([free.status, Object.keys(free.body)])
  expect(await join(email)).toMatchObject({ status: 409, body: { error: 'EMAIL_EXISTS' } })
  expect(await notesOf(token)).toEqual([['of Birch']])
})

test('what an action hands on unchecked is checked for its form', async () => {
  const acme = await enrol(1, 'owner')
  const email = 'bob@shop.test'
  const wrong: readonly [object, number][] = [
    [{ email, fields: { organisation_id: 'one' }, scope: 1 }, 400],
    [{ email, fields: { organisation_id: { id: 1 } }, scope: 1 }, 400],
    [{ email, fields: { organisation_id: [1] }, scope: 1 }, 400],
    [{ email, fields: { seats: 1.5 }, scope: 1 }, 400],
    [{ email, fields: { seats: 'many' }, scope: 1 }, 400],
    [{ email, fields: { id: 'x' }, scope: 1 }, 400],
    [{ email, fields: { role: 'superuser' }, scope: 1 }, 400],
    [{ email, roles: ['owner'], scope: 1 }, 400],
    [{ email: { a: 1 }, scope: 1 }, 400],
    [{ email }, 500],
    [{ email, scope: null }, 500],
    [{ email, scope: { toString: 1 } }, 500],
  ]
  for (const [input, status] of wrong) {
    expect(await call(acme, 'careless', input), JSON.stringify(input)).toMatchObject({ status })
  }
  const invitations = await accounts.call('GET', '/admin/api/invitations', { token: masterKey })
  expect(invitations.body.invitations).toEqual([])
  // An organisation that is not there: the row is refused when the invitation is accepted.
  main.pragma('foreign_keys = on')
  const missing = { scope: 1, email, fields: { organisation_id: 9, role: 'member' } }
  expect(await call(acme, 'careless', missing)).toMatchObject({ status: 200 })
  expect(await join(email)).toMatchObject({ status: 409, body: { error: 'CONFLICT' } })
  expect(accounts.log.join('\n')).toContain('an invitation cannot be accepted')
  expect(main.prepare('select 1 from users where email = ?').all(email)).toEqual([])
})

test('when the action is over its accounts answer no more', async () => {
  const acme = await enrol(1, 'owner')
  await call(acme, 'keep')
  const invited = kept?.accounts.invite({ scope: 1, email: 'bob@shop.test' })
  await expect(invited).rejects.toThrow('the action is over')
})

test('administrators who run an action, and programs with an engine, invite like its callers', async () => {
  const request = { name: 'careless', input: { scope: 5, email: 'bob@shop.test' } }
  const caller = { kind: 'user', id: 'u', roles: ['owner'], fields: {} } as const
  await accounts.gateway.engine.callAction(request, caller)
  const run = await accounts.call('POST', '/admin/api/actions/careless', {
    token: masterKey,
    body: { input: { scope: 6, email: 'bob@shop.test' }, as: 'admin' },
  })
  expect([run.status, run.text]).toEqual([200, expect.anything()])
})

test('without accounts an invitation is a fault of the action', async () => {
  await accounts.close()
  accounts = await openAccounts(
    {},
    { config: { auth: undefined as never, actions: { careless: openCareless } } },
  )
  const answer = await accounts.call('POST', '/actions/careless', { token: masterKey, body: {} })
  expect(answer).toMatchObject({ status: 500, body: { error: 'INTERNAL_ERROR' } })
  expect(answer.text).not.toContain('auth')
  expect(accounts.log.join('\n')).toContain('careless failed')
})

const openCareless = defineAction({
  roles: ['anonymous'],
  input: z.any(),
  run: async ({ accounts: of }, input) => void (await of.invite(input)),
})
