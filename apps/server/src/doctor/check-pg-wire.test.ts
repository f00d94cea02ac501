import { parseConfig } from '@engine/core/server'
import { createCertificate } from '@engine/test-certificates'
import { expect, test } from 'vitest'
import { checkPgWire } from './check-pg-wire.ts'

const day = 86_400_000
const now = Date.UTC(2026, 10, 22)
const auth = { secret: 'a secret of at least thirty-two bytes' }
const strategy = ['jwt', 'apiKey']

function findings(pgWire: object | true): readonly string[] {
  const settings = parseConfig({ connections: { main: 'shop.db' }, auth, pgWire })
  if (settings.pgWire === undefined) throw new Error('it is configured')
  return checkPgWire(settings.pgWire, now).map(
    ({ level, about, message }) => `${level} ${about}: ${message}`,
  )
}

const certificate = (fromDays: number, toDays: number) =>
  createCertificate({
    hosts: ['db.shop.test'],
    validFrom: new Date(now + fromDays * day),
    validTo: new Date(now + toDays * day),
  })

test('trust on loopback is said', () => {
  expect(findings(true)).toEqual([
    'warning pgWire.auth.strategy: "trust": every process of this machine may connect',
    'ok pgWire.catalog: @electric-sql/pglite is installed',
  ])
})

test('a public address without TLS is a fault, in the clear a warning', () => {
  const open = { host: '0.0.0.0', auth: { strategy }, catalog: 'pglite' }
  expect(findings(open)).toEqual([
    'fault pgWire.tls: without it nobody can sign in on 0.0.0.0: passwords are taken over TLS only',
    'ok pgWire.auth.strategy: jwt, apiKey',
    'ok pgWire.catalog: @electric-sql/pglite is installed',
  ])
  expect(findings({ ...open, allowPlaintext: true })[0]).toMatch(/^warning pgWire\.tls: .*clear/)
  expect(findings({ ...open, tls: certificate(-1, 365) })[0]).toBe(
    'ok pgWire.tls.cert: is valid until 2027-11-22',
  )
})

test.each([
  ['has expired', -60, -1, /^fault pgWire\.tls\.cert: has expired on 2026-11-21$/],
  ['is not valid yet', 1, 60, /^fault pgWire\.tls\.cert: is not valid yet$/],
  ['ends soon', -60, 13, /^warning pgWire\.tls\.cert: expires on 2026-12-05: renew it/],
])('a certificate that %s is noticed', (_, from, to, expected) => {
  expect(findings({ auth: { strategy }, tls: certificate(from, to) })[0]).toMatch(expected)
})

test('the built-in catalog is warned of', () => {
  expect(findings({ auth: { strategy }, catalog: 'builtin' }).at(-1)).toMatch(
    /^warning pgWire\.catalog: "builtin" answers fewer questions/,
  )
})
