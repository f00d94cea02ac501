/**
 * Interface specification 4.11 and 5: which clients may connect by the wire protocol, as which users, and for how long.
 */
import type { PgWireOptions, PgWireStrategy } from '@engine/core'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import { afterEach, expect, test } from 'vitest'
import {
  type Accounts,
  type AccountsOptions,
  masterKey,
  openAccounts,
  password,
  readNotes,
  signIn,
  signUp,
} from '../support/accounts.ts'
import { codeOf, connectWire, refusal, rowsOf, type WireClient, withWire } from '../support/wire.ts'

let accounts: Accounts
afterEach(() => accounts?.close())

/** A gateway whose wire protocol accepts these credentials. @returns its address. */
async function open(
  strategy: readonly PgWireStrategy[] | true,
  options: AccountsOptions & { readonly pgWire?: PgWireOptions } = {},
): Promise<string> {
  const pgWire =
    strategy === true ? { port: 0 } : { port: 0, auth: { strategy }, ...options.pgWire }
  accounts = await openAccounts({}, { ...options, config: { pgWire, ...options.config } })
  const { address } = await accounts.gateway.engine.startPgWire()
  return address
}

const admin = { authorization: `Bearer ${masterKey}` }

async function createKey(roles: readonly string[]): Promise<{ id: string; key: string }> {
  const body = { name: 'report', roles }
  const answer = await accounts.call('POST', '/admin/api/api-keys', { body, headers: admin })
  expect(answer.status).toBe(201)
  return answer.body.apiKey
}

const notes = (client: WireClient) => rowsOf(client, 'select note from main.notes order by id')
const write = (id: number, owner: string, note: string) =>
  accounts.call('POST', '/data', {
    headers: admin,
    body: {
      sql: 'insert into main.notes (id, owner, note) values ($1, $2, $3)',
      params: [id, owner, note],
      method: 'run',
    },
  })

test('a token as the password: its user sees what it sees at /data', async () => {
  const address = await open(['jwt'])
  const [ada, eve] = [await signUp(accounts), await signUp(accounts)]
  await write(1, ada.id, 'of Ada')
  await write(2, eve.id, 'of Eve')
  for (const { token, email } of [ada, eve]) {
    const seen = await withWire({ address, user: email, password: token }, notes)
    expect(seen).toEqual((await readNotes(accounts, token)).body.rows)
    expect(seen).toHaveLength(1)
  }
})

test('the user of the connection is a name and nothing else', async () => {
  const address = await open(['jwt'])
  const [ada, eve] = [await signUp(accounts), await signUp(accounts)]
  await write(1, ada.id, 'of Ada')
  await withWire({ address, user: ada.id, password: eve.token }, async (client) => {
    expect(await notes(client)).toEqual([])
    expect(await rowsOf(client, 'select current_user')).toEqual([[ada.id]])
  })
})

test('an e-mail address and a password are those of an account; no session is made', async () => {
  const address = await open(['jwt', 'password'])
  const ada = await signUp(accounts)
  await write(1, ada.id, 'of Ada')
  const sessions = async () =>
    (await accounts.call('GET', `/admin/api/sessions?userId=${ada.id}`, { headers: admin })).body
      .sessions.length
  const before = await sessions()
  expect(await withWire({ address, user: ada.email, password }, notes)).toEqual([['of Ada']])
  expect(await refusal({ address, user: ada.email, password: `${password}!` })).toBe('28P01')
  expect(await refusal({ address, user: 'nobody@shop.test', password })).toBe('28P01')
  expect(await refusal({ address, user: ada.id, password })).toBe('28P01')
  expect(await sessions()).toBe(before)
})

test('who is refused learns nothing of why', async () => {
  const address = await open(['jwt', 'apiKey', 'password'])
  const ada = await signUp(accounts)
  const messages = new Set<string>()
  for (const secret of ['wrong', ada.token.slice(0, -2), 'ek_0123456789_wrong', `${masterKey}!`]) {
    const failure = await connectWire({ address, user: ada.email, password: secret }).catch(
      (error: Error) => error,
    )
    expect(codeOf(failure)).toBe('28P01')
    messages.add((failure as Error).message)
  }
  expect([...messages]).toEqual([`password authentication failed for user "${ada.email}"`])
  const log = accounts.log.join('\n')
  expect(log).not.toContain(ada.token)
  expect(log).not.toContain(masterKey)
})

test.each<{
  strategy: readonly PgWireStrategy[]
  taken: readonly string[]
}>([
  { strategy: ['jwt'], taken: ['token'] },
  { strategy: ['apiKey'], taken: ['key', 'masterKey'] },
  { strategy: ['password'], taken: ['password'] },
  { strategy: ['apiKey', 'jwt'], taken: ['token', 'key', 'masterKey'] },
  { strategy: ['password', 'jwt'], taken: ['token', 'password'] },
  {
    strategy: ['jwt', 'apiKey', 'password'],
    taken: ['token', 'key', 'masterKey', 'password'],
  },
])('$strategy takes $taken and nothing else', async ({ strategy, taken }) => {
  const address = await open(strategy)
  const ada = await signUp(accounts)
  const { key } = await createKey(['user'])
  const credentials = { token: ada.token, key, masterKey, password }
  for (const [kind, secret] of Object.entries(credentials)) {
    const expected = taken.includes(kind) ? 'connected' : '28P01'
    expect([kind, await refusal({ address, user: ada.email, password: secret })]).toEqual([
      kind,
      expected,
    ])
  }
})

test('the master key sees everything; an API key what its roles see', async () => {
  const address = await open(['apiKey'])
  await write(1, 'somebody', 'of somebody')
  expect(await withWire({ address, password: masterKey }, notes)).toEqual([['of somebody']])
  const reader = await createKey(['user'])
  expect(await withWire({ address, password: reader.key }, notes)).toEqual([])
  const nobody = await createKey(['other'])
  const failure = await withWire({ address, password: nobody.key }, notes).catch(codeOf)
  expect(failure).toBe('42501')
})

test('true trusts everybody on this machine to be anonymous', async () => {
  const address = await open(true)
  await write(1, 'somebody', 'of somebody')
  const failure = await withWire({ address, user: 'root' }, notes).catch(codeOf)
  expect(failure).toBe('42501')
  await withWire({ address }, async (client) => {
    expect(await rowsOf(client, 'select 1')).toEqual([[1]])
  })
})

/** The credential is checked again after a second. */
const aMoment = 1_100

test('a session that is signed out ends its connections', async () => {
  const address = await open(['jwt'])
  const ada = await signUp(accounts)
  const client = await connectWire({ address, password: ada.token })
  expect(await notes(client)).toEqual([])
  await accounts.call('POST', '/auth/sign-out', { token: ada.token })
  accounts.pass(aMoment)
  await expect(notes(client)).rejects.toMatchObject({ code: '28000', severity: 'FATAL' })
  await client.ended
  expect(await refusal({ address, password: ada.token })).toBe('28P01')
})

describePostgres('on two nodes', () => {
  let other: Accounts
  afterEach(() => other?.close())

  test('a session that is signed out on one ends its connections on the other', async () => {
    const serviceDatabase = await createDatabase('wire_nodes')
    other = await openAccounts({}, { serviceDatabase })
    const address = await open(['jwt'], { serviceDatabase })
    const ada = await signUp(other)
    const client = await connectWire({ address, password: ada.token })
    expect(await notes(client)).toEqual([])
    await other.call('POST', '/auth/sign-out', { token: ada.token })
    accounts.pass(aMoment)
    await expect(notes(client)).rejects.toMatchObject({ code: '28000' })
    await client.ended
  })
})

test('an open transaction is rolled back with it', async () => {
  const permissions = [
    { name: 'own', table: 'main.notes', roles: ['user'], select: {}, insert: {} },
  ]
  const address = await open(['jwt'], { config: { permissions } })
  const ada = await signUp(accounts)
  const client = await connectWire({ address, password: ada.token })
  await client.query('begin')
  await client.query(`insert into notes (id, owner) values (1, 'x')`)
  await accounts.call('POST', '/auth/sign-out', { token: ada.token })
  accounts.pass(aMoment)
  await expect(client.query('commit')).rejects.toMatchObject({ code: '28000' })
  await client.ended
  const again = (await signIn(accounts, ada.email)).body.session.token
  expect((await readNotes(accounts, again)).body.rows).toEqual([])
})

test('an API key that is revoked ends its connections', async () => {
  const address = await open(['apiKey'])
  const { id, key } = await createKey(['user'])
  const client = await connectWire({ address, password: key })
  await accounts.call('DELETE', `/admin/api/api-keys/${id}`, { headers: admin })
  accounts.pass(aMoment)
  await expect(notes(client)).rejects.toMatchObject({ code: '28000' })
  await client.ended
})

test('a token that runs out ends its connections', async () => {
  const address = await open(['jwt'])
  const ada = await signUp(accounts)
  const client = await connectWire({ address, password: ada.token })
  accounts.pass(23 * 3_600_000)
  expect(await notes(client)).toEqual([])
  accounts.pass(2 * 3_600_000)
  await expect(notes(client)).rejects.toMatchObject({ code: '28000' })
  await client.ended
})

test.each([['disabled'], ['given another password']])(
  'an account that is %s ends connections made with its password',
  async (how) => {
    const address = await open(['password'])
    const ada = await signUp(accounts)
    const client = await connectWire({ address, user: ada.email, password })
    expect(await notes(client)).toEqual([])
    const changed =
      how === 'disabled'
        ? await accounts.call('PATCH', `/admin/api/users/${ada.id}`, {
            headers: admin,
            body: { disabled: true },
          })
        : await accounts.call('POST', '/auth/change-password', {
            token: ada.token,
            body: { currentPassword: password, newPassword: `${password} 2` },
          })
    expect(changed.status).toBe(200)
    accounts.pass(aMoment)
    await expect(notes(client)).rejects.toMatchObject({ code: '28000' })
    await client.ended
  },
)

test('removed roles count from the next statement on', async () => {
  const address = await open(['jwt'])
  const ada = await signUp(accounts)
  await withWire({ address, password: ada.token }, async (client) => {
    expect(await notes(client)).toEqual([])
    const body = { roles: ['other'] }
    await accounts.call('PATCH', `/admin/api/users/${ada.id}`, { headers: admin, body })
    accounts.pass(aMoment)
    expect(await notes(client).catch(codeOf)).toBe('42501')
  })
})

test.each([
  ['WITH HOLD', 'declare c cursor with hold for select note from main.notes order by id', 'commit'],
  ['of a transaction', 'declare c scroll cursor for select note from main.notes order by id', ''],
])('a cursor %s ends with the rights that it was opened with', async (_, declare, afterwards) => {
  const address = await open(['jwt'])
  const ada = await signUp(accounts)
  for (const id of [1, 2, 3, 4]) await write(id, ada.id, `note ${id}`)
  await withWire({ address, password: ada.token }, async (client) => {
    const warnings: (string | undefined)[] = []
    client.on('notice', ({ message }) => void warnings.push(message))
    await client.query('begin')
    await client.query(declare)
    expect(await rowsOf(client, 'fetch c')).toEqual([['note 1']])
    if (afterwards !== '') await client.query(afterwards)
    // The credential is checked again: nothing has changed.
    accounts.pass(aMoment)
    expect(await rowsOf(client, 'fetch c')).toEqual([['note 2']])
    const body = { roles: ['other'] }
    await accounts.call('PATCH', `/admin/api/users/${ada.id}`, { headers: admin, body })
    accounts.pass(aMoment)
    expect(await rowsOf(client, 'fetch c').catch(codeOf)).toBe('34000')
    expect(warnings).toEqual(['portal "c" was closed: the rights of the session have changed'])
    await client.query('rollback')
    expect(await rowsOf(client, 'fetch c').catch(codeOf)).toBe('34000')
  })
})

test('an e-mail address that is not verified keeps out, as it keeps from data', async () => {
  accounts = await openAccounts(
    { emailVerification: true },
    { config: { pgWire: { port: 0, auth: { strategy: ['jwt', 'password'] } } } },
  )
  const { address } = await accounts.gateway.engine.startPgWire()
  const ada = await signUp(accounts)
  expect(await refusal({ address, password: ada.token })).toBe('28000')
  expect(await refusal({ address, user: ada.email, password })).toBe('28000')
})

test('rate limits count statements and requests together', async () => {
  const limits = { rateLimitPerUser: 5 }
  const address = await open(['jwt'], { config: { limits } })
  const ada = await signUp(accounts)
  await withWire({ address, password: ada.token }, async (client) => {
    for (let i = 0; i < 4; i += 1) await notes(client)
    expect((await readNotes(accounts, ada.token)).status).toBe(200)
    await expect(notes(client)).rejects.toMatchObject({ code: '53400', severity: 'ERROR' })
    expect((await readNotes(accounts, ada.token)).status).toBe(429)
    accounts.pass(60_000)
    expect(await notes(client)).toEqual([])
  })
})

test('guessing is slowed down', async () => {
  const address = await open(['apiKey'])
  for (let i = 0; i < 100; i += 1) {
    expect(await refusal({ address, password: `guess ${i}` })).toBe('28P01')
  }
  expect(await refusal({ address, password: masterKey })).toBe('53400')
  accounts.pass(15 * 60_000)
  expect(await refusal({ address, password: masterKey })).toBe('connected')
})

test('what happens is written down, without credentials', async () => {
  const address = await open(['jwt', 'password'], {
    config: { audit: { enabled: true, piiRedaction: false } },
  })
  const ada = await signUp(accounts)
  await refusal({ address, user: ada.email, password: 'not the password' })
  await withWire({ address, password: ada.token }, async (client) => {
    await notes(client)
    await client.query('delete from main.notes').catch(() => undefined)
  })
  await accounts.gateway.audit?.flush()
  const { body, text } = await accounts.call('GET', '/admin/api/audit', { headers: admin })
  const entries = (body.entries as readonly Record<string, unknown>[]).filter(
    ({ via }) => via === 'pgwire',
  )
  expect(entries).toContainEqual(
    expect.objectContaining({
      kind: 'query',
      caller: ada.id,
      connection: 'main',
      sql: 'select note from main.notes order by id',
      ip: '127.0.0.1',
    }),
  )
  expect(entries).toContainEqual(
    expect.objectContaining({ kind: 'denial', error: 'PERMISSION_DENIED', caller: ada.id }),
  )
  expect(
    entries.some(({ error }) => error === 'UNAUTHORIZED' || error === 'INVALID_CREDENTIALS'),
  ).toBe(true)
  expect(text).not.toContain('not the password')
  expect(text).not.toContain(ada.token)
})

test('there is one server at a time, and it ends with the gateway', async () => {
  const address = await open(true)
  const { engine } = accounts.gateway
  await expect(engine.startPgWire()).rejects.toMatchObject({ problem: 'invalidConfiguration' })
  const client = await connectWire({ address })
  expect(engine.pgWireLoad()).toMatchObject({ idle: 1, accepted: 1 })
  await engine.close()
  expect(codeOf(await client.ended)).toBe('57P01')
  expect(engine.pgWireLoad()).toBeUndefined()
})

test('a pool may open many connections with a password; a changed one is no longer taken', async () => {
  accounts = await openAccounts(
    { throttle: { signInPerIp: [6, '5m'] } },
    { config: { pgWire: { port: 0, auth: { strategy: ['password'] } } } },
  )
  const { address } = await accounts.gateway.engine.startPgWire()
  const ada = await signUp(accounts)
  const login = { address, user: ada.email, password }
  for (let i = 0; i < 10; i += 1) expect(await refusal(login)).toBe('connected')
  const newPassword = `${password} 2`
  const body = { currentPassword: password, newPassword }
  const changed = await accounts.call('POST', '/auth/change-password', { token: ada.token, body })
  expect(changed.status).toBe(200)
  accounts.pass(4 * 60_000)
  expect(await refusal(login)).toBe('28P01')
  expect(await refusal({ ...login, password: newPassword })).toBe('connected')
})
