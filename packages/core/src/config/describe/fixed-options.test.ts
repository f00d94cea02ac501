import { expect, test } from 'vitest'
import { parseConfig } from '../parse/parse-config.ts'
import { fixedOptionFaults } from './fixed-options.ts'

const masterKey = 'a master key of at least thirty-two bytes'
const secret = 'a secret of at least thirty-two bytes'

/** What a file exports each time that it is loaded. */
const file = (changes: object = {}) =>
  parseConfig({
    connections: { main: 'shop.db' },
    masterKey,
    auth: { secret, resolveSession: async () => ({ roles: ['user'] }) },
    pgWire: { auth: { strategy: ['jwt'] } },
    internal: { port: 9090 },
    ...changes,
  })

const paths = (changes: object) =>
  fixedOptionFaults(file(), file(changes)).map(({ path, message }) => {
    expect(message).toContain('needs a restart')
    return path
  })

test('a file that is loaded again is the same, with its functions', () => {
  expect(paths({})).toEqual([])
})

test('connections, permissions, limits and the like may change', () => {
  const permissions = [{ table: 'main.orders', roles: ['user'], select: {} }]
  const audit = { enabled: true, retention: '1d' }
  const security = { cors: { origin: ['https://app.example.com'] } }
  expect(paths({ connections: { other: 'other.db' }, permissions, audit, security })).toEqual([])
  expect(paths({ limits: { maxRows: 5 }, schemaEndpoint: { enabled: true } })).toEqual([])
  expect(paths({ log: { requests: true }, open: true })).toEqual([])
})

test.each<[path: string, changes: object]>([
  ['service_db', { service_db: './other.db' }],
  ['masterKey', { masterKey: `${masterKey}!` }],
  ['auth', { auth: { secret } }],
  ['auth', { auth: { secret, resolveSession: async () => ({ roles: ['admin'] }) } }],
  ['jwt', { jwt: { issuer: 'other' } }],
  ['limits.rateLimitStore', { limits: { rateLimitStore: 'redis://cache:6379' } }],
  ['pgWire', { pgWire: { auth: { strategy: ['jwt'] }, maxConnections: 5 } }],
  ['internal', { internal: { port: 9091 } }],
  ['metrics', { metrics: { enabled: false } }],
])('%s needs a restart: %j', (path, changes) => {
  expect(paths(changes)).toEqual([path])
})

test('a provider of the application is the same while its text is', () => {
  class Provider {
    readonly #salt = 1
    authenticate() {
      return Promise.reject(new Error(`unknown ${this.#salt}`))
    }
  }
  const loaded = (auth: object) => parseConfig({ connections: { main: 'shop.db' }, auth })
  const again = (other: object) => fixedOptionFaults(loaded(new Provider()), loaded(other))
  expect(again(new Provider())).toEqual([])
  expect(again({ authenticate: new Provider().authenticate })).toHaveLength(1)
})
