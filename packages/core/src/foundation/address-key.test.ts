import { expect, test } from 'vitest'
import { addressKey, canonicalAddress } from './address-key.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:cb00:7107', '203.0.113.7'],
  ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::', '2001:db8:1:3::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:1:2:3:4:1.2.3.4', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
])('%s is counted as %s', (address, key) => {
  expect(addressKey(address)).toBe(key)
})

test.each([
  undefined,
  '',
  'localhost',
  '1.2.3',
  '1.2.3.4.5',
  '1.2.3.4:80',
  '[::1]',
  'unix:',
  '::1::',
])('%s shares the one count of those that are not known', (address) => {
  expect(addressKey(address)).toBe('unknown')
})

test('an address has one spelling where it is IPv4 within IPv6', () => {
  expect(canonicalAddress('::ffff:10.0.0.1')).toBe('10.0.0.1')
  expect(canonicalAddress('fe80::1%eth0')).toBe('fe80::1')
  expect(canonicalAddress('2001:DB8::1')).toBe('2001:db8::1')
  expect(canonicalAddress('nonsense')).toBeUndefined()
})
