import { expect, test } from 'vitest'
import type { Filter } from '../../compiler/permissions/filter/filter.ts'
import type { Config } from '../options/config.ts'
import { parseConfig } from '../parse/parse-config.ts'
import { configurationWarnings } from './configuration-warnings.ts'

const secret = 'a secret of at least thirty-two bytes'
const permission = (roles: readonly string[], where: Filter = {}) => ({
  permissions: { own: { table: 'main.orders', roles, select: { where } } },
})
const userTable = { table: 'main.customers', columns: ['customer_id', 'role'] }
const issuers = [{ issuer: 'https://login.test', secret }]

function warningsOf(config: Partial<Config>): readonly string[] {
  const settings = parseConfig({ connections: { main: 'shop.db' }, ...config })
  return configurationWarnings(settings, () => 'id').map(
    ({ path, message }) => `${path}: ${message}`,
  )
}

test('"open" that has no effect is told', () => {
  expect(warningsOf({})).toEqual([])
  expect(warningsOf({ open: true })).toEqual([])
  expect(warningsOf({ open: true, auth: { secret } })).toEqual([
    'open: has no effect beside auth or permissions: these hold',
  ])
})

test.each<[string, Partial<Config>, RegExp | undefined]>([
  [
    'a misspelt column',
    { auth: { secret, userTable } },
    /custmer_id"; did you mean "customer_id"\?/,
  ],
  ['accounts alone', { auth: { secret } }, /no account has "\$user\.custmer_id".*auth\.secret/],
  ['no auth', {}, /no caller has "\$user\.custmer_id": auth is not configured/],
  ['API keys without auth', { masterKey: secret }, undefined],
  ['claims of an issuer', { auth: { secret, issuers } }, undefined],
  ['a resolver', { auth: { secret, userTable, resolveSession: () => undefined } }, undefined],
])('a field that no source gives: %s', (_, config, expected) => {
  const own = permission(['anonymous', 'user'], { $or: [{ id: { $in: '$user.custmer_id' } }] })
  const found = warningsOf({ ...own, ...config }).filter((line) => line.includes('$user'))
  expect(found).toEqual(expected === undefined ? [] : [expect.stringMatching(expected)])
  if (expected !== undefined)
    expect(found[0]).toMatch(/^permissions\.own\.select\.where\.\$or\[0\]/)
})

test('fields that are there, and texts that only look like fields, are not told of', () => {
  const filters = [
    { a: '$user.customer_id.deep' },
    { a: '$user.email' },
    { a: { $eq: { $literal: '$user.nothing' } } },
    { '$user.id': { $gte: 3 } },
  ]
  for (const where of filters) {
    expect(warningsOf({ ...permission(['user'], where), auth: { secret, userTable } })).toEqual([])
  }
})

test('fields on the left side, in presets and checks are looked at too', () => {
  const permissions = {
    own: {
      table: 'main.orders',
      roles: ['user'],
      insert: { preset: { a: '$user.one' }, check: { '$user.two': 1 } },
      delete: { where: { $exists: { table: 'main.x', where: { b: '$user.three' } } } },
    },
  }
  expect(
    warningsOf({ permissions, auth: { secret, userTable } }).map((line) => line.split(':')[0]),
  ).toEqual([
    'permissions.own.insert.preset.a',
    'permissions.own.insert.check',
    'permissions.own.delete.where.$exists.where.b',
  ])
})

test.each<[Partial<Config>, readonly string[], string | undefined]>([
  [{}, ['user'], 'no caller has the role "user": without auth every caller is "anonymous"'],
  [{}, ['*'], 'no caller is authenticated, as "*" asks for: auth is not configured'],
  [{ masterKey: secret }, ['user', '*'], undefined],
  [{}, ['anonymous'], undefined],
  [
    { auth: { secret } },
    ['anonymous'],
    'no caller has the role "anonymous": with auth every caller shows a credential',
  ],
  [{ auth: { secret }, pgWire: true }, ['anonymous'], undefined],
  [{ auth: { secret } }, ['user', '*', 'admin'], undefined],
])('a role that no caller can have: %j %j', (config, roles, message) => {
  expect(warningsOf({ ...permission(roles), ...config })).toEqual(
    message === undefined ? [] : [`permissions.own.roles: ${message}`],
  )
})

test.each<[Partial<Config>, readonly RegExp[]]>([
  [
    { auth: { secret }, jwt: { issuer: 'a', audience: 'b' } },
    [/^jwt\.issuer: /, /^jwt\.audience: /],
  ],
  [{ auth: { secret, issuers }, jwt: { issuer: 'a', audience: 'b' } }, []],
  [{ auth: { secret }, jwt: { clockSkewSeconds: 5 } }, []],
  [{ ...permission(['anonymous']), jwt: { issuer: 'a' } }, [/^jwt: .*no token is verified/]],
])('rules for tokens that verify nothing: %j', (config, expected) => {
  expect(warningsOf(config)).toEqual(expected.map((line) => expect.stringMatching(line)))
})

test.each<[string, Config['auth'] & object, boolean]>([
  ['username', {}, true],
  ['username', { issuers }, true],
  ['username', { issuers, signUp: { enabled: false } }, false],
  ['email', {}, false],
  ['sub', {}, false],
])('a field to match rows by that own tokens lack: %s %j', (jwtField, more, isTold) => {
  const auth = { secret, userTable: { ...userTable, matchOn: { column: 'id', jwtField } }, ...more }
  const told = warningsOf({ auth })
  expect(told).toHaveLength(isTold ? 1 : 0)
  if (isTold) expect(told[0]).toMatch(/^auth\.userTable\.matchOn\.jwtField: .*"username"/)
})

test.each<[string, Partial<Config>, string | undefined]>([
  ['usr', {}, 'no permission, action or channel names the role "usr"; did you mean "user"?'],
  ['user', {}, undefined],
  ['guest', {}, undefined],
  [
    'usr',
    {
      connections: { main: 'postgres://app@127.0.0.1/shop' },
      channels: [{ channel: 'main.news', roles: ['usr'] }],
    },
    undefined,
  ],
])('a misspelt role of every account: %s %j', (role, more, expected) => {
  const { own } = permission(['user']).permissions
  const config = { permissions: { own, other: own }, ...more }
  const told = warningsOf({ ...config, auth: { secret, roles: { default: [role] } } })
  expect(told.filter((line) => line.startsWith('auth.'))).toEqual(
    expected === undefined ? [] : [`auth.roles.default: ${expected}`],
  )
  if (expected !== undefined) expect(told).toHaveLength(1)
})
