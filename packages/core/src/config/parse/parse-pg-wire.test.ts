import { createCertificate } from '@engine/test-certificates'
import { expect, test } from 'vitest'
import { GatewayError } from '../../foundation/errors.ts'
import type { Fault } from '../../foundation/faults.ts'
import { parseConfig } from './parse-config.ts'

const connections = { main: 'shop.db' }
const auth = { secret: 'a secret of at least thirty-two bytes' }
const masterKey = 'a master key of at least thirty-two bytes'

const settingsOf = (pgWire: unknown, more: object = { auth }) =>
  parseConfig({ connections, pgWire, ...more }).pgWire

function faultsOf(pgWire: unknown, more: object = { auth }): readonly string[] {
  try {
    settingsOf(pgWire, more)
    return []
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    const { faults } = error.details as { readonly faults: readonly Fault[] }
    return faults.map(({ path, message }) => `${path}: ${message}`)
  }
}

const strategy = (...names: readonly string[]) => ({ auth: { strategy: names } })

test('true is port 5433 on loopback, and trust', () => {
  const expected = {
    port: 5433,
    host: '127.0.0.1',
    strategies: ['trust'],
    tls: undefined,
    serverVersion: undefined,
    maxConnections: 100,
    allowPlaintext: false,
    catalog: undefined,
    idleSessionTimeoutMs: undefined,
    idleInTransactionTimeoutMs: 60_000,
    transactionTimeoutMs: 600_000,
    overflow: 'error',
    maxCursorRows: 1_000_000,
  }
  expect(settingsOf(true)).toEqual(expected)
  expect(settingsOf(true, {})).toEqual(expected)
  expect(settingsOf({})).toEqual(expected)
  expect(settingsOf(undefined)).toBeUndefined()
  expect(settingsOf(false)).toBeUndefined()
})

test('strategies keep their order, durations become milliseconds', () => {
  const given = {
    ...strategy('apiKey', 'jwt', 'password'),
    host: '0.0.0.0',
    port: 0,
    serverVersion: '17.2 (Shop)',
    idleSessionTimeout: '8h',
    idleInTransactionTimeout: '5s',
  }
  expect(settingsOf(given)).toMatchObject({
    strategies: ['apiKey', 'jwt', 'password'],
    port: 0,
    serverVersion: '17.2 (Shop)',
    idleSessionTimeoutMs: 28_800_000,
    idleInTransactionTimeoutMs: 5_000,
  })
})

test.each(['0.0.0.0', '::', '10.0.0.5', 'db.shop.test', '127.0.0.1.shop.test', 'localhost.test'])(
  'trust is refused on %s',
  (host) => {
    const [found] = faultsOf({ host })
    expect(found).toMatch(/^pgWire\.auth\.strategy\.0: "trust" lets everybody in: on loopback only/)
  },
)

test.each(['127.0.0.1', '127.1.2.3', '::1', 'localhost'])('trust is fine on %s', (host) => {
  expect(faultsOf({ host })).toEqual([])
})

test('a strategy stands there once, trust by itself', () => {
  expect(faultsOf(strategy('jwt', 'jwt'))).toEqual(['pgWire.auth.strategy.1: is there twice'])
  expect(faultsOf(strategy('jwt', 'trust'))).toEqual([
    'pgWire.auth.strategy.1: "trust" stands alone: beside it no credential would count',
  ])
})

test('a strategy that nobody could pass is a fault', () => {
  expect(faultsOf(strategy('jwt', 'apiKey', 'password'), {})).toEqual([
    'pgWire.auth.strategy.0: "jwt" needs auth: nobody could come in',
    'pgWire.auth.strategy.2: "password" needs auth: nobody could come in',
  ])
  expect(faultsOf(strategy('apiKey'), { masterKey })).toEqual([])
  const authenticate = () => undefined
  expect(faultsOf(strategy('jwt', 'password'), { auth: { authenticate } })).toEqual([
    'pgWire.auth.strategy.1: "password" needs authenticatePassword of the auth provider',
  ])
  const provider = { authenticate, authenticatePassword: authenticate }
  expect(faultsOf(strategy('jwt', 'password'), { auth: provider })).toEqual([])
})

test('key and certificate are PEM and belong together', () => {
  const one = createCertificate()
  const other = createCertificate()
  expect(settingsOf({ tls: one })?.tls).toEqual(one)
  expect(faultsOf({ tls: { key: Buffer.from(one.key), cert: Buffer.from(one.cert) } })).toEqual([])
  expect(faultsOf({ tls: { key: one.key, cert: other.cert } })).toEqual([
    'pgWire.tls.key: does not belong to the certificate in tls.cert',
  ])
  expect(faultsOf({ tls: { key: '/etc/tls/key.pem', cert: '/etc/tls/cert.pem' } })).toEqual([
    'pgWire.tls.key: is no private key in PEM without a passphrase',
    'pgWire.tls.cert: is no certificate in PEM',
  ])
  expect(faultsOf({ tls: { key: one.key } })).toHaveLength(1)
})

test('a version is what drivers can read', () => {
  for (const serverVersion of ['18', '17.2', '16.4.1', '18.6 (Engine)', '9.6.24']) {
    expect(faultsOf({ serverVersion })).toEqual([])
  }
  for (const serverVersion of ['', 'x', 'v17', '17.', '017', '17.2\n', '17devel']) {
    expect(faultsOf({ serverVersion })).toEqual([
      'pgWire.serverVersion: expects a version such as "17.2"',
    ])
  }
})

test('everything else that is wrong is named', () => {
  expect(faultsOf('yes')).toHaveLength(1)
  expect(faultsOf({ prot: 1 })).toEqual(['pgWire.prot: unknown key; did you mean "port"?'])
  expect(faultsOf({ port: 70_000, maxConnections: 0, catalog: 'x' })).toHaveLength(3)
  expect(faultsOf(strategy())).toHaveLength(1)
  expect(faultsOf({ idleSessionTimeout: '1 minute' })).toHaveLength(1)
})
