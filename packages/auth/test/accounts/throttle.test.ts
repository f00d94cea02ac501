import type { AuthConfig } from '@engine/core'
import { eachStore, type OpenTestStore, openSqliteStore, type TestStore } from '@engine/test-stores'
import { afterEach, describe, expect, test } from 'vitest'
import { clientAt, inParallel, type OpenAuth, openAuth, password } from '../support/open-auth.ts'

const minute = 60_000
const person = { email: 'ada@example.com', password }
const wrong = { ...person, password: 'wrong' }

let stores: TestStore
let auth: OpenAuth

async function open(
  throttle: NonNullable<AuthConfig['throttle']>,
  openStore: OpenTestStore = openSqliteStore,
): Promise<void> {
  stores = await openStore()
  auth = await openAuth(stores.store, { auth: { throttle } })
}

afterEach(async () => {
  await auth.close()
  await stores.remove()
})

/** The error codes of consecutive attempts; `undefined` for those that succeed. */
async function tryInTurn(count: number, attempt: (i: number) => Promise<unknown>) {
  const codes: (string | undefined)[] = []
  for (let i = 0; i < count; i++) {
    codes.push(
      await attempt(i).then(
        () => undefined,
        (error) => String(error.code),
      ),
    )
  }
  return codes
}

const times = (count: number, code: string) => Array.from({ length: count }, () => code)

describe('wrong passwords for one account from one address', () => {
  test('wrong passwords for one account from one address are ten in a row; then the right one is refused too, until there is room again', async () => {
    await open({})
    const here = clientAt('192.0.2.1')
    await auth.signUp(person, here)
    const codes = await tryInTurn(12, () => auth.signIn(wrong, here))
    expect(codes).toEqual([...times(10, 'INVALID_CREDENTIALS'), ...times(2, 'RATE_LIMITED')])
    const refused = auth.signIn(person, here)
    await expect(refused).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      status: 429,
      rate: { isAllowed: false, retryAfterMs: expect.any(Number) },
    })
    expect(auth.events('sign-in-throttled')).toHaveLength(3)
    // Another account from this address, this account from another address.
    await expect(auth.signIn({ ...wrong, email: 'bob@example.com' }, here)).rejects.toMatchObject({
      code: 'INVALID_CREDENTIALS',
    })
    await expect(auth.signIn(person, clientAt('198.51.100.7'))).resolves.toBeDefined()
    auth.pass(15 * minute)
    await expect(auth.signIn(person, here)).resolves.toBeDefined()
  })

  test('wrong passwords for one account from one address are as many for an unknown address', async () => {
    await open({})
    const nobody = { email: 'Nobody@example.com ', password }
    const codes = await tryInTurn(11, (i) =>
      auth.signIn(
        i % 2 === 0 ? nobody : { ...nobody, email: 'nobody@EXAMPLE.com' },
        clientAt('192.0.2.1'),
      ),
    )
    expect(codes).toEqual([...times(10, 'INVALID_CREDENTIALS'), 'RATE_LIMITED'])
  })

  test('wrong passwords for one account from one address are forgotten with the right one', async () => {
    await open({ signInPerIp: [1_000, '1m'] })
    const here = clientAt('192.0.2.1')
    await auth.signUp(person, here)
    for (let round = 0; round < 3; round++) {
      expect(await tryInTurn(9, () => auth.signIn(wrong, here))).toEqual(
        times(9, 'INVALID_CREDENTIALS'),
      )
      await auth.signIn(person, here)
    }
  })
})

eachStore('many at a time', (openStore) => {
  test('wrong passwords are no more than one after the other, right ones all succeed', async () => {
    await open({ signInPerIp: [1_000, '1m'] }, openStore)
    const here = clientAt('192.0.2.1')
    await auth.signUp(person, here)
    const right = await inParallel(25, () => auth.signIn(person, here))
    expect(right.values).toHaveLength(25)
    const { values, codes } = await inParallel(25, () => auth.signIn(wrong, here))
    expect(values).toEqual([])
    expect(codes.filter((code) => code === 'INVALID_CREDENTIALS')).toHaveLength(10)
    expect(codes.filter((code) => code === 'RATE_LIMITED')).toHaveLength(15)
  })

  test('from many addresses they are those that an account has', async () => {
    await open({ signInFailuresPerAccount: [5, '1h'] }, openStore)
    await auth.signUp(person, clientAt('192.0.2.1'))
    const { codes } = await inParallel(20, (i) => auth.signIn(wrong, clientAt(`198.51.100.${i}`)))
    expect(codes.filter((code) => code === 'INVALID_CREDENTIALS')).toHaveLength(5)
    // A second later one more is allowed, then two seconds later, and so on.
    const elsewhere = clientAt('203.0.113.1')
    await expect(auth.signIn(wrong, elsewhere)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    auth.pass(1_000)
    await expect(auth.signIn(wrong, elsewhere)).rejects.toMatchObject({ status: 401 })
    auth.pass(1_000)
    await expect(auth.signIn(person, elsewhere)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      rate: { retryAfterMs: 1_000 },
    })
    auth.pass(1_000)
    await expect(auth.signIn(person, elsewhere)).resolves.toBeDefined()
  })
})

describe('an account under attack', () => {
  const attack = (count: number, stepMs: number) =>
    tryInTurn(count, async (i) => {
      auth.pass(stepMs)
      await auth.signIn(wrong, clientAt(`198.51.${i % 200}.${i % 250}`))
    })

  test('an account under attack is locked after 100 failures in a row, but not for its owner', async () => {
    await open({})
    const home = clientAt('2001:db8:1:2::1')
    await auth.signUp(person, home)
    await auth.signIn(person, home)
    expect(await attack(100, 16 * minute)).toEqual(times(100, 'INVALID_CREDENTIALS'))
    expect(await attack(3, 3 * 60 * minute)).toEqual(times(3, 'RATE_LIMITED'))
    await expect(auth.signIn(person, clientAt('192.0.2.1'))).rejects.toMatchObject({ status: 429 })
    // The same network, another address of it.
    await expect(auth.signIn(person, clientAt('2001:db8:1:2:ffff::9'))).resolves.toBeDefined()
  })

  test('an account under attack is open again after a reset', async () => {
    await open({})
    await auth.signUp(person, clientAt('192.0.2.1'))
    await attack(100, 16 * minute)
    const elsewhere = clientAt('203.0.113.5')
    await expect(auth.signIn(person, elsewhere)).rejects.toMatchObject({ status: 429 })
    await auth.forgotPassword({ email: person.email }, elsewhere)
    const token = await auth.mailedToken(person.email, /reset/i)
    await auth.resetPassword({ token, password: 'another good one' }, elsewhere)
    const { user } = await auth.signIn({ ...person, password: 'another good one' }, elsewhere)
    expect(user.email).toBe(person.email)
  })

  test('an account under attack cannot have its password guessed with a stolen token either', async () => {
    await open({})
    const here = clientAt('192.0.2.1')
    const { session } = await auth.signUp(person, here)
    const change = { currentPassword: 'wrong', newPassword: 'another good one' }
    const codes = await tryInTurn(11, () => auth.changePassword(session.token, change, here))
    expect(codes).toEqual([...times(10, 'INVALID_CREDENTIALS'), 'RATE_LIMITED'])
  })
})

describe('one address', () => {
  test('signs in 30 times at once, and then once every five seconds', async () => {
    await open({})
    const here = clientAt('192.0.2.1')
    const codes = await tryInTurn(32, (i) =>
      auth.signIn({ ...wrong, email: `user${i}@example.com` }, here),
    )
    expect(codes).toEqual([...times(30, 'INVALID_CREDENTIALS'), ...times(2, 'RATE_LIMITED')])
    auth.pass(5_000)
    await expect(auth.signIn(wrong, here)).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' })
  })

  test('signs up 20 times in ten minutes; bodies that are wrong do not count', async () => {
    await open({})
    const here = clientAt('192.0.2.1')
    const malformed = await tryInTurn(30, () => auth.signUp({ email: 'x', password }, here))
    expect(malformed).toEqual(times(30, 'VALIDATION_ERROR'))
    const codes = await tryInTurn(21, (i) =>
      auth.signUp({ email: `user${i}@example.com`, password }, here),
    )
    expect(codes.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => undefined))
    expect(codes[20]).toBe('RATE_LIMITED')
  })

  test('one address shows 20 tokens that are wrong; the right one then has to wait too', async () => {
    await open({})
    const here = clientAt('192.0.2.1')
    await auth.signUp(person, here)
    const token = await auth.mailedToken(person.email, /./)
    const codes = await tryInTurn(21, (i) => auth.verifyEmail({ token: `wrong ${i}` }, here))
    expect(codes).toEqual([...times(20, 'INVALID_TOKEN'), 'RATE_LIMITED'])
    await expect(auth.verifyEmail({ token }, here)).rejects.toMatchObject({ status: 429 })
    await auth.verifyEmail({ token }, clientAt('198.51.100.1'))
  })

  test('one address asks for mails to 20 addresses, and 3 times for each, known or not', async () => {
    await open({})
    await auth.signUp(person, clientAt('192.0.2.1'))
    for (const email of [person.email, 'nobody@example.com', 'no address']) {
      const codes = await tryInTurn(4, (i) =>
        auth.forgotPassword({ email }, clientAt(`198.51.100.${i}`)),
      )
      expect(codes).toEqual([undefined, undefined, undefined, 'RATE_LIMITED'])
    }
    const here = clientAt('203.0.113.1')
    const codes = await tryInTurn(21, (i) => auth.forgotPassword({ email: `u${i}@x.org` }, here))
    expect(codes.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => undefined))
    expect(codes[20]).toBe('RATE_LIMITED')
  })

  test('one address that is not known shares one budget with all of that kind', async () => {
    await open({ signInPerIp: [4, '5m'] })
    const nowhere = { ip: undefined, userAgent: undefined, correlationId: 'test' }
    const codes = await tryInTurn(3, (i) =>
      auth.signIn({ ...wrong, email: `user${i}@example.com` }, nowhere),
    )
    expect(codes).toEqual([...times(2, 'INVALID_CREDENTIALS'), 'RATE_LIMITED'])
  })
})
