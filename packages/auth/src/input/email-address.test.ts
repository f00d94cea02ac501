import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseEmail } from './email-address.ts'

describe('an address is found whatever its spelling', () => {
  test.each([
    ['ada@example.com', 'ada@example.com'],
    ['Ada@Example.COM', 'ada@example.com'],
    ['  ada@example.com ', 'ada@example.com'],
    ['ada.l+shop@example.com', 'ada.l+shop@example.com'],
    ["o'hara@example.ie", "o'hara@example.ie"],
    ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
    ['ada@BÜCHER.example', 'ada@xn--bcher-kva.example'],
    ['ada@xn--bcher-kva.example', 'ada@xn--bcher-kva.example'],
    ['ada@ｅｘａｍｐｌｅ.com', 'ada@example.com'],
    ['ada@localhost', 'ada@localhost'],
  ])('%j has the key %s', (text, key) => {
    expect(parseEmail(text, false)?.key).toBe(key)
  })
})

test('what is shown is what was given, without blanks around it', () => {
  expect(parseEmail(' Ada@Bücher.example ', false)?.address).toBe('Ada@Bücher.example')
})

describe('is no address', () => {
  test.each([
    '',
    ' ',
    'ada',
    'ada@',
    '@example.com',
    'a@b@example.com',
    'ada@exam ple.com',
    'ada lovelace@example.com',
    'ada@example..com',
    'ada@.example.com',
    'ada@example.com.',
    '.ada@example.com',
    'ada.@example.com',
    'a..da@example.com',
    'ada@-example.com',
    'ada@[192.0.2.1]',
    'ada@192.0.2.1',
    'ada@0x7f000001',
    'ada@example.com\r\nBcc: eve@example.com',
    'ada@example.com\0',
    'ada\0@example.com',
    'ada@exa%6dple.com',
    'ada@example.com/path',
    'ada@example.com:25',
    'ada@user:pw@example.com',
    'ada@exam\u200bple.com\u200b',
    '"ada"@example.com',
    'ada <ada@example.com>',
    'ada,eve@example.com',
    // Case folding turns the Kelvin sign into k.
    '\u212Aelvin@example.com',
    'ädä@example.com',
    'ada@exam\ud800ple.com',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(64)}.com`,
    `a@${'b.'.repeat(130)}com`,
    `${'a'.repeat(1_000_000)}@example.com`,
  ])('%j', (text) => {
    expect(parseEmail(text, false)).toBeUndefined()
  })
})

test('letters of other scripts are an address where that is allowed, composed or not', () => {
  expect(parseEmail('jose\u0301@example.com', true)?.key).toBe('josé@example.com')
  expect(parseEmail('josé@example.com', false)).toBeUndefined()
})

test('the key of a key is the key', () => {
  const texts = fc.tuple(fc.emailAddress(), fc.boolean())
  fc.assert(
    fc.property(texts, ([text, allowUtf8]) => {
      const first = parseEmail(text, allowUtf8)
      if (first !== undefined) expect(parseEmail(first.key, allowUtf8)?.key).toBe(first.key)
    }),
  )
})
