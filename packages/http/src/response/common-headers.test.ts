import { expect, test } from 'vitest'
import { adminHeaders, commonHeaders } from './common-headers.ts'

test('headers of the configuration are added; one that is ours too is there once', () => {
  const headers = commonHeaders({
    headers: { 'Strict-Transport-Security': 'max-age=1', 'referrer-policy': 'origin' },
  })
  expect(headers).toMatchObject({
    'X-Content-Type-Options': 'nosniff',
    'Strict-Transport-Security': 'max-age=1',
    'referrer-policy': 'origin',
  })
  expect(Object.keys(headers).filter((name) => /^referrer-policy$/i.test(name))).toHaveLength(1)
})

test('under /admin the policy is that of security.csp, whatever other headers say', () => {
  const csp = "default-src 'self'"
  const headers = adminHeaders({ csp, headers: { 'content-security-policy': '*', 'X-Extra': '1' } })
  expect(headers['Content-Security-Policy']).toBe(csp)
  expect(headers).not.toHaveProperty('content-security-policy')
  expect(headers).toMatchObject({ 'X-Frame-Options': 'DENY', 'X-Extra': '1' })
})
