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

const names =
  'ISO_8859_5 ISO_8859_6 ISO_8859_7 ISO_8859_8 KOI8R KOI8U LATIN1 LATIN2 LATIN3 LATIN4 LATIN5 LATIN6 LATIN7 LATIN8 LATIN9 LATIN10 ' +
  'WIN866 WIN874 WIN1250 WIN1251 WIN1252 WIN1253 WIN1254 WIN1255 WIN1256 WIN1257 WIN1258'

test.each(names.split(' '))('%s: only quotes and backslashes become such', (name) => {
  const encoding = encodingOf(name)
  const ascii = Uint8Array.from({ length: 127 }, (_, i) => i + 1)
  expect(encoding?.decode(ascii)).toBe(String.fromCharCode(...ascii))
  for (let byte = 128; byte < 256; byte += 1) {
    const text = messageOf(() => encoding?.decode(Uint8Array.of(byte)))
    if (text.length > 1) expect(text).toContain('has no equivalent in encoding "UTF8"')
    else
      expect([text.charCodeAt(0) > 127, encoding?.encode(text)]).toEqual([
        true,
        Uint8Array.of(byte),
      ])
  }
})

test('a text of 16 MB takes little more than itself', () => {
  const encoding = encodingOf('WIN1251')
  const bytes = new Uint8Array(16_777_216).fill(0xe9)
  const before = process.memoryUsage().heapUsed
  expect(encoding?.decode(bytes)).toHaveLength(bytes.length)
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(200_000_000)
})
