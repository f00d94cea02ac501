import { pbkdf2Sync } from 'node:crypto'
import { type Log, silentLog } from '@engine/core'
import type { AuthSettings } from '@engine/core/server'
import { hash as argon2Hash, parseOptions } from '@node-rs/argon2'
import { expect, test } from 'vitest'
import { createHashQueue } from './hash-queue.ts'
import { passwordOf } from './password.ts'
import { createPasswordHasher, isKnownHash } from './password-hasher.ts'

const defaults: AuthSettings['password'] = {
  minLength: 8,
  memoryKib: 19_456,
  iterations: 2,
  pepper: undefined,
  isBreached: undefined,
}

async function hasher(settings: Partial<AuthSettings['password']> = {}, log: Log = silentLog) {
  const queue = createHashQueue()
  return { queue, ...(await createPasswordHasher({ ...defaults, ...settings }, { queue, log })) }
}

const password = passwordOf('correct horse battery staple')
const pepper = 'a key that the database does not hold'

test('hashes are argon2id as configured, and compare', async () => {
  const { hash, verify } = await hasher()
  const stored = await hash(password)
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(parseOptions(stored)).toMatchObject({ outputLen: 32, saltLen: 16 })
  expect(await verify(password, stored)).toEqual({ matches: true, isOutdated: false })
  expect(await verify(passwordOf('another one'), stored)).toMatchObject({ matches: false })
  expect(await hash(password)).not.toBe(stored)
})

test('one hash is made whether there is something to compare with or not', async () => {
  const { queue, hash, verify } = await hasher()
  const stored = await hash(password)
  const before = queue.stats().finished
  await verify(passwordOf('wrong'), stored)
  expect(queue.stats().finished).toBe(before + 1)
  expect(await verify(password, undefined)).toEqual({ matches: false, isOutdated: false })
  expect(queue.stats().finished).toBe(before + 2)
})

test('a hash with other parameters is outdated', async () => {
  const { hash } = await hasher({ memoryKib: 20_480 })
  const { verify } = await hasher()
  const verified = await verify(password, await hash(password))
  expect(verified).toEqual({ matches: true, isOutdated: true })
})

test('a peppered hash needs the pepper', async () => {
  const peppered = await hasher({ pepper })
  const stored = await peppered.hash(password)
  expect(stored).toMatch(/^\$pepper\$k=[0-9a-f]{8}\$argon2id\$/)
  expect(stored.length).toBeLessThanOrEqual(512)
  expect(await peppered.verify(password, stored)).toEqual({ matches: true, isOutdated: false })
  expect((await peppered.verify(passwordOf('wrong'), stored)).matches).toBe(false)
  const faults: string[] = []
  const log = { ...silentLog, error: (_: object, message: string) => void faults.push(message) }
  const without = await hasher({}, log)
  expect((await without.verify(password, stored)).matches).toBe(false)
  const other = await hasher({ pepper: `${pepper}!` }, log)
  expect((await other.verify(password, stored)).matches).toBe(false)
  expect(faults).toHaveLength(2)
})

test('a hash without pepper is outdated where one is configured', async () => {
  const { verify } = await hasher({ pepper })
  const stored = await argon2Hash(password.normalized)
  expect(await verify(password, stored)).toEqual({ matches: true, isOutdated: true })
})

test('a hash that others made of what was typed is compared with that too', async () => {
  const typed = 'pa\u0308ssword of another system'
  const tag = pbkdf2Sync(typed, 'seasalt', 1_000, 32, 'sha256').toString('base64')
  const { verify } = await hasher()
  const verified = await verify(passwordOf(typed), `pbkdf2_sha256$1000$seasalt$${tag}`)
  expect(verified).toEqual({ matches: true, isOutdated: true })
})

test('what cannot be compared matches nothing, and is logged without the hash', async () => {
  const facts: string[] = []
  const log = {
    ...silentLog,
    error: (fact: object, message: string) => void facts.push(`${JSON.stringify(fact)} ${message}`),
  }
  const { verify } = await hasher({}, log)
  expect((await verify(password, 'not a hash at all')).matches).toBe(false)
  expect(facts).toHaveLength(1)
  expect(facts[0]).not.toContain('not a hash at all')
})

test('argon2 of any kind is known, unless it would cost too much', () => {
  const rest = 'c2FsdHNhbHRzYWx0c2FsdA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
  expect(isKnownHash(`$argon2i$v=19$m=4096,t=3,p=1$${rest}`)).toBe(true)
  expect(isKnownHash(`$argon2id$v=19$m=4194304,t=3,p=1$${rest}`)).toBe(false)
  expect(isKnownHash('$argon2id$broken')).toBe(false)
  expect(isKnownHash('correct horse battery staple')).toBe(false)
})
