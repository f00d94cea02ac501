import { describe, expect, test } from 'vitest'
import { readBodyObject, readOptionalText, readText, readWellFormed } from './read-input.ts'

describe('a body that is no object is refused', () => {
  test.each([[undefined], [null], [1], ['text'], [true], [[]], [[{}]]])('%j', (body) => {
    expect(() => readBodyObject(body)).toThrow(expect.objectContaining({ status: 400 }))
  })
})

describe('a text is nothing else', () => {
  test.each([[null], [1], [true], [['a']], [{ $ne: '' }], ['\0'], ['a\ud800'], [undefined]])(
    '%j',
    (email) => {
      expect(() => readText({ email }, 'email')).toThrow(
        expect.objectContaining({
          code: 'VALIDATION_ERROR',
          message: expect.stringContaining('email'),
        }),
      )
    },
  )
})

test('what an object inherits is missing', () => {
  expect(() => readText({}, 'constructor')).toThrow('constructor is required.')
  const body = JSON.parse('{"__proto__": {"email": "a@example.com"}}') as object
  expect(() => readText(readBodyObject(body), 'email')).toThrow('email is required.')
})

test('an optional text may be missing, but not null', () => {
  expect(readOptionalText({}, 'name')).toBeUndefined()
  expect(() => readOptionalText({ name: null }, 'name')).toThrow('name must be a string.')
})

test('U+0000 is data where a text is no text for people', () => {
  expect(readWellFormed({ password: 'a\0b' }, 'password')).toBe('a\0b')
})
