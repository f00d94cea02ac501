import { expect, test } from 'vitest'
import { leftMs, readSignedIn, renewedBy, signedInBy } from './signed-in.ts'

const user = {
  id: '7',
  email: 'ada@shop.test',
  name: 'Ada',
  emailVerified: false,
  createdAt: '2026-01-01T00:00:00.000Z',
}
const hourMs = 3_600_000
const engineMs = Date.parse('2026-11-22T12:00:00.000Z')

/** The engine's answer at noon of its clock: a token for one hour. */
function answer(issuedAtMs = engineMs) {
  const payload = btoa(JSON.stringify({ sub: '7', iat: issuedAtMs / 1_000 })).replaceAll('=', '')
  const expiresAt = new Date(issuedAtMs + hourMs).toISOString()
  return { user, session: { token: `e30.${payload}.c2ln`, expiresAt } }
}

test.for([0, -5 * hourMs, 5 * hourMs])(
  'a clock that is %d ms off sees the whole hour',
  (wrongMs) => {
    const signedIn = signedInBy(answer(), engineMs + wrongMs)
    expect(leftMs(signedIn, engineMs + wrongMs)).toBe(hourMs)
    expect(leftMs(signedIn, engineMs + wrongMs + 20 * 60_000)).toBe(40 * 60_000)
  },
)

test('a token that is none of JWT is taken to be made now', () => {
  const { session } = answer()
  const signedIn = signedInBy({ user, session: { ...session, token: 'opaque' } }, engineMs)
  expect(leftMs(signedIn, engineMs)).toBe(hourMs)
})

test('a clock that was turned back says nothing about a token', () => {
  expect(leftMs(signedInBy(answer(), engineMs), engineMs - hourMs)).toBe(0)
})

test('a renewal keeps the session and, without a new token, the time that is left', () => {
  const before = signedInBy(answer(), engineMs)
  const same = renewedBy(before, { ...answer(), user: { ...user, name: 'Ada L.' } }, engineMs + 1)
  expect(same).toEqual({ ...before, user: { ...user, name: 'Ada L.' } })
  const renewed = renewedBy(before, answer(engineMs + hourMs / 2), engineMs + hourMs / 2)
  expect(renewed.id).toBe(before.id)
  expect(leftMs(renewed, engineMs + hourMs / 2)).toBe(hourMs)
})

test('what was kept is read again, and nothing else', () => {
  const signedIn = signedInBy(answer(), engineMs)
  expect(readSignedIn(JSON.stringify(signedIn))).toEqual(signedIn)
  for (const text of [undefined, '', '{', 'null', '7', '{}', '{"token":"abc"}', '"abc"']) {
    expect(readSignedIn(text)).toBeUndefined()
  }
})
