import { expect, test } from 'vitest'
import { createRedaction, keepsAll } from './redact.ts'

const redaction = createRedaction((address) => `email:${address.trim().toLowerCase().length}`)

test('SQL loses what stands in its literals, and nothing else', () => {
  const sql = `select * from "main"."users" where email = 'ada@example.com' and phone = '+1 415 555 2671' and id = 7 and born < '1990-01-15'`
  expect(redaction.text(sql)).toBe(
    `select * from "main"."users" where email = '[email]' and phone = '[phone]' and id = 7 and born < '1990-01-15'`,
  )
})

test('values are redacted however deep they are, keys too', () => {
  const params = [
    'ada@example.com',
    7,
    4155552671,
    null,
    true,
    { 'bob@example.com': { phones: ['020 7946 0958', '2024-01-15'] } },
    '{"json":"in text","to":"eve@example.com"}',
  ]
  expect(redaction.value(params)).toEqual([
    '[email]',
    7,
    '[phone]',
    null,
    true,
    { '[email]': { phones: ['[phone]', '2024-01-15'] } },
    '{"json":"in text","to":"[email]"}',
  ])
})

test('what is nested without end is left out', () => {
  let value: unknown = 'ada@example.com'
  for (let depth = 0; depth < 1_000; depth += 1) value = [value]
  expect(JSON.stringify(redaction.value(value))).toContain('[too deep]')
})

test('facts keep who is who: one address is one hash', () => {
  expect(redaction.facts({ email: 'Ada@Example.com', note: 'call +1 415 555 2671' })).toEqual({
    email: 'email:15',
    note: 'call [phone]',
  })
  expect(redaction.facts('ada@example.com, b@example.com: 4155552671')).toBe(
    'email:15, email:13: [phone]',
  )
})

test('hashes that look like telephone numbers stay whole', () => {
  const digits = createRedaction(() => 'email:4155552671')
  expect(digits.facts({ email: 'ada@example.com' })).toEqual({ email: 'email:4155552671' })
  expect(digits.facts('\u0000ada@example.com')).toBe('email:4155552671')
})

test('an identity is a hash when it is an address; ids stay as they are', () => {
  expect(redaction.identity('ada@example.com')).toBe('email:15')
  expect(redaction.identity('https://issuer.example|ada@example.com')).not.toContain('ada')
  expect(redaction.identity('+14155552671')).toBe('[phone]')
  const id = '4155552671'
  expect(redaction.identity(id)).toBe(id)
})

test('without redaction everything stays', () => {
  expect(keepsAll.text('ada@example.com')).toBe('ada@example.com')
  expect(keepsAll.value(['+14155552671'])).toEqual(['+14155552671'])
})
