import { pbkdf2Sync, scryptSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { matchesForeign, parseForeignHash } from './foreign-hash.ts'

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replace(/=+$/, '')

/** Published test vectors: RFC 7914 (scrypt, PBKDF2-HMAC-SHA-256) and the tests of crypt_blowfish. */
const scryptTag = Buffer.from(
  '7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887',
  'hex',
)
const pbkdf2Tag = Buffer.from(
  '55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783',
  'hex',
)

const samples: readonly (readonly [string, string, string])[] = [
  ['bcrypt', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW', 'U*U'],
  ['bcrypt of PHP', '$2y$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW', 'U*U'],
  [
    'scrypt',
    `$scrypt$ln=14,r=8,p=1$${base64(Buffer.from('SodiumChloride'))}$${base64(scryptTag)}`,
    'pleaseletmein',
  ],
  ['PBKDF2', `$pbkdf2-sha256$i=1$${base64(Buffer.from('salt'))}$${base64(pbkdf2Tag)}`, 'passwd'],
  [
    'PBKDF2 of passlib',
    `$pbkdf2-sha512$25000$${base64(Buffer.from('sea+salt?')).replaceAll('+', '.')}$${base64(
      pbkdf2Sync('pässword', 'sea+salt?', 25_000, 64, 'sha512'),
    ).replaceAll('+', '.')}`,
    'pässword',
  ],
  [
    'PBKDF2 of Django',
    `pbkdf2_sha256$1000$seasalt$${pbkdf2Sync('lètmein', 'seasalt', 1_000, 32, 'sha256').toString('base64')}`,
    'lètmein',
  ],
  [
    'scrypt with blocks in parallel',
    `$scrypt$ln=4,r=8,p=16$${base64(Buffer.from('salt'))}$${base64(
      scryptSync('secret', 'salt', 32, { cost: 16, blockSize: 8, parallelization: 16 }),
    )}`,
    'secret',
  ],
]

describe.each(samples)('%s', (_name, text, password) => {
  test('matches its password and no other', async () => {
    const hash = parseForeignHash(text)
    expect(hash).toBeDefined()
    if (hash === undefined) return
    await expect(matchesForeign(hash, password)).resolves.toBe(true)
    await expect(matchesForeign(hash, `${password}x`)).resolves.toBe(false)
  })
})

test.each([
  '',
  'plain text',
  '5f4dcc3b5aa765d61d8327deb882cf99',
  '$2a$31$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW',
  '$2x$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW',
  '$2a$05$short',
  '$scrypt$ln=30,r=8,p=1$c2FsdA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  '$scrypt$ln=14,r=8,p=1$c2FsdA$AAAA',
  '$pbkdf2-sha256$i=99999999$c2FsdA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  '$pbkdf2-md5$i=1$c2FsdA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  'pbkdf2_sha256$0$salt$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
])('%s is none', (text) => {
  expect(parseForeignHash(text)).toBeUndefined()
})
