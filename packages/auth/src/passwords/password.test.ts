import { expect, test } from 'vitest'
import { readPassword } from './password.ts'

test('spellings of one password are one', () => {
  const { normalized } = readPassword({ password: 'pa\u0308ssword ①' }, 'password')
  expect(normalized).toBe('pässword 1')
})

test('blanks and U+0000 stay', () => {
  const { normalized } = readPassword({ password: '  a\0b  ' }, 'password')
  expect(normalized).toBe('  a\0b  ')
})

test('1024 bytes are the most, and nothing is cut off', () => {
  expect(readPassword({ password: 'é'.repeat(512) }, 'password').normalized).toHaveLength(512)
  expect(() => readPassword({ password: `${'é'.repeat(512)}a` }, 'password')).toThrow('1024 bytes')
})

test.each([[undefined], [''], [null], [12345678], [['password']], [{}], ['half \ud800']])(
  '%j is refused',
  (password) => {
    expect(() => readPassword({ password }, 'password')).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR', status: 400 }),
    )
  },
)
