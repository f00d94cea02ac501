import { expect, test } from 'vitest'
import { parseConfig } from './parse-config.ts'
import { shortSecrets } from './short-secrets.ts'

const connections = { main: 'shop.db' }
const long = 'x'.repeat(32)
const short = 'x'.repeat(31)

const paths = (config: object): readonly string[] =>
  shortSecrets(parseConfig({ connections, ...config })).map(({ path }) => path)

test('secrets of 32 bytes are long enough', () => {
  const auth = { secret: [long, 'ä'.repeat(16)], password: { pepper: long } }
  expect(paths({ masterKey: long, auth })).toEqual([])
  expect(paths({})).toEqual([])
})

test('each that is shorter is named', () => {
  const issuers = [
    { issuer: 'a', jwksUri: 'https://a.test/keys' },
    { issuer: 'b', secret: short },
  ]
  const auth = { secret: short, password: { pepper: short }, issuers }
  expect(paths({ masterKey: short, auth })).toEqual([
    'masterKey',
    'auth.secret',
    'auth.password.pepper',
    'auth.issuers.1.secret',
  ])
  expect(paths({ auth: { secret: [long, short] } })).toEqual(['auth.secret.1'])
})
