import { generateKeyPairSync } from 'node:crypto'
import { silentLog } from '@engine/core'
import { expect, test } from 'vitest'
import { jwkKey } from '../tokens/token-key.ts'
import { createRemoteKeys } from './remote-keys.ts'

const second = 1_000
const minute = 60 * second

/** An issuer with keys of these names; the keys can change, and the issuer can be unavailable. */
function issuer(...names: string[]) {
  const state = { names, isAway: false, fetches: 0, nowMs: 0 }
  const keys = createRemoteKeys({
    issuer: 'https://issuer.test',
    fetchKeys: async () => {
      state.fetches += 1
      if (state.isAway) throw new Error('connection refused')
      return { keys: state.names.map(key), faults: [] }
    },
    log: silentLog,
    clock: () => state.nowMs,
  })
  return Object.assign(state, {
    find: async (id: string | undefined) => (await keys.find(id, 'EdDSA')).map((found) => found.id),
    findFor: async (algorithm: string) => keys.find(undefined, algorithm),
  })
}

const jwk = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
const key = (kid: string) => jwkKey({ ...jwk, kid })

const unavailable = { code: 'UNAVAILABLE', status: 503 }

test('keys are fetched once, when they are needed', async () => {
  const it = issuer('a', 'b')
  expect(it.fetches).toBe(0)
  expect(await it.find('a')).toEqual(['a'])
  it.nowMs += 10 * minute - 1
  expect(await it.find('b')).toEqual(['b'])
  expect(it.fetches).toBe(1)
})

test('many that need them at the same time share one request', async () => {
  const it = issuer('a')
  const found = await Promise.all(Array.from({ length: 50 }, () => it.find('a')))
  expect(found).toEqual(Array(50).fill(['a']))
  expect(it.fetches).toBe(1)
})

test('without a name, the only key for the algorithm is meant', async () => {
  expect(await issuer('a').find(undefined)).toEqual(['a'])
  expect(await issuer('a', 'b').find(undefined)).toEqual([])
  expect(await issuer('a').findFor('RS256')).toEqual([])
})

test('a new key is found at once, a withdrawn one is gone after ten minutes', async () => {
  const it = issuer('old')
  await it.find('old')
  it.names = ['new']
  it.nowMs += 30 * second
  expect(await it.find('new')).toEqual(['new'])
  expect(await it.find('old')).toEqual([])
  it.names = ['newest']
  it.nowMs += 10 * minute
  expect(await it.find('new')).toEqual([])
})

test('a new key is found a moment after the others were fetched, too', async () => {
  const it = issuer('old')
  await it.find('old')
  it.names = ['new']
  it.nowMs += second
  expect(await it.find('new')).toEqual(['new'])
  it.names = ['newest']
  it.nowMs += second
  expect(await it.find('newest')).toEqual([])
  expect(it.fetches).toBe(2)
})

test('a thousand unknown keys ask once in thirty seconds', async () => {
  const it = issuer('a')
  await it.find('a')
  it.nowMs += 30 * second
  for (let i = 0; i < 1_000; i += 1) {
    expect(await it.find(`unknown-${i}`)).toEqual([])
    it.nowMs += 59
  }
  expect(it.fetches).toBe(3)
})

test('an unavailable issuer: its keys are trusted for an hour after the last fetch', async () => {
  const it = issuer('a')
  await it.find('a')
  it.isAway = true
  it.nowMs += 59 * minute
  expect(await it.find('a')).toEqual(['a'])
  expect(await it.find('a')).toEqual(['a'])
  expect(it.fetches).toBe(2)
  it.nowMs += minute
  await expect(it.find('a')).rejects.toMatchObject(unavailable)
  it.isAway = false
  await expect(it.find('a')).rejects.toMatchObject(unavailable)
  it.nowMs += 30 * second
  expect(await it.find('a')).toEqual(['a'])
})

test('an issuer that never answered is unavailable, and so is an unknown key of an unavailable issuer', async () => {
  const it = issuer('a')
  it.isAway = true
  await expect(it.find('a')).rejects.toMatchObject(unavailable)
  it.isAway = false
  it.nowMs += 30 * second
  await it.find('a')
  it.isAway = true
  it.nowMs += 30 * second
  await expect(it.find('b')).rejects.toMatchObject(unavailable)
  expect(await it.find('a')).toEqual(['a'])
})

test('a set without a key that can be used is as good as none', async () => {
  const it = issuer()
  await expect(it.find('a')).rejects.toMatchObject(unavailable)
})
