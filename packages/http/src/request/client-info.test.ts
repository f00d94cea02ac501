import { expect, test } from 'vitest'
import { createClientInfo } from './client-info.ts'

const proxies = ['10.0.0.0/8', 'fd00::/8']

function addressOf(
  socket: string | undefined,
  forwardedFor?: string,
  trustProxy: readonly string[] | number = proxies,
): string | undefined {
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }
  const request = new Request('http://gateway.test/', { headers })
  return createClientInfo(trustProxy)(request, socket, 'id').ip
}

test('without trusted proxies the socket decides, whatever the headers say', () => {
  expect(addressOf('203.0.113.9', '1.1.1.1', [])).toBe('203.0.113.9')
  expect(addressOf('127.0.0.1', '1.1.1.1', [])).toBe('127.0.0.1')
  expect(addressOf('::ffff:203.0.113.9', undefined, [])).toBe('203.0.113.9')
})

test('a client that is no proxy is not believed', () => {
  expect(addressOf('203.0.113.9', '1.1.1.1')).toBe('203.0.113.9')
  expect(addressOf('203.0.113.9', '10.0.0.1')).toBe('203.0.113.9')
})

test.each([
  ['what the proxy added', '198.51.100.4', '198.51.100.4'],
  ['what the client had sent before', '1.1.1.1, 127.0.0.1, 198.51.100.4', '198.51.100.4'],
  ['several proxies', '1.1.1.1, 198.51.100.4, 10.9.9.9, 10.8.8.8', '198.51.100.4'],
  ['proxies of both families', '198.51.100.4, fd00::7, ::ffff:10.8.8.8', '198.51.100.4'],
  ['a port', '198.51.100.4:51234', '198.51.100.4'],
  ['IPv6 with port', '1.1.1.1, [2001:db8::7]:443', '2001:db8::7'],
  ['IPv6 in brackets', '[2001:db8::7]', '2001:db8::7'],
  ['bare IPv6', '2001:DB8::7', '2001:db8::7'],
  ['blanks', '  198.51.100.4  ', '198.51.100.4'],
  ['nothing but proxies', '10.1.1.1, 10.2.2.2', '10.1.1.1'],
])('a proxy is believed as far as it wrote: %s', (_, forwardedFor, ip) => {
  expect(addressOf('10.0.0.1', forwardedFor)).toBe(ip)
})

test.each(['unknown', '', '1.1.1.1, ', '_hidden', '1.1.1.1, 999.1.1.1', '1.1.1.1, 198.51.100.4x'])(
  'what is no address ends the walk, and nothing left of it is believed: %s',
  (forwardedFor) => {
    expect(addressOf('10.0.0.1', forwardedFor)).toBeUndefined()
  },
)

test.each([
  ['one proxy', 1, '1.1.1.1, 198.51.100.4', '198.51.100.4'],
  ['two proxies', 2, '1.1.1.1, 198.51.100.4, 10.8.8.8', '198.51.100.4'],
  ['fewer than said', 3, '198.51.100.4', '198.51.100.4'],
  ['none', 0, '198.51.100.4', '10.0.0.1'],
  ['what is no address', 1, '198.51.100.4, unknown', undefined],
])('proxies are counted: %s', (_, hops, forwardedFor, ip) => {
  expect(addressOf('10.0.0.1', forwardedFor, hops)).toBe(ip)
  expect(addressOf('10.0.0.1', undefined, hops)).toBe('10.0.0.1')
})

test('a proxy without a forwarded address is the client', () => {
  expect(addressOf('10.0.0.1')).toBe('10.0.0.1')
})

test('other headers are not believed', () => {
  const request = new Request('http://gateway.test/', {
    headers: {
      forwarded: 'for=1.1.1.1',
      'x-real-ip': '1.1.1.1',
      'x-client-ip': '1.1.1.1',
      'cf-connecting-ip': '1.1.1.1',
      'true-client-ip': '1.1.1.1',
    },
  })
  expect(createClientInfo(proxies)(request, '10.0.0.1', 'id').ip).toBe('10.0.0.1')
})

test('without the address of a peer there is none, whatever the headers say', () => {
  expect(addressOf(undefined, '1.1.1.1')).toBeUndefined()
})

test('a client is known by its browser, cut where it is too long', () => {
  const request = new Request('http://gateway.test/', {
    headers: { 'user-agent': 'x'.repeat(9_000) },
  })
  const info = createClientInfo([])(request, undefined, 'id')
  expect(info.userAgent).toHaveLength(512)
  expect(info.correlationId).toBe('id')
})
