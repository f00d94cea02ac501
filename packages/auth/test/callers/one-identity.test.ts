/** A token made elsewhere is one user, however its claims spell the user: whatever is done to the account counts for it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AuthConfig } from '@engine/core'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import { openSqliteStore, type TestStore } from '@engine/test-stores'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { client, type OpenAuth, openAuth } from '../support/open-auth.ts'
import { rawToken } from '../support/raw-token.ts'
import { runScript } from '../support/run-script.ts'

const secret = 'a secret of at least thirty-two bytes'
const shared = 'a secret that is shared with an issuer'
const exp = Math.floor(Date.UTC(2030, 0) / 1_000)
const issuers = [{ issuer: 'idp', secret: shared, roles: { default: ['partner'] } }]

type UserTable = NonNullable<AuthConfig['userTable']>

interface Case {
  readonly userTable: UserTable
  /** Key of the row, and id of its account. */
  readonly id: string
  /** Payloads without `exp` that identify the row, as JSON texts. */
  readonly payloads: readonly string[]
  /** The claim is the id of accounts: the token is that account. */
  readonly isAccount: boolean
}

const byNumber: UserTable = { table: 'main.people', columns: ['tenant'] }
const matched = (table: string, column: string, jwtField: string): UserTable => ({
  table: `main.${table}`,
  matchOn: { column, jwtField },
  columns: [],
})

const cases: readonly (readonly [string, Case])[] = [
  [
    'sub',
    {
      userTable: byNumber,
      id: '2',
      payloads: ['"sub":"2"', '"sub":2', '"sub":2.0', '"sub":2e0', '"sub":"7","sub":2'],
      isAccount: true,
    },
  ],
  [
    'a path of claims',
    {
      userTable: matched('people', 'id', 'person.id'),
      id: '2',
      payloads: [
        '"person":{"id":2}',
        '"person":{"id":"2"}',
        '"sub":"x","person":{"id":2}',
        '"sub":9,"person":{"id":"2"}',
        '"person.id":2,"person":{"id":1}',
      ],
      isAccount: true,
    },
  ],
  [
    'another column than the key',
    {
      userTable: matched('people', 'badge', 'badge'),
      id: '2',
      payloads: ['"sub":"x","badge":77', '"badge":"77"'],
      isAccount: false,
    },
  ],
]

describe.each(cases)('users identified by %s', (_, { userTable, id, payloads, isAccount }) => {
  let stores: TestStore
  let folder: string
  let auth: OpenAuth
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'engine-identity-'))
    const url = join(folder, 'users.db')
    const database = new Database(url)
    database.exec(`
      create table people (id integer primary key, email text, badge integer, tenant integer);
      insert into people values (1, 'ada@example.com', 55, 7), (2, 'bob@example.com', 77, 8);
    `)
    database.close()
    stores = await openSqliteStore()
    auth = await openAuth(stores.store, {
      connections: { main: url },
      auth: {
        userTable,
        signUp: { enabled: false },
        emailVerification: true,
        roles: { default: ['member'] },
        issuers,
      },
    })
  })
  afterEach(async () => {
    await auth.close()
    await stores.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  const token = (payload: string) =>
    rawToken({ alg: 'HS256' }, `{${payload},"exp":${exp}}`, { secret })
  const issued = (payload: string) =>
    rawToken({ alg: 'HS256' }, `{${payload},"exp":${exp},"iss":"idp"}`, { secret: shared })
  /** The outcomes of a credential on every way in. */
  const outcomes = async (text: string) => [
    await Promise.resolve(auth.authenticate(text, client)).then(
      ({ caller }) => (caller.kind === 'user' ? [caller.id, caller.roles] : caller.kind),
      ({ status }) => status,
    ),
    await auth.session(text, client).then(
      ({ user }) => user.id,
      ({ status }) => status,
    ),
  ]
  const adopt = async () => {
    await auth.forgotPassword({ email: 'bob@example.com' }, client)
    return auth.mailedToken('bob@example.com', /reset/i)
  }

  test('a row without an account is not an account', async () => {
    for (const payload of payloads) {
      expect(await outcomes(token(payload))).toMatchObject([[expect.anything(), []], /./])
      expect(await outcomes(issued(payload))).toMatchObject([[/^idp\|/, ['partner']], /^idp\|/])
    }
  })

  test('an address that is not verified, an account, and one that is disabled', async () => {
    for (const payload of payloads) await outcomes(token(payload))
    const reset = await adopt()
    for (const payload of payloads) {
      const [data] = await outcomes(token(payload))
      if (isAccount) expect(data, payload).toBe(403)
      else expect(data, payload).toEqual([expect.any(String), []])
    }
    await auth.resetPassword({ token: reset, password: 'correct horse battery' }, client)
    for (const payload of payloads) {
      const outcome = await outcomes(token(payload))
      if (isAccount) expect(outcome, payload).toEqual([[id, ['member']], id])
      // Its issuer says who it is: the account of the row is somebody's who has the mailbox.
      expect(await outcomes(issued(payload))).toMatchObject([[/^idp\|/, ['partner']], /^idp\|/])
    }
    await auth.admin.updateUser(id, { disabled: true })
    for (const payload of payloads) {
      expect(await outcomes(token(payload)), payload).toEqual([401, 401])
      expect((await outcomes(issued(payload)))[0], payload).toBe(401)
      await expect(auth.signOut(token(payload), client)).rejects.toMatchObject({ status: 401 })
    }
    await auth.admin.updateUser(id, { disabled: false })
    for (const payload of payloads) {
      expect((await outcomes(token(payload)))[0], payload).toEqual(
        isAccount ? [id, ['member']] : [expect.any(String), []],
      )
    }
  })

  test('what is no text and no whole number identifies no user', async () => {
    const field = userTable.matchOn?.jwtField.split('.').at(-1) ?? 'sub'
    for (const value of [
      '2.5',
      '-0',
      '1e999',
      '9007199254740993',
      '[2]',
      '{"id":2}',
      'null',
      '""',
    ]) {
      for (const payload of [
        `"${field}":${value}`,
        `"sub":"x","person":{"${field}":${value}}`,
        `"sub":"x","${field}":${value}`,
      ]) {
        expect((await outcomes(token(payload)))[0], payload).toBe(401)
      }
    }
    expect((await outcomes(token('"sub":02')))[0]).toBe(401)
  })
})

test('a token whose claims name two accounts is refused', async () => {
  const stores = await openSqliteStore()
  const folder = mkdtempSync(join(tmpdir(), 'engine-identity-'))
  const url = join(folder, 'users.db')
  const database = new Database(url)
  database.exec(
    `create table people (id integer primary key, email text);
     insert into people values (1, 'ada@example.com'), (2, 'bob@example.com')`,
  )
  database.close()
  const auth = await openAuth(stores.store, {
    connections: { main: url },
    auth: { userTable: matched('people', 'id', 'uid'), signUp: { enabled: false } },
  })
  for (const email of ['ada@example.com', 'bob@example.com']) {
    await auth.forgotPassword({ email }, client)
    await auth.mailedToken(email, /reset/i)
  }
  const callerOf = (claims: object) =>
    auth.authenticate(rawToken({ alg: 'HS256' }, { ...claims, exp }, { secret }), client)
  expect(await callerOf({ sub: '2', uid: 2 })).toMatchObject({ caller: { id: '2' } })
  await expect(callerOf({ sub: '1', uid: 2 })).rejects.toMatchObject({ status: 401 })
  await auth.close()
  await stores.remove()
  rmSync(folder, { recursive: true, force: true })
})

describePostgres('a key that a database reads in several spellings', () => {
  test('a key that a database reads in several spellings is one account', async () => {
    const stores = await openSqliteStore()
    const url = await createDatabase('identity')
    const id = '6f9619ff-8b86-4011-b42d-00c04fc964ff'
    await runScript(
      url,
      `create table people (id uuid primary key, email text);
       insert into people values ('${id}', 'bob@example.com')`,
    )
    const auth = await openAuth(stores.store, {
      connections: { main: url },
      auth: { userTable: { table: 'main.people', columns: [] }, signUp: { enabled: false } },
    })
    const callerOf = (sub: string) =>
      auth.authenticate(rawToken({ alg: 'HS256' }, { sub, exp }, { secret }), client)
    expect(await callerOf(id.toUpperCase())).toMatchObject({ caller: { roles: [] } })
    await auth.forgotPassword({ email: 'bob@example.com' }, client)
    await auth.mailedToken('bob@example.com', /reset/i)
    for (const sub of [id, id.toUpperCase()]) {
      expect(await callerOf(sub)).toMatchObject({ caller: { id, roles: ['user'] } })
    }
    await auth.admin.updateUser(id, { disabled: true })
    for (const sub of [id, id.toUpperCase()]) {
      await expect(callerOf(sub)).rejects.toMatchObject({ status: 401 })
    }
    await auth.close()
    await stores.remove()
  })
})
