import { expect, test } from 'vitest'
import { mailLink } from './mail-link.ts'

test('the token is in the fragment, which no server sees', () => {
  expect(mailLink('https://shop.test/reset', 'a_b-c')).toBe('https://shop.test/reset#token=a_b-c')
  expect(mailLink('https://shop.test/?page=reset', 't')).toBe(
    'https://shop.test/?page=reset#token=t',
  )
})

test('a page that routes by its fragment gets it as a parameter', () => {
  expect(mailLink('https://shop.test/app#/reset', 't')).toBe('https://shop.test/app#/reset?token=t')
  expect(mailLink('https://shop.test/app#/reset?x=1', 't')).toBe(
    'https://shop.test/app#/reset?x=1&token=t',
  )
})

test('nothing of a token ends the parameter', () => {
  expect(mailLink('https://shop.test/r', 'a&b=c#d"')).toBe(
    'https://shop.test/r#token=a%26b%3Dc%23d%22',
  )
})
