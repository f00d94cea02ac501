import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isEmail, replaceEmails } from './email-addresses.ts'

const redacted = (text: string) => replaceEmails(text, () => '[email]')

test.each([
  'ada@example.com',
  'ADA@EXAMPLE.COM',
  'ada.lovelace+tag@mail.example.co.uk',
  'ada_l-1%x@example.museum',
  "o'brien@example.com",
  "o''brien@example.com",
  '"ada lovelace"@example.com',
  'ada@localhost',
  'ada@[192.168.0.1]',
  'ada@xn--bcher-kva.example',
  'zoë@bücher.example',
  '用户@例子.公司',
  '𝒶da@example.com',
  'ada%40example.com',
  'ada\uFF20example.com',
  'a@b.c',
])('%s is an e-mail address, wherever it stands', (address) => {
  expect(isEmail(address)).toBe(true)
  for (const place of [
    '#',
    "'#'",
    "email='#'",
    '"#"',
    'to <#>.',
    'mailto:#',
    '{"e":"#"}',
    '(#,1)',
  ]) {
    const [before = '', after = ''] = place.split('#')
    expect(redacted(`${before}${address}${after}`)).toBe(`${before}[email]${after}`)
  }
})

test('several are all found', () => {
  expect(redacted("in ('ada@example.com','bob@example.com') or x = 'eve@example.com'")).toBe(
    "in ('[email]','[email]') or x = '[email]'",
  )
})

test.each(['', 'ada', '@', '@>', "tags @> '{a}'", 'a @ b', '100%', 'select @x', '50%40'])(
  '%s is none',
  (text) => {
    expect(redacted(text)).toBe(text)
    expect(isEmail(text)).toBe(false)
  },
)

test('no address survives in any text', () => {
  const address = fc.emailAddress().filter((text) => !/[=|{}']/.test(text))
  fc.assert(
    fc.property(fc.string(), address, fc.string(), (before, found, after) => {
      expect(redacted(`${before} ${found} ${after}`)).not.toContain(found)
    }),
  )
})
