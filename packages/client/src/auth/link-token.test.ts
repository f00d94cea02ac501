import { expect, test } from 'vitest'
import { type AddressBar, takeLinkToken } from './link-token.ts'

function addressBar(address: string): AddressBar & { readonly address: () => string } {
  let url = new URL(address, 'https://shop.test')
  return {
    get location() {
      return url
    },
    history: {
      state: { kept: true },
      replaceState: (state, _unused, next) => {
        expect(state).toEqual({ kept: true })
        url = new URL(next, url)
      },
    },
    address: () => url.href.slice(url.origin.length),
  }
}

test.for([
  ['/reset#token=abc', 'abc', '/reset'],
  ['/reset?lang=de#token=abc', 'abc', '/reset?lang=de'],
  ['/app#/reset?token=abc', 'abc', '/app#/reset'],
  ['/app#/reset?lang=de&token=abc', 'abc', '/app#/reset?lang=de'],
  ['/app#/reset?token=abc&lang=de', 'abc', '/app#/reset?lang=de'],
  ['/app#token=abc&lang=de', 'abc', '/app#lang=de'],
  ['/reset#token=a%2Bb', 'a+b', '/reset'],
] as const)('the token of %s is taken out of the address', ([address, token, left]) => {
  const bar = addressBar(address)
  expect(takeLinkToken(bar)).toBe(token)
  expect(bar.address()).toBe(left)
  expect(takeLinkToken(bar)).toBeUndefined()
})

test.for(['/reset', '/reset#', '/reset?token=abc', '/reset#my-token=abc', '/reset#token'])(
  '%s brings no token and stays as it is',
  (address) => {
    const bar = addressBar(address)
    const before = bar.address()
    expect(takeLinkToken(bar)).toBeUndefined()
    expect(bar.address()).toBe(before)
  },
)

test.for(['/reset#token=', '/reset#token=%E0%A4%A'])(
  'a token cut short in %s is none',
  (address) => {
    expect(takeLinkToken(addressBar(address))).toBeUndefined()
  },
)

test('where a page is rendered on a server there is none', () => {
  expect(takeLinkToken()).toBeUndefined()
})
