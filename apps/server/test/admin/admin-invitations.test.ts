/** @module Invitations over HTTP: made by administrators, accepted with the token of the mail. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  type Accounts,
  type CallAnswer,
  masterKey,
  openAccounts,
  password,
  readNotes,
  signUp,
} from '../support/accounts.ts'

let accounts: Accounts
beforeEach(async () => {
  accounts = await openAccounts(
    { urls: { invite: 'https://shop.test/app#/invitation' } },
    { config: { audit: { enabled: true, piiRedaction: false } } },
  )
})
afterEach(() => accounts.close())

const email = 'ada@shop.test'
const subject = /invited/i
const admin = (method: string, path: string, body?: object): Promise<CallAnswer> =>
  accounts.call(method, `/admin/api${path}`, { token: masterKey, body })
const invite = (more: object = {}) => admin('POST', '/invitations', { email, ...more })
const accept = (body: object) => accounts.call('POST', '/auth/accept-invitation', { body })
const mailed = async () => {
  const { body } = await admin('GET', '/outbox')
  const { text } = body.mails.find(({ to }: { to: string }) => to === email)
  const [, token] = /https:\/\/shop\.test\/app#\/invitation\?token=([\w-]{43})\n/.exec(text) ?? []
  return token ?? ''
}

/** The whole answer, except for parts that differ between any two requests. */
const visible = ({ status, headers, text }: CallAnswer) => ({
  status,
  headers: [...headers].filter(([name]) => name !== 'x-request-id'),
  text: text.replace(/"(correlation_id|id|token|createdAt|expiresAt)":"[^"]*"/g, '$1'),
})

test('a mail leads to the account; the token of its session reads data', async () => {
  const { status, body } = await invite({ name: 'Ada', roles: ['user'], expiresIn: '2d' })
  expect(status).toBe(201)
  const { id, expiresAt } = body.invitation
  expect(body.invitation).toMatchObject({ email, name: 'Ada', roles: ['user'], fields: {} })
  expect(Date.parse(expiresAt) - accounts.now()).toBeGreaterThan(47 * 3_600_000)
  const token = await mailed()
  const shown = await accounts.call('POST', '/auth/invitation', { body: { token } })
  expect(shown).toMatchObject({ status: 200 })
  expect(shown.body).toEqual({ invitation: { email, name: 'Ada', expiresAt } })
  const accepted = await accept({ token, password })
  expect(accepted).toMatchObject({ status: 200, body: { user: { email, emailVerified: true } } })
  const { user, session } = accepted.body
  accounts.execute(`insert into notes (owner, note) values ('${user.id}', 'mine')`)
  expect((await readNotes(accounts, session.token)).body.rows).toEqual([['mine']])
  const audit = await admin('GET', '/audit?kind=admin&action=user-invited')
  expect(audit.body.entries).toMatchObject([{ facts: { id, email, roles: ['user'] } }])
  const { text } = await admin('GET', '/audit')
  expect(text).toContain('invitation-accepted')
  expect(text + accounts.log.join('')).not.toMatch(new RegExp(`${token}|${password}`))
})

test('lists, resends and revokes', async () => {
  const { invitation } = (await invite()).body
  const first = await mailed()
  const listed = await admin('GET', '/invitations?search=ADA&limit=1')
  expect(listed.body).toEqual({ invitations: [invitation], next: null })
  expect(listed.text).not.toContain(first)
  accounts.pass(1_000)
  const resent = await admin('POST', `/invitations/${invitation.id}/resend`)
  expect(resent.body.invitation).toMatchObject({ id: invitation.id, email })
  expect(resent.body.invitation.expiresAt > invitation.expiresAt).toBe(true)
  const second = await mailed()
  expect(second).not.toBe(first)
  expect(await accept({ token: first, password })).toMatchObject({ status: 400 })
  expect(await admin('DELETE', `/invitations/${invitation.id}`)).toMatchObject({ status: 200 })
  expect(await accept({ token: second, password })).toMatchObject({ status: 400 })
  expect((await admin('GET', '/invitations')).body.invitations).toEqual([])
  for (const [method, path] of [
    ['DELETE', ''],
    ['POST', '/resend'],
  ] as const) {
    const gone = await admin(method, `/invitations/${invitation.id}${path}`)
    expect(gone).toMatchObject({ status: 404 })
  }
  const { body } = await admin('GET', '/audit?kind=admin')
  const actions = body.entries.map(({ action }: { action: string }) => action)
  expect(actions).toEqual(expect.arrayContaining(['invitation-resent', 'invitation-revoked']))
})

test('no answer says whether the address has an account', async () => {
  const answers: object[][] = []
  for (const isKnown of [false, true]) {
    const other = await openAccounts({ urls: { invite: 'https://shop.test/' } })
    if (isKnown) await signUp(other, { email, name: 'Ada' })
    const made = await other.call('POST', '/admin/api/invitations', {
      token: masterKey,
      body: { email, name: 'Ada' },
    })
    const token = await other.mailedToken(email, subject)
    const show = await other.call('POST', '/auth/invitation', { body: { token } })
    const short = await other.call('POST', '/auth/accept-invitation', {
      body: { token, password: 'short' },
    })
    const done = await other.call('POST', '/auth/accept-invitation', { body: { token, password } })
    const again = await other.call('POST', '/auth/accept-invitation', { body: { token, password } })
    answers.push([made, show, short, done, again].map((answer) => visible(answer)))
    expect(done.status).toBe(200)
    await other.close()
  }
  const [unknown, known] = answers
  const withoutDates = (all: object[] | undefined) =>
    JSON.parse(
      JSON.stringify(all)
        .replaceAll('sentAt', '')
        .replace(/20\d\d-[^"\\]*Z/g, ''),
    )
  expect(withoutDates(known)).toEqual(withoutDates(unknown))
})

test('tokens that are unknown, used, revoked, expired or of another purpose get one answer', async () => {
  const tokens = ['A'.repeat(43), 'x', '']
  await invite()
  tokens.push(await mailed())
  expect(await accept({ token: tokens.at(-1), password })).toMatchObject({ status: 200 })
  await accounts.call('POST', '/auth/forgot-password', { body: { email } })
  tokens.push(await accounts.mailedToken(email, /reset/i))
  const revoked = (await invite()).body.invitation
  tokens.push(await accounts.mailedToken(email, subject))
  await admin('DELETE', `/invitations/${revoked.id}`)
  await invite({ expiresIn: '1h' })
  tokens.push(await accounts.mailedToken(email, subject))
  accounts.pass(3_600_000)
  for (const path of ['/auth/accept-invitation', '/auth/invitation']) {
    const answers = []
    for (const token of tokens) {
      answers.push(visible(await accounts.call('POST', path, { body: { token, password } })))
    }
    expect(answers[0]).toMatchObject({ status: 400 })
    for (const answer of answers) expect(answer).toEqual(answers[0])
  }
})

test('a role that the configuration lost meanwhile makes the invitation invalid at once', async () => {
  const edits = { name: 'edits', table: 'main.notes', roles: ['editor'], select: {} }
  await accounts.reconfigure({ permissions: [edits] })
  await invite({ roles: ['editor'] })
  const token = await mailed()
  await accounts.reconfigure({ permissions: [{ ...edits, roles: ['writer'] }] })
  expect(await accept({ token, password })).toMatchObject({ status: 409 })
  const { body } = await admin('GET', '/invitations')
  expect(body.invitations).toMatchObject([{ email, unknownRoles: ['editor'] }])
  expect((await admin('GET', '/users')).body.users).toEqual([])
  await accounts.reconfigure({ permissions: [edits] })
  expect(await accept({ token, password })).toMatchObject({ status: 200 })
})

test('only the master key invites, with a body of the right form', async () => {
  for (const [method, path] of [
    ['GET', ''],
    ['POST', ''],
    ['DELETE', '/x'],
    ['POST', '/x/resend'],
  ] as const) {
    const { token } = await signUp(accounts)
    for (const given of [undefined, token]) {
      const answer = await accounts.call(method, `/admin/api/invitations${path}`, {
        ...(given === undefined ? {} : { token: given }),
        ...(method === 'POST' ? { body: { email } } : {}),
      })
      expect(answer.status).toBe(401)
    }
  }
  for (const body of [
    {},
    { email: 7 },
    { email, admin: true },
    { email, roles: 'user' },
    { email, roles: [7] },
    { email, roles: ['nobody'] },
    { email, fields: [] },
    { email, fields: { plan: {} } },
    { email, fields: { plan: 'free' } },
    { email, expiresIn: 7 },
    { email, expiresIn: '1y' },
  ]) {
    expect(await admin('POST', '/invitations', body)).toMatchObject({ status: 400 })
  }
  expect((await admin('GET', '/invitations')).body.invitations).toEqual([])
})
