import { expect, test } from 'vitest'
import type { LiveSession } from '../sessions/session-store.ts'
import { createSessions } from './session-cache.ts'

const session: LiveSession = {
  sid: 'abc',
  createdAtMs: 0,
  lastSeenAtMs: 0,
  expiresAtMs: 3_000,
  absoluteAtMs: 10_000,
  account: {
    id: 'ada',
    email: 'ada@example.com',
    name: '',
    emailVerified: true,
    isDisabled: false,
    roles: undefined,
    createdAtMs: 0,
  },
}

/** A store whose sessions can end; it counts its reads. */
function place(ttlMs: number) {
  const state = { nowMs: 0, looks: 0, current: session as LiveSession | undefined }
  const read = async () => {
    state.looks += 1
    const { current } = state
    return Promise.resolve(current)
  }
  return Object.assign(state, {
    sessions: createSessions({ find: read }, ttlMs, () => state.nowMs),
  })
}

test('by default every request looks', async () => {
  const it = place(0)
  expect(await it.sessions.find('abc')).toBe(session)
  it.current = undefined
  expect(await it.sessions.find('abc')).toBeUndefined()
  expect(it.looks).toBe(2)
})

test('a remembered session is looked up again after its time', async () => {
  const it = place(2_000)
  await it.sessions.find('abc')
  it.current = undefined
  it.nowMs = 1_999
  expect(await it.sessions.find('abc')).toBe(session)
  it.nowMs = 2_000
  expect(await it.sessions.find('abc')).toBeUndefined()
  expect(it.looks).toBe(2)
})

test('none is remembered beyond its end, or when it was not there', async () => {
  const it = place(5_000)
  await it.sessions.find('abc')
  it.nowMs = 3_000
  it.current = undefined
  expect(await it.sessions.find('abc')).toBeUndefined()
  it.current = { ...session, expiresAtMs: 9_000 }
  expect(await it.sessions.find('abc')).toMatchObject({ expiresAtMs: 9_000 })
})

test('what this node ends is gone at once, even while it is being read', async () => {
  const it = place(5_000)
  await it.sessions.find('abc')
  it.current = undefined
  it.sessions.forget('abc')
  expect(await it.sessions.find('abc')).toBeUndefined()
  it.current = session
  const reading = it.sessions.find('abc')
  it.current = undefined
  it.sessions.forget()
  expect(await reading).toBe(session)
  expect(await it.sessions.find('abc')).toBeUndefined()
})
