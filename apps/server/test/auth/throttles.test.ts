/** Rate limits of `/auth`, by address; headers cannot bypass them. */
import { afterEach, describe, expect, test } from 'vitest'
import {
  type Accounts,
  type CallAnswer,
  newEmail,
  openAccounts,
  password,
  readNotes,
  signUp,
} from '../support/accounts.ts'

const minute = 60_000

let accounts: Accounts | undefined
afterEach(() => accounts?.close())

/** With the default throttles of the configuration, or these. */
async function open(...[auth, options]: Parameters<typeof openAccounts>): Promise<Accounts> {
  accounts = await openAccounts({ throttle: {}, ...auth }, options)
  return accounts
}

interface Try {
  readonly email: string
  readonly secret?: string
  readonly ip?: string
  readonly headers?: Readonly<Record<string, string>>
}

const signIn = (
  { call }: Accounts,
  { email, secret = 'wrong', ...more }: Try,
): Promise<CallAnswer> =>
  call('POST', '/auth/sign-in', { body: { email, password: secret }, ...more })

async function statuses(count: number, run: (i: number) => Promise<CallAnswer>): Promise<number[]> {
  const found: number[] = []
  for (let i = 0; i < count; i += 1) found.push((await run(i)).status)
  return found
}

const times = (count: number, status: number): number[] => Array(count).fill(status)

describe('sign-in', () => {
  test('sign-in of one account from one address fails ten times in a quarter of an hour, then is 429', async () => {
    const opened = await open()
    const { email } = await signUp(opened)
    expect(await statuses(11, () => signIn(opened, { email }))).toEqual([...times(10, 401), 429])
    const refused = await signIn(opened, { email, secret: password })
    expect(refused).toMatchObject({ status: 429, body: { error: 'RATE_LIMITED' } })
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    expect(refused.headers.get('ratelimit')).toMatch(/^"[\w-]+";r=0;t=\d+$/)
    expect(refused.headers.get('ratelimit-policy')).toMatch(/^"[\w-]+";q=\d+;w=\d+$/)
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(900)
  })

  test('waiting as long as Retry-After says is enough, and trying meanwhile costs nothing', async () => {
    const opened = await open()
    const { email } = await signUp(opened)
    await statuses(12, () => signIn(opened, { email }))
    const refused = await signIn(opened, { email, secret: password })
    const seconds = Number(refused.headers.get('retry-after'))
    opened.pass((seconds - 2) * 1_000)
    expect(await statuses(5, () => signIn(opened, { email, secret: password }))).toEqual(
      times(5, 429),
    )
    opened.pass(2_000)
    expect(await signIn(opened, { email, secret: password })).toMatchObject({ status: 200 })
  })

  test('sign-in counts unknown addresses like known ones', async () => {
    const opened = await open()
    const { email } = await signUp(opened)
    const known = await statuses(12, () => signIn(opened, { email, ip: '203.0.113.1' }))
    const unknown = await statuses(12, () =>
      signIn(opened, { email: 'no@shop.test', ip: '203.0.113.2' }),
    )
    expect(unknown).toEqual(known)
  })

  test('sign-in counts an address in whatever case', async () => {
    const opened = await open()
    const { email } = await signUp(opened)
    const spelled = [email, email.toUpperCase(), ` ${email}`, `${email} `]
    const found = await statuses(12, (i) => signIn(opened, { email: spelled[i % 4] ?? '' }))
    expect(found).toEqual([...times(10, 401), 429, 429])
  })

  test('sign-in that succeeds begins anew', async () => {
    const opened = await open()
    const { email } = await signUp(opened)
    await statuses(9, () => signIn(opened, { email }))
    expect(await signIn(opened, { email, secret: password })).toMatchObject({ status: 200 })
    expect(await statuses(10, () => signIn(opened, { email }))).toEqual(times(10, 401))
  })

  test('sign-in at the same moment counts as one by one', async () => {
    const opened = await open()
    const { email } = await signUp(opened)
    const answers = await Promise.all(Array.from({ length: 25 }, () => signIn(opened, { email })))
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15)
  })

  test('sign-in of one account from many addresses is slowed down, but not where its owner was before', async () => {
    const opened = await open()
    const { email } = await signUp(opened)
    const home = '198.51.100.1'
    expect(await signIn(opened, { email, secret: password, ip: home })).toMatchObject({
      status: 200,
    })
    const found = await statuses(52, (i) => signIn(opened, { email, ip: `203.0.113.${i}` }))
    expect(found.slice(0, 50)).toEqual(times(50, 401))
    expect(found.slice(50)).toContain(429)
    expect(await signIn(opened, { email, secret: password, ip: '203.0.113.99' })).toMatchObject({
      status: 429,
    })
    expect(await signIn(opened, { email, secret: password, ip: home })).toMatchObject({
      status: 200,
    })
  })

  test('sign-in of many accounts from one address is 429 too', async () => {
    const opened = await open()
    const found = await statuses(70, () => signIn(opened, { email: newEmail() }))
    expect(found[0]).toBe(401)
    expect(found.at(-1)).toBe(429)
    expect(found.filter((status) => status === 401).length).toBeLessThanOrEqual(60)
    const elsewhere = await signIn(opened, { email: newEmail(), ip: '203.0.113.5' })
    expect(elsewhere.status).toBe(401)
  })
})

describe('an address', () => {
  const forged = [
    { 'x-forwarded-for': '1.2.3.4' },
    { 'x-real-ip': '1.2.3.4' },
    { forwarded: 'for=1.2.3.4' },
    { 'cf-connecting-ip': '1.2.3.4' },
    { 'true-client-ip': '1.2.3.4' },
    { 'x-client-ip': '1.2.3.4' },
    { 'x-cluster-client-ip': '1.2.3.4' },
    { 'fastly-client-ip': '1.2.3.4' },
    { via: '1.2.3.4' },
    { 'x-forwarded-for': '127.0.0.1, 10.0.0.1' },
    { 'x-forwarded-for': '' },
  ]

  test('an address is not what a header says, where no proxy is trusted', async () => {
    const opened = await open()
    const { email } = await signUp(opened)
    const found = await statuses(12, (i) =>
      signIn(opened, { email, headers: forged[i % forged.length] as Record<string, string> }),
    )
    expect(found).toEqual([...times(10, 401), 429, 429])
  })

  test('an address is not what a client of a trusted proxy says about itself', async () => {
    const opened = await open({}, { config: { security: { trustProxy: ['10.0.0.0/8'] } } })
    const { email } = await signUp(opened)
    const through = (client: string) => (i: number) =>
      signIn(opened, {
        email,
        ip: '10.0.0.1',
        headers: { 'x-forwarded-for': `1.2.3.${i}, ${client}` },
      })
    expect(await statuses(12, through('203.0.113.1'))).toEqual([...times(10, 401), 429, 429])
    expect(await statuses(1, through('203.0.113.2'))).toEqual([401])
    expect(await statuses(1, through('203.0.113.1, 10.9.9.9'))).toEqual([429])
  })

  test('an address of a client that is no trusted proxy is its own', async () => {
    const opened = await open({}, { config: { security: { trustProxy: ['10.0.0.0/8'] } } })
    const { email } = await signUp(opened)
    const found = await statuses(12, (i) =>
      signIn(opened, { email, ip: '203.0.113.1', headers: { 'x-forwarded-for': `10.0.0.${i}` } }),
    )
    expect(found).toEqual([...times(10, 401), 429, 429])
  })

  test('an address of IPv6 is its network', async () => {
    const opened = await open()
    const { email } = await signUp(opened)
    const found = await statuses(12, (i) => signIn(opened, { email, ip: `2001:db8:1:2::${i + 1}` }))
    expect(found).toEqual([...times(10, 401), 429, 429])
    expect(await signIn(opened, { email, ip: '2001:db8:1:3::1' })).toMatchObject({ status: 401 })
  })

  test('an address of IPv4 is the same when written as IPv6', async () => {
    const opened = await open()
    const { email } = await signUp(opened)
    const found = await statuses(12, (i) =>
      signIn(opened, { email, ip: i % 2 === 0 ? '203.0.113.1' : '::ffff:203.0.113.1' }),
    )
    expect(found).toEqual([...times(10, 401), 429, 429])
  })
})

describe('other routes', () => {
  test('sign-up: twenty in ten minutes from one address', async () => {
    const opened = await open({ password: { minLength: 8 } })
    const sign = (ip: string) =>
      opened.call('POST', '/auth/sign-up', { body: { email: newEmail(), password }, ip })
    const found = await statuses(22, () => sign('203.0.113.1'))
    expect(found).toEqual([...times(20, 201), 429, 429])
    expect(await sign('203.0.113.2')).toMatchObject({ status: 201 })
    opened.pass(10 * minute)
    expect(await sign('203.0.113.1')).toMatchObject({ status: 201 })
  })

  test('forgot-password: three in a quarter of an hour for one address, known or not', async () => {
    const opened = await open()
    const { email } = await signUp(opened)
    for (const given of [email, 'nobody@shop.test', 'no address']) {
      const found = await statuses(5, (i) =>
        opened.call('POST', '/auth/forgot-password', {
          body: { email: i % 2 === 0 || !given.includes('@') ? given : given.toUpperCase() },
          ip: `203.0.113.${i}`,
        }),
      )
      expect(found, given).toEqual([200, 200, 200, 429, 429])
    }
    opened.pass(15 * minute)
    expect(await opened.call('POST', '/auth/forgot-password', { body: { email } })).toMatchObject({
      status: 200,
    })
  })

  test('forgot-password: twenty in a quarter of an hour from one address', async () => {
    const opened = await open()
    const found = await statuses(22, () =>
      opened.call('POST', '/auth/forgot-password', { body: { email: newEmail() } }),
    )
    expect(found).toEqual([...times(20, 200), 429, 429])
  })

  test('resend-verification is throttled as well', async () => {
    const opened = await open()
    const { email } = await signUp(opened)
    const found = await statuses(5, () =>
      opened.call('POST', '/auth/resend-verification', { body: { email } }),
    )
    expect(found).toContain(429)
  })

  test.each(['/auth/reset-password', '/auth/verify-email', '/auth/accept-invitation'])(
    '%s: twenty failures from one address',
    async (path) => {
      const opened = await open()
      const guess = () => opened.call('POST', path, { body: { token: 'A'.repeat(43), password } })
      expect(await statuses(22, guess)).toEqual([...times(20, 400), 429, 429])
    },
  )

  test('change-password is no way around the throttle of passwords', async () => {
    const opened = await open()
    const { token } = await signUp(opened)
    const body = { currentPassword: 'wrong', newPassword: 'a brand new password' }
    const found = await statuses(12, () =>
      opened.call('POST', '/auth/change-password', { token, body }),
    )
    expect(found).toEqual([...times(10, 401), 429, 429])
    expect(await readNotes(opened, token)).toMatchObject({ status: 200 })
  })

  test('what is malformed is refused without being counted', async () => {
    const opened = await open()
    const { email } = await signUp(opened)
    await statuses(30, () => opened.call('POST', '/auth/sign-in', { body: { email } }))
    expect(await signIn(opened, { email, secret: password })).toMatchObject({ status: 200 })
  })
})

test('limits are what the configuration says', async () => {
  const opened = await open({ throttle: { signInFailuresPerAccountAndIp: [2, '1m'] } })
  const { email } = await signUp(opened)
  expect(await statuses(4, () => signIn(opened, { email }))).toEqual([401, 401, 429, 429])
  opened.pass(minute)
  expect(await signIn(opened, { email, secret: password })).toMatchObject({ status: 200 })
})

test('limits can be switched off', async () => {
  const opened = await open({ throttle: false })
  expect(await statuses(25, () => signIn(opened, { email: 'a@shop.test' }))).toEqual(times(25, 401))
})
