import { expect, test } from 'vitest'
import { runtimeAddress } from './remote-address.ts'

const request = new Request('http://gateway.test/')

test.each([
  ['Node', { incoming: { socket: { remoteAddress: '192.0.2.1' } } }, '192.0.2.1'],
  ['Bun', { requestIP: (of: Request) => of === request && { address: '192.0.2.2' } }, '192.0.2.2'],
  ['Deno', { remoteAddr: { transport: 'tcp', hostname: '192.0.2.3', port: 7 } }, '192.0.2.3'],
])('%s tells the address of the other end', (_, env, address) => {
  expect(runtimeAddress(request, env)).toBe(address)
})

test.each([
  ['no environment', undefined],
  ['null', null],
  ['an empty environment', {}],
  ['a request without a socket', { incoming: {} }],
  ['an environment of another kind', { params: { incoming: '192.0.2.1' } }],
  ['a socket that is gone', { incoming: { socket: { remoteAddress: undefined } } }],
  ['a request that Bun no longer knows', { requestIP: () => null }],
  ['a Unix socket', { remoteAddr: { transport: 'unix', path: '/run/engine' } }],
])('there is no address in %s', (_, env) => {
  expect(runtimeAddress(request, env)).toBeUndefined()
})
