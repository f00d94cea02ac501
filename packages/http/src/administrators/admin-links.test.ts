import { expect, test } from 'vitest'
import { createAdminLinks, isLoopback } from './admin-links.ts'

test('a link is good once, for two minutes', () => {
  let nowMs = 1_000
  const links = createAdminLinks(() => nowMs)
  const [first, second] = [links.create(), links.create()]
  expect(first).toMatch(/^[\w-]{43}$/)
  expect(links.use('x'.repeat(43))).toBe(false)
  nowMs += 119_999
  expect(links.use(first)).toBe(true)
  expect(links.use(first)).toBe(false)
  nowMs += 1
  expect(links.use(second)).toBe(false)
  nowMs -= 1
  expect(links.use(second)).toBe(false)
})

test.each(['localhost', '127.0.0.1', '127.9.9.9', '::1', '[::1]'])('%s is this machine', (host) => {
  expect(isLoopback(host)).toBe(true)
})

test.each(['127.0.0.1.example.com', 'localhost.example.com', '10.0.0.1', '::', '0.0.0.0', ''])(
  '%s is not this machine',
  (host) => {
    expect(isLoopback(host)).toBe(false)
  },
)
