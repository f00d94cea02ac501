/** @module `POST /admin/api/users`: accounts that an administrator makes. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Accounts, masterKey, openAccounts, password } from '../support/accounts.ts'

let accounts: Accounts
beforeEach(async () => {
  accounts = await openAccounts(
    { signUp: { enabled: false } },
    { config: { audit: { enabled: true } } },
  )
})
afterEach(() => accounts.close())

const email = 'ada@example.com'
const create = (body: object, token: string | undefined = masterKey) =>
  accounts.call('POST', '/admin/api/users', { body, ...(token === '' ? {} : { token }) })
const signIn = (given: string) =>
  accounts.call('POST', '/auth/sign-in', { body: { email, password: given } })

test('without a password the owner sets one with a mail; nobody signs in before', async () => {
  const { status, body } = await create({ email, name: 'Ada', roles: ['reader'] })
  expect(status).toBe(201)
  expect(body.user).toMatchObject({ email, name: 'Ada', roles: ['reader'], emailVerified: false })
  expect((await signIn(password)).status).toBe(401)
  const token = await accounts.mailedToken(email, /password/i)
  const reset = { token, password }
  expect((await accounts.call('POST', '/auth/reset-password', { body: reset })).status).toBe(200)
  expect((await signIn(password)).body.user).toMatchObject({ id: body.user.id })
})

test('with a password there is no mail; the password is checked and never told', async () => {
  expect(await create({ email, password: 'short' })).toMatchObject({ status: 400 })
  const made = await create({ email, password, verified: true })
  expect(made).toMatchObject({ status: 201, body: { user: { emailVerified: true, roles: null } } })
  expect((await signIn(password)).status).toBe(200)
  const outbox = await accounts.call('GET', '/admin/api/outbox', { token: masterKey })
  expect(outbox.body.mails).toEqual([])
  const audit = await accounts.call('GET', '/admin/api/audit?action=user-created', {
    token: masterKey,
  })
  expect(audit.body.entries).toMatchObject([{ facts: { hasPassword: true, emailVerified: true } }])
  expect(made.text + audit.text).not.toContain(password)
})

test('an address that is taken, one that is none, and a caller without the key are refused', async () => {
  await create({ email })
  expect(await create({ email: 'ADA@example.com' })).toMatchObject({ status: 409 })
  expect(await create({ email: 'nobody' })).toMatchObject({ status: 400 })
  expect(await create({ email: 'b@example.com', admin: true })).toMatchObject({ status: 400 })
  expect(await create({ email: 'b@example.com' }, '')).toMatchObject({ status: 401 })
})
