import type { NewInvitation } from '@engine/auth'
import { eachStore, openSqliteStore, type TestStore } from '@engine/test-stores'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { client, inParallel, type OpenAuth, openAuth, password } from '../support/open-auth.ts'

const day = 24 * 3_600_000
const email = 'Ada@Example.com'
const invalid = { code: 'INVALID_TOKEN', status: 400, message: 'The token is invalid or expired.' }
const notes = { name: 'notes', table: 'main.notes', select: {} }
const permissions = [{ ...notes, roles: ['editor', 'reader'] }]

const subject = /invited/i

eachStore('invitations', (openStore) => {
  let stores: TestStore
  let auth: OpenAuth
  const mailed = (count = 1, to = email) => auth.mailedToken(to, subject, count)
  const invite = (more: Partial<NewInvitation> = {}) => auth.admin.invite({ email, ...more })
  const accept = (token: string, more: object = {}) =>
    auth.acceptInvitation({ token, password, ...more }, client)
  const all = { limit: 10, offset: 0 }

  beforeEach(async () => {
    stores = await openStore()
    auth = await openAuth(stores.store, { permissions, auth: { signUp: { enabled: false } } })
  })
  afterEach(async () => {
    await auth.close()
    await stores.remove()
  })

  test('an invited person makes the account, verified and with the roles, and is signed in', async () => {
    const invitation = await invite({ name: 'Ada', roles: ['editor'] })
    expect(invitation).toMatchObject({ email, name: 'Ada', roles: ['editor'], unknownRoles: [] })
    expect(await auth.admin.listUsers(all)).toEqual([])
    const token = await mailed()
    expect(await auth.showInvitation({ token }, client)).toEqual({
      invitation: { email, name: 'Ada', expiresAt: invitation.expiresAt },
    })
    const { user, session } = await accept(token)
    expect(user).toMatchObject({ email, name: 'Ada', emailVerified: true })
    const { caller } = await auth.authenticate(session.token, client)
    expect(caller).toMatchObject({ id: user.id, roles: ['editor'] })
    expect((await auth.signIn({ email: 'ada@example.com', password }, client)).user).toEqual(user)
    expect(await auth.admin.listInvitations(all)).toEqual([])
    expect(auth.events('invitation-accepted')).toMatchObject([{ caller: user.id }])
  })

  test('of eight at once with one token one succeeds, and nothing else is left', async () => {
    await invite()
    const token = await mailed()
    const { values, codes } = await inParallel(8, (i) =>
      accept(token, { password: `${password} ${i}` }),
    )
    expect(values).toHaveLength(1)
    expect(new Set(codes)).toEqual(new Set([invalid.code]))
    expect(await auth.admin.listUsers(all)).toHaveLength(1)
  })

  test('used, revoked, expired, resent and unknown tokens get one answer', async () => {
    const refused = async (token: string) => {
      await expect(accept(token)).rejects.toMatchObject(invalid)
      await expect(auth.showInvitation({ token }, client)).rejects.toMatchObject(invalid)
    }
    await refused('A'.repeat(43))
    await invite()
    const used = await mailed()
    await accept(used)
    await refused(used)

    const other = 'bob@example.com'
    const { id } = await invite({ email: other, expiresIn: '1h' })
    const first = await mailed(1, other)
    auth.pass(1_000)
    expect(await auth.admin.resendInvitation(id)).toMatchObject({ id })
    const second = await mailed(2, other)
    await refused(first)
    auth.pass(3_600_000)
    await refused(second)
    auth.pass(1_000)
    expect((await auth.admin.listInvitations(all)).map((each) => each.id)).toEqual([id])
    await auth.admin.resendInvitation(id)
    const third = await mailed(1, other)
    expect(await auth.admin.revokeInvitation(id)).toBe(true)
    await refused(third)
    expect(await auth.admin.revokeInvitation(id)).toBe(false)
    expect(await auth.admin.resendInvitation(id)).toBeUndefined()
    expect(await auth.admin.listInvitations(all)).toEqual([])
  })

  test('an address is invited once at a time, in any spelling; an expired invitation gives way', async () => {
    await invite({ expiresIn: '1h' })
    const again = auth.admin.invite({ email: 'ADA@EXAMPLE.COM' })
    await expect(again).rejects.toMatchObject({ code: 'CONFLICT', status: 409 })
    auth.pass(3_600_000)
    const { id } = await invite()
    expect((await auth.admin.listInvitations(all)).map((each) => each.id)).toEqual([id])
    const { values } = await inParallel(5, () => auth.admin.invite({ email: 'bob@example.com' }))
    expect(values).toHaveLength(1)
  })

  test('the address is that of the invitation, whatever the request says', async () => {
    await invite()
    const token = await mailed()
    const body = { email: 'eve@example.com', roles: ['admin'], id: '7', emailVerified: false }
    const { user } = await accept(token, { ...body, name: 'A. L.' })
    expect(user).toMatchObject({ email, name: 'A. L.' })
    expect(await auth.admin.listUsers(all)).toMatchObject([{ email, roles: null }])
  })

  test('a password that is refused does not use the token up', async () => {
    await invite({ name: 'Ada Lovelace' })
    const token = await mailed()
    for (const refused of ['short', 'password1', 'Ada@Example.com', 'ada lovelace']) {
      const code = 'VALIDATION_ERROR'
      await expect(accept(token, { password: refused })).rejects.toMatchObject({ code })
    }
    await accept(token)
  })

  test('tokens of other purposes are good for nothing here, and this one for nothing else', async () => {
    await invite()
    const token = await mailed()
    const reset = auth.resetPassword({ token, password }, client)
    await expect(reset).rejects.toMatchObject(invalid)
    await expect(auth.verifyEmail({ token }, client)).rejects.toMatchObject(invalid)
    await auth.admin.createUser({ email: 'bob@example.com' })
    const ofReset = await auth.mailedToken('bob@example.com', /reset/i)
    await expect(accept(ofReset)).rejects.toMatchObject(invalid)
    await accept(token)
  })

  test('an account that the address has already gets the same answer; all it had before ends', async () => {
    const known = {
      email: 'ada@example.com',
      name: 'not Ada',
      password: 'the password of somebody',
    }
    const { id } = await auth.admin.createUser({ ...known, roles: ['reader'] })
    const { session } = await auth.signIn(known, client)
    await auth.admin.startReset(id)
    const reset = await auth.mailedToken(known.email, /reset/i)
    await invite({ name: 'Ada', roles: ['editor'] })
    const { user, session: mine } = await accept(await mailed())
    expect(user).toMatchObject({ id, email: known.email, name: 'Ada', emailVerified: true })
    expect((await auth.authenticate(mine.token, client)).caller.roles).toEqual(['editor'])
    const ended = auth.session(session.token, client)
    await expect(ended).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    const before = auth.signIn(known, client)
    await expect(before).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' })
    const taken = auth.resetPassword({ token: reset, password: known.password }, client)
    await expect(taken).rejects.toMatchObject(invalid)
    await expect
      .poll(async () => (await auth.admin.outbox()).map((mail) => mail.subject))
      .toContain('Your password for Engine was changed')
  })

  test('a disabled account stays disabled', async () => {
    const { id } = await auth.admin.createUser({ email, password: 'another good one' })
    await auth.admin.updateUser(id, { disabled: true })
    await invite()
    const token = await mailed()
    await expect(accept(token)).rejects.toMatchObject(invalid)
    await auth.admin.updateUser(id, { disabled: false })
    await accept(token)
  })

  test('input that does not fit is refused', async () => {
    const refused = async (more: Partial<NewInvitation>, message: RegExp) =>
      expect(invite(more)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        message: expect.stringMatching(message),
      })
    await refused({ email: 'nobody' }, /e-mail address/)
    await refused({ name: 'x'.repeat(201) }, /name/)
    await refused({ roles: ['unheard'] }, /no role "unheard": it names editor, reader, user\.$/)
    await refused({ roles: ['editors'] }, /no role "editors"; did you mean "editor"\?$/)
    await refused({ roles: ['*'] }, /no role/)
    await refused({ fields: { plan: 'free' } }, /no user table/)
    for (const expiresIn of ['', '7', '7 days', '1s', '91d', '-1h']) {
      await refused({ expiresIn }, /expiresIn/)
    }
    expect(await auth.admin.outbox()).toEqual([])
  })

  test('neither token nor password is stored as it is', async () => {
    await invite()
    const token = await mailed()
    const stored = async () => {
      let seen = ''
      for (const { name } of await stores.store.database.introspection.getTables()) {
        if (!name.startsWith('engine_')) continue
        const rows = await stores.store.database.selectFrom(name).selectAll().execute()
        seen += JSON.stringify(rows, (_, value) =>
          typeof value === 'bigint' ? String(value) : value,
        )
      }
      return seen
    }
    const before = await stored()
    expect(before).toContain(email)
    expect(before).not.toContain(token)
    await accept(token)
    expect(await stored()).not.toContain(password)
    expect(JSON.stringify([auth.events(), auth.logged])).not.toMatch(
      new RegExp(`${token}|${password}`),
    )
  })

  test('lists are searched and paged', async () => {
    for (const name of ['a_1', 'b%2', 'c']) {
      auth.pass(1_000)
      await auth.admin.invite({ email: `${name}@example.com` })
    }
    const found = async (filter: object) =>
      (await auth.admin.listInvitations({ ...all, ...filter })).map((each) => each.email)
    expect(await found({})).toEqual(['c@example.com', 'b%2@example.com', 'a_1@example.com'])
    expect(await found({ limit: 1, offset: 1 })).toEqual(['b%2@example.com'])
    expect(await found({ search: 'A_1' })).toEqual(['a_1@example.com'])
    expect(await found({ search: '%' })).toEqual(['b%2@example.com'])
  })
})

describe('the roles of an invitation', () => {
  let stores: TestStore
  let auth: OpenAuth
  beforeEach(async () => {
    stores = await openSqliteStore()
  })
  afterEach(async () => {
    await auth.close()
    await stores.remove()
  })
  const open = async (options: Parameters<typeof openAuth>[1]) => {
    auth = await openAuth(stores.store, options)
  }
  const accept = (token: string) => auth.acceptInvitation({ token, password }, client)

  test('the roles of an invitation that the configuration no longer has make it invalid, until it has them again', async () => {
    await open({ permissions })
    await auth.admin.invite({ email, roles: ['editor', 'reader'] })
    const token = await auth.mailedToken(email, subject)
    await auth.close()
    await open({ permissions: [{ ...notes, roles: ['reader'] }] })
    const unfit = {
      code: 'CONFLICT',
      status: 409,
      message: 'This invitation cannot be accepted any more. Please ask for a new one.',
    }
    await expect(accept(token)).rejects.toMatchObject(unfit)
    await expect(auth.showInvitation({ token }, client)).rejects.toMatchObject(unfit)
    expect(auth.logged.join('\n')).toMatch(/cannot be accepted .*editor.* names no such role/)
    expect(await auth.admin.listInvitations({ limit: 1, offset: 0 })).toMatchObject([
      { email, unknownRoles: ['editor'] },
    ])
    expect(await auth.admin.listUsers({ limit: 1, offset: 0 })).toEqual([])
    await auth.close()
    await open({ permissions })
    const { session } = await accept(token)
    const { caller } = await auth.authenticate(session.token, client)
    expect(caller.roles).toEqual(['editor', 'reader'])
  })

  test('the roles of an invitation may be any where another service or the application reads roles', async () => {
    await open({ permissions, auth: { roles: { inToken: true } } })
    expect(await auth.admin.invite({ email, roles: ['elsewhere'] })).toMatchObject({
      unknownRoles: [],
    })
    await auth.close()
    await open({ permissions, auth: { resolveSession: () => undefined } })
    await expect(
      auth.admin.invite({ email: 'bob@example.com', roles: ['elsewhere'] }),
    ).resolves.toBeDefined()
  })

  test('the roles of an invitation are the default ones where it has none', async () => {
    await open({ permissions })
    await auth.admin.invite({ email, expiresIn: '90d' })
    auth.pass(89 * day)
    // The mail is gone after a day; the token is good for as long as it says.
    const [{ id } = { id: '' }] = await auth.admin.listInvitations({ limit: 1, offset: 0 })
    await auth.admin.resendInvitation(id)
    const { session } = await accept(await auth.mailedToken(email, subject))
    expect((await auth.authenticate(session.token, client)).caller.roles).toEqual(['user'])
  })
})

describe('accepting is throttled', () => {
  test('accepting is throttled by wrong tokens from one address', async () => {
    const stores = await openSqliteStore()
    const auth = await openAuth(stores.store, {
      permissions,
      auth: { throttle: { tokenFailuresPerIp: [3, '15m'] } },
    })
    await auth.admin.invite({ email })
    const token = await auth.mailedToken(email, subject)
    const codes: string[] = []
    for (let i = 0; i < 4; i++) {
      const guess = { token: 'A'.repeat(43), password }
      const { codes: found } = await inParallel<unknown>(1, () =>
        i % 2 === 0 ? auth.acceptInvitation(guess, client) : auth.showInvitation(guess, client),
      )
      codes.push(...found)
    }
    expect(codes).toEqual(['INVALID_TOKEN', 'INVALID_TOKEN', 'INVALID_TOKEN', 'RATE_LIMITED'])
    const right = auth.acceptInvitation({ token, password }, client)
    await expect(right).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    expect(auth.events('invitation-failed')).toHaveLength(3)
    await auth.close()
    await stores.remove()
  })
})
