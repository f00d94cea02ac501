import { expect, test } from 'vitest'
import { parseLimits } from '../../config/parse/parse-limits.ts'
import { admin, anonymous, type Caller } from '../../foundation/caller.ts'
import { createFaults } from '../../foundation/faults.ts'
import { createMemoryRateLimiter } from './memory-rate-limiter.ts'
import { createRequestLimits } from './request-limits.ts'

const from = (ip: string | undefined) => ({ ip, userAgent: undefined, correlationId: 'id' })

const user = (id: string): Caller => ({ kind: 'user', id, roles: [], fields: { id } })

function limitsOf(config: { rateLimitPerUser?: number; rateLimitPerIP?: number }) {
  const parsed = parseLimits(config, createFaults())
  if (parsed === undefined) throw new Error('the limits are valid')
  const limits = createRequestLimits(parsed, createMemoryRateLimiter({ clock: () => 0 }))
  return {
    isActive: limits.isActive,
    ofClient: async (ip: string | undefined) => limits.ofClient(from(ip)),
    ofCaller: async (caller: Caller, ip: string) => limits.ofCaller(caller, from(ip)),
  }
}

const refusal = expect.objectContaining({ code: 'RATE_LIMITED', status: 429 })

test('without configuration nothing is counted', async () => {
  const limits = limitsOf({})
  expect(limits.isActive).toBe(false)
  expect(await limits.ofClient('203.0.113.1')).toBeUndefined()
  expect(await limits.ofCaller(user('a'), '203.0.113.1')).toBeUndefined()
})

test('addresses are counted apart, IPv6 by network', async () => {
  const limits = limitsOf({ rateLimitPerIP: 2 })
  expect(await limits.ofClient('203.0.113.1')).toMatchObject({ isAllowed: true, remaining: 1 })
  await limits.ofClient('::ffff:203.0.113.1')
  await expect(limits.ofClient('203.0.113.1')).rejects.toThrow(refusal)
  await limits.ofClient('203.0.113.2')
  await limits.ofClient('2001:db8::1')
  await limits.ofClient('2001:db8::2')
  await expect(limits.ofClient('2001:db8::3')).rejects.toThrow(refusal)
  await limits.ofClient('2001:db8:0:1::3')
})

test('those without an address share one count', async () => {
  const limits = limitsOf({ rateLimitPerIP: 2 })
  await limits.ofClient(undefined)
  await limits.ofClient('nonsense')
  await expect(limits.ofClient(undefined)).rejects.toThrow(refusal)
})

test('users are counted wherever they are, anonymous callers where they are', async () => {
  const limits = limitsOf({ rateLimitPerUser: 1 })
  await limits.ofCaller(user('a'), '203.0.113.1')
  await expect(limits.ofCaller(user('a'), '203.0.113.2')).rejects.toThrow(refusal)
  await limits.ofCaller(user('b'), '203.0.113.1')
  await limits.ofCaller(anonymous, '203.0.113.1')
  await expect(limits.ofCaller(anonymous, '203.0.113.1')).rejects.toThrow(refusal)
  await limits.ofCaller(anonymous, '203.0.113.2')
  await limits.ofCaller(user('203.0.113.2'), '203.0.113.2')
})

test('the master key is counted by address only', async () => {
  const limits = limitsOf({ rateLimitPerUser: 1, rateLimitPerIP: 2 })
  for (let i = 0; i < 5; i += 1) {
    expect(await limits.ofCaller(admin, '203.0.113.1')).toBeUndefined()
  }
  await limits.ofClient('203.0.113.1')
  await limits.ofClient('203.0.113.1')
  await expect(limits.ofClient('203.0.113.1')).rejects.toThrow(refusal)
})
