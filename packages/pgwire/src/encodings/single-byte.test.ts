import { describe, expect, test } from 'vitest'
import { encodingName } from './encoding-names.ts'
import { encodingOf, isSupportedEncoding } from './encoding-of.ts'

const messageOf = (work: () => unknown): string => {
  try {
    return String(work())
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
}

test.each([
  ['utf-8', 'UTF8'],
  ['Unicode', 'UTF8'],
  ['sql_ascii', 'SQL_ASCII'],
  ['latin-1', 'LATIN1'],
  ['ISO-8859-1', 'LATIN1'],
  ['iso 8859-9', 'LATIN5'],
  ['ISO_8859_16', 'LATIN10'],
  ['iso8859-7', 'ISO_8859_7'],
  ['windows-1252', 'WIN1252'],
  ['win', 'WIN1251'],
  ['win932', 'SJIS'],
  ['KOI8', 'KOI8R'],
  ['euc-jp', 'EUC_JP'],
  ['klingon', undefined],
  ['iso-8859-12', undefined],
])('the name %s', (word, name) => {
  expect(encodingName(word)).toBe(name)
})

test('encodings of several bytes are known by name only', () => {
  expect(isSupportedEncoding('EUC_JP')).toBe(false)
  expect(isSupportedEncoding('KOI8U')).toBe(true)
  expect(isSupportedEncoding('SQL_ASCII')).toBe(true)
  expect(encodingOf('SQL_ASCII')).toBeUndefined()
  expect(encodingOf('UTF8')).toBeUndefined()
})

describe('LATIN9', () => {
  const encoding = encodingOf('LATIN9')

  test('has the euro sign', () => {
    expect(encoding?.encode('5 €')).toEqual(Uint8Array.of(0x35, 0x20, 0xa4))
    expect(encoding?.decode(Uint8Array.of(0x35, 0x20, 0xa4))).toBe('5 €')
  })

  test('has no emoji', () => {
    expect(messageOf(() => encoding?.encode('a😀'))).toBe(
      'character with byte sequence 0xf0 0x9f 0x98 0x80 in encoding "UTF8" has no equivalent in encoding "LATIN9"',
    )
    expect(encoding?.encodeLossy('a😀b')).toEqual(Uint8Array.of(0x61, 0x3f, 0x62))
  })

  test('has no NUL', () => {
    expect(messageOf(() => encoding?.decode(Uint8Array.of(0x61, 0)))).toBe(
      'invalid byte sequence for encoding "LATIN9": 0x00',
    )
  })
})

test('a byte that no character has', () => {
  expect(messageOf(() => encodingOf('WIN1252')?.decode(Uint8Array.of(0x81)))).toBe(
    'character with byte sequence 0x81 in encoding "WIN1252" has no equivalent in encoding "UTF8"',
  )
})
