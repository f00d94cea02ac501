import { expect, test } from 'vitest'
import { createRecentLogins } from './recent-logins.ts'

const login = { accountId: 'a1', epoch: 3 }

test('a pair is known for five minutes, other pairs are not', () => {
  let nowMs = 0
  const logins = createRecentLogins(() => nowMs)
  logins.remember('ada@shop.test', 'open sesame', login)
  expect(logins.find('ada@shop.test', 'open sesame')).toMatchObject(login)
  expect(logins.find('ada@shop.test', 'open sesam')).toBeUndefined()
  expect(logins.find('eve@shop.test', 'open sesame')).toBeUndefined()
  nowMs = 299_999
  expect(logins.find('ada@shop.test', 'open sesame')).toMatchObject(login)
  nowMs = 300_000
  expect(logins.find('ada@shop.test', 'open sesame')).toBeUndefined()
})

test('where one ends and the other begins counts', () => {
  const logins = createRecentLogins(() => 0)
  logins.remember('ab', 'c', login)
  expect(logins.find('a', 'bc')).toBeUndefined()
})

test('the number of stored entries is limited', () => {
  const logins = createRecentLogins(() => 0)
  for (let i = 0; i < 1_500; i += 1) logins.remember(`user${i}`, 'x', login)
  expect(logins.find('user0', 'x')).toBeUndefined()
  expect(logins.find('user1499', 'x')).toMatchObject(login)
})
