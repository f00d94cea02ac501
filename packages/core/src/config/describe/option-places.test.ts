import { expect, test } from 'vitest'
import { parseConfig } from '../parse/parse-config.ts'

function faultsOf(config: object): unknown {
  try {
    return parseConfig({ connections: { main: 'shop.db' }, ...config })
  } catch (error) {
    return (error as { readonly details: { readonly faults: unknown } }).details.faults
  }
}

test.each([
  [{ auth: { refreshWindow: '1h' } }, 'auth.refreshWindow', '"auth.session.refreshWindow"'],
  [{ auth: { expiresIn: '1h' } }, 'auth.expiresIn', '"auth.session.expiresIn"'],
  [{ auth: { smtp: 'smtp://x' } }, 'auth.smtp', '"auth.email.smtp"'],
  [{ maxRows: 5 }, 'maxRows', '"limits.maxRows"'],
  [{ userTable: {} }, 'userTable', '"auth.userTable"'],
  [{ clockSkewSeconds: 5 }, 'clockSkewSeconds', '"jwt.clockSkewSeconds"'],
  [{ limits: { cors: {} } }, 'limits.cors', '"security.cors"'],
  [{ jwt: { jwksUri: 'https://x' } }, 'jwt.jwksUri', '"auth.issuers[].jwksUri"'],
  [
    { security: { idleSessionTimeout: '1h' } },
    'security.idleSessionTimeout',
    '"pgWire.idleSessionTimeout"',
  ],
])('%j is told where it belongs', (config, path, place) => {
  expect(faultsOf(config)).toEqual([{ path, message: `unknown key; it belongs at ${place}` }])
})

test('what resembles a key beside it, and what is nowhere, is told as before', () => {
  expect(faultsOf({ auth: { sesion: {} } })).toEqual([
    { path: 'auth.sesion', message: 'unknown key; did you mean "session"?' },
  ])
  expect(faultsOf({ auth: { telepathy: {} } })).toEqual([
    { path: 'auth.telepathy', message: 'unknown key' },
  ])
})

test('an option of an operation that stands beside the operations is told so', () => {
  const permissions = { own: { table: 'main.orders', roles: ['user'], select: {}, where: {} } }
  expect(faultsOf({ permissions })).toEqual([
    {
      path: 'permissions.own.where',
      message: 'unknown key; it belongs inside select, update or delete',
    },
  ])
})
