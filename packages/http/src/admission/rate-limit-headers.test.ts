import { createMemoryRateLimiter } from '@engine/core'
import { expect, test } from 'vitest'
import { rateLimitHeaders } from './rate-limit-headers.ts'

const perUser = { name: 'user', limit: 60, periodMs: 60_000, burst: 2 }
const perIp = { name: 'ip', limit: 100, periodMs: 60_000 }

test('nothing was counted: no headers', () => {
  expect(rateLimitHeaders([])).toEqual({})
})

test('an accepted request says what is left of each limit', () => {
  const limiter = createMemoryRateLimiter({ clock: () => 0 })
  const decisions = [limiter.take(perIp, 'k'), limiter.take(perUser, 'k')]
  expect(rateLimitHeaders(decisions)).toEqual({
    'RateLimit-Policy': '"ip";q=100;w=60, "user";q=60;w=60',
    RateLimit: '"ip";r=99;t=1, "user";r=1;t=1',
    'RateLimit-Limit': '60',
    'RateLimit-Remaining': '1',
    'RateLimit-Reset': '1',
  })
})

test('a refused one says when to come again: in whole seconds, never none', () => {
  let nowMs = 0
  const limiter = createMemoryRateLimiter({ clock: () => nowMs })
  for (let i = 0; i < 2; i += 1) limiter.take(perUser, 'k')
  expect(rateLimitHeaders([limiter.take(perUser, 'k')])).toMatchObject({ 'Retry-After': '1' })
  nowMs = 999
  expect(rateLimitHeaders([limiter.take(perUser, 'k')])).toEqual({
    'RateLimit-Policy': '"user";q=60;w=60',
    RateLimit: '"user";r=0;t=2',
    'RateLimit-Limit': '60',
    'RateLimit-Remaining': '0',
    'RateLimit-Reset': '2',
    'Retry-After': '1',
  })
  const hourly = { name: 'hourly', limit: 2, periodMs: 3_600_000, burst: 1 }
  limiter.take(hourly, 'k')
  expect(rateLimitHeaders([limiter.take(hourly, 'k')])['Retry-After']).toBe('1800')
})
