/** No client can find out which accounts exist: not by status, body, headers, length, nor by the amount of work. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Accounts,
  type CallAnswer,
  newEmail,
  openAccounts,
  password,
  signIn,
  signUp,
} from '../support/accounts.ts'

let accounts: Accounts

beforeAll(async () => {
  accounts = await openAccounts({
    urls: { reset: 'https://shop.test/reset', verify: 'https://shop.test/verify' },
  })
})
afterAll(() => accounts?.close())

/** The whole answer, except for parts that differ between any two requests. */
function visible({ status, headers, body, text }: CallAnswer): object {
  const own = ['x-request-id', 'date']
  return {
    status,
    headers: [...headers].map(([name, value]) => [name, own.includes(name) ? '' : value]),
    names: Object.keys(body),
    length: text.length,
    ...body,
    correlation_id: undefined,
  }
}

/** Number of hashes that are computed while a function runs. */
async function hashesOf(run: () => Promise<unknown>): Promise<number> {
  const made = () => accounts.gateway.auth?.hashingLoad().finished ?? Number.NaN
  const before = made()
  await run()
  return made() - before
}

async function disabled(): Promise<string> {
  const { email, id } = await signUp(accounts)
  await accounts.gateway.auth?.admin.updateUser(id, { disabled: true })
  return email
}

describe('sign-in', () => {
  test('sign-in refuses unknown addresses, wrong passwords and disabled users with the same answer', async () => {
    const { email } = await signUp(accounts)
    const answers = [
      await signIn(accounts, email, 'a wrong password'),
      await signIn(accounts, newEmail(), 'a wrong password'),
      await signIn(accounts, 'no address', 'a wrong password'),
      await signIn(accounts, await disabled()),
      await signIn(accounts, `${'x'.repeat(300)}@shop.test`, 'a wrong password'),
    ]
    for (const answer of answers) expect(visible(answer)).toEqual(visible(answers[0] as CallAnswer))
  })

  test('sign-in makes one hash in each case', async () => {
    const { email } = await signUp(accounts)
    const off = await disabled()
    for (const [what, run] of [
      ['the right password', () => signIn(accounts, email)],
      ['a wrong password', () => signIn(accounts, email, 'wrong')],
      ['an unknown address', () => signIn(accounts, newEmail(), 'wrong')],
      ['no address', () => signIn(accounts, 'no address', 'wrong')],
      ['a disabled user', () => signIn(accounts, off)],
    ] as const)
      expect(await hashesOf(run), what).toBe(1)
  })
})

describe('sign-up', () => {
  test('sign-up makes one hash, whether or not the address is taken', async () => {
    const { email } = await signUp(accounts)
    const taken = () => accounts.call('POST', '/auth/sign-up', { body: { email, password } })
    expect(await hashesOf(() => signUp(accounts))).toBe(1)
    expect(await hashesOf(taken)).toBe(1)
  })
})

describe.each(['/auth/forgot-password', '/auth/resend-verification'])('%s', (path) => {
  test('answers known, unknown and malformed addresses alike', async () => {
    const { email } = await signUp(accounts)
    const answers = []
    for (const given of [
      email,
      newEmail(),
      email.toUpperCase(),
      'no address',
      '',
      ' ',
      await disabled(),
    ])
      answers.push(await accounts.call('POST', path, { body: { email: given } }))
    for (const answer of answers) expect(visible(answer)).toEqual(visible(answers[0] as CallAnswer))
    expect(answers[0]).toMatchObject({ status: 200 })
  })

  test('makes no mail before it has answered', async () => {
    const { email } = await signUp(accounts)
    await accounts.mailedToken(email, /confirm/i)
    const before = await written()
    let hasAnswered = false
    const answered = accounts.call('POST', path, { body: { email } }).then(() => {
      hasAnswered = true
    })
    while (!hasAnswered) {
      const now = await written()
      if (!hasAnswered) expect(now).toEqual(before)
    }
    await answered
    await expect.poll(async () => (await written()).mails).toBe(before.mails + 1)
  })

  test('writes as much for an unknown user as for a known one', async () => {
    const { email } = await signUp(accounts)
    await accounts.mailedToken(email, /confirm/i)
    for (const given of [email, newEmail(), 'no address', await disabled()]) {
      const { mails, tokens } = await written()
      await accounts.call('POST', path, { body: { email: given } })
      await expect
        .poll(written, { message: given })
        .toEqual({ mails: mails + 1, tokens: tokens + 1 })
    }
  })
})

/** Rows that are written after an answer. */
async function written(): Promise<{ readonly mails: number; readonly tokens: number }> {
  const rows = async (table: string): Promise<number> =>
    (await accounts.gateway.store?.database.selectFrom(table).selectAll().execute())?.length ?? 0
  return { mails: await rows('engine_mails'), tokens: await rows('engine_one_time_tokens') }
}

test('in development mode, where errors reveal more, they reveal no more about this', async () => {
  const open = await openAccounts({}, { isDevelopment: true })
  const { email } = await signUp(open)
  const answers = [
    await signIn(open, email, 'a wrong password'),
    await signIn(open, newEmail(), 'a wrong password'),
    await signIn(open, 'no address', 'a wrong password'),
  ]
  const token = await open.mailedToken(email, /confirm/i)
  const reset = (of: string) =>
    open.call('POST', '/auth/reset-password', { body: { token: of, password } })
  const refused = [await reset('A'.repeat(43)), await reset(token), await reset('x')]
  for (const group of [answers, refused]) {
    for (const answer of group) expect(visible(answer)).toEqual(visible(group[0] as CallAnswer))
  }
  await open.close()
})

test('forgot-password mails only the owner, at the address of the account', async () => {
  const { email } = await signUp(accounts)
  await accounts.call('POST', '/auth/forgot-password', { body: { email: email.toUpperCase() } })
  await accounts.mailedToken(email, /reset/i)
  const mails = (await accounts.gateway.auth?.admin.outbox()) ?? []
  expect(mails.filter(({ to }) => to === email.toUpperCase())).toEqual([])
})

test('links lead to the configured pages, whatever host the request names', async () => {
  const { email } = await signUp(accounts)
  await accounts.call('POST', '/auth/forgot-password', {
    body: { email },
    headers: {
      host: 'evil.test',
      'x-forwarded-host': 'evil.test',
      origin: 'https://evil.test',
      referer: 'https://evil.test/',
    },
  })
  await accounts.mailedToken(email, /reset/i)
  const mails = (await accounts.gateway.auth?.admin.outbox()) ?? []
  const mail = mails.find(({ to, subject }) => to === email && /reset/i.test(subject))
  expect(mail?.text).toContain('https://shop.test/reset#token=')
  expect(JSON.stringify(mail)).not.toContain('evil')
})

test('one-time tokens that are unknown, used, expired or of another purpose get the same answer', async () => {
  const { email } = await signUp(accounts)
  const verify = await accounts.mailedToken(email, /confirm/i)
  await accounts.call('POST', '/auth/forgot-password', { body: { email } })
  const used = await accounts.mailedToken(email, /reset/i)
  const reset = (token: string) =>
    accounts.call('POST', '/auth/reset-password', { body: { token, password } })
  expect(await reset(used)).toMatchObject({ status: 200 })
  const answers = [
    await reset('A'.repeat(43)),
    await reset(used),
    await reset(verify),
    await reset('x'),
  ]
  const other = await signUp(accounts)
  await accounts.call('POST', '/auth/forgot-password', { body: { email: other.email } })
  const expired = await accounts.mailedToken(other.email, /reset/i)
  accounts.pass(3_600_001)
  answers.push(await reset(expired))
  for (const answer of answers) expect(visible(answer)).toEqual(visible(answers[0] as CallAnswer))
  expect(answers[0]).toMatchObject({ status: 400, body: { error: 'INVALID_TOKEN' } })
})

describe('with signUp.concealExisting', () => {
  test('a taken address is answered like a new one, and its owner gets a mail', async () => {
    const concealing = await openAccounts({
      emailVerification: true,
      signUp: { concealExisting: true },
      urls: { reset: 'https://shop.test/reset', verify: 'https://shop.test/verify' },
    })
    const [taken, free] = ['taken@shop.test', 'quite@shop.test']
    const send = (email: string) =>
      concealing.call('POST', '/auth/sign-up', { body: { email, password, name: 'Ada' } })
    await send(taken)
    const [again, fresh] = [await send(taken), await send(free)]
    expect(again.status).toBe(201)
    expect(again.text.length).toBe(fresh.text.length)
    expect(Object.keys(again.body.user)).toEqual(Object.keys(fresh.body.user))
    expect(again.body.user).toMatchObject({ email: taken, name: 'Ada', emailVerified: false })
    for (const { body } of [again, fresh]) {
      const { token } = body.session
      expect(await concealing.call('GET', '/auth/session', { token })).toMatchObject({
        status: 401,
      })
    }
    const told = async () =>
      (await concealing.gateway.auth?.admin.outbox())?.filter(
        ({ to, subject }) => to === taken && subject.includes('already'),
      )
    await expect.poll(told).toHaveLength(1)
    await concealing.close()
  })
})
