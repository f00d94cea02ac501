import { expect, test } from 'vitest'
import { type AuthStorage, memoryStorage } from './auth-storage.ts'
import { createAuth, type EngineAuth } from './create-auth.ts'

const credentials = { email: 'ada@example.com', password: 'correct horse battery' }

/** A storage with a session of a signed-in user. */
function signedInStorage(): AuthStorage {
  const storage = memoryStorage()
  const user = { id: 'u1', email: credentials.email, name: '', emailVerified: true, createdAt: '' }
  const expiresAt = '2100-01-01T00:00:00Z'
  const life = { receivedAtMs: 0, lifeMs: Number.MAX_SAFE_INTEGER }
  void storage.write(JSON.stringify({ id: 's1', user, token: 't1', expiresAt, ...life }))
  return storage
}

const never = <Value>() => new Promise<Value>(() => undefined)

const unauthorized = () =>
  Response.json({ error: 'UNAUTHORIZED', message: 'No.', correlation_id: 'c1' }, { status: 401 })

/** Every method that waits for an answer. */
const methods: readonly [string, (auth: EngineAuth, signal: AbortSignal) => Promise<unknown>][] = [
  ['signUp', (auth, signal) => auth.signUp(credentials, { signal })],
  ['signIn', (auth, signal) => auth.signIn(credentials, { signal })],
  [
    'acceptInvitation',
    (auth, signal) => auth.acceptInvitation({ token: 'i1', password: 'p' }, { signal }),
  ],
  ['signOut', (auth, signal) => auth.signOut({ signal })],
  ['getSession', (auth, signal) => auth.getSession({ signal })],
  ['listSessions', (auth, signal) => auth.listSessions({ signal })],
  ['endSession', (auth, signal) => auth.endSession('others', { signal })],
]

test.each(methods)('a signal ends the wait of %s for the storage', async (_, call) => {
  const storage: AuthStorage = { read: never<string>, write: () => undefined }
  const auth = createAuth({ url: 'http://engine.test', storage, fetch: never })
  const controller = new AbortController()
  const waiting = call(auth, controller.signal)
  controller.abort('enough')
  await expect(waiting).rejects.toBe('enough')
})

test.each(methods)('a signal ends the wait of %s for the engine', async (_, call) => {
  const asked = Promise.withResolvers<void>()
  const fetch = async (_input: unknown, init?: RequestInit): Promise<Response> => {
    asked.resolve()
    return new Promise((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
    })
  }
  const auth = createAuth({ url: 'http://engine.test', storage: signedInStorage(), fetch })
  const controller = new AbortController()
  const waiting = call(auth, controller.signal)
  await asked.promise
  controller.abort('enough')
  await expect(waiting).rejects.toBe('enough')
})

test('a signal ends the wait for a new token in the place of a refused one', async () => {
  const asked = Promise.withResolvers<void>()
  const fetch = async (input: unknown): Promise<Response> => {
    if (String(input).endsWith('/auth/sessions')) return unauthorized()
    asked.resolve()
    return never()
  }
  const auth = createAuth({ url: 'http://engine.test', storage: signedInStorage(), fetch })
  const controller = new AbortController()
  const waiting = auth.listSessions({ signal: controller.signal })
  await asked.promise
  controller.abort('enough')
  await expect(waiting).rejects.toBe('enough')
})

test('what was done stays done when its signal ends the look that follows', async () => {
  const looking = Promise.withResolvers<void>()
  const fetch = async (input: unknown): Promise<Response> => {
    if (String(input).endsWith('/auth/verify-email')) return Response.json({ success: true })
    looking.resolve()
    return never()
  }
  const auth = createAuth({ url: 'http://engine.test', storage: signedInStorage(), fetch })
  const controller = new AbortController()
  const verified = auth.verifyEmail({ token: 'v1' }, { signal: controller.signal })
  await looking.promise
  controller.abort('enough')
  await expect(verified).resolves.toBeUndefined()
})

test('an accepted invitation signs the user in; looking at it does not', async () => {
  const asked: unknown[] = []
  const user = { id: 'u2', email: 'bob@example.com', name: 'Bob' }
  const fetch = async (input: unknown, init?: RequestInit): Promise<Response> => {
    const path = String(input).replace('http://engine.test', '')
    asked.push([path, JSON.parse(String(init?.body))])
    const invitation = { email: user.email, name: '', expiresAt: '2100-01-01T00:00:00Z' }
    if (path === '/auth/invitation') return Response.json({ invitation })
    const session = { token: 't2', expiresAt: '2100-01-01T00:00:00Z' }
    return Response.json({ user, session })
  }
  const auth = createAuth({ url: 'http://engine.test', fetch })
  const token = 'i1'
  expect(await auth.invitation({ token })).toMatchObject({ email: user.email })
  expect(auth.current()).toBeUndefined()
  expect(await auth.acceptInvitation({ token, password: 'p', name: 'Bob' })).toEqual(user)
  expect(auth.current()).toMatchObject({ user, token: 't2' })
  expect(asked).toEqual([
    ['/auth/invitation', { token }],
    ['/auth/accept-invitation', { token, password: 'p', name: 'Bob' }],
  ])
})

test('a sign-out of another tab is not undone by the answer to a renewal', async () => {
  const storage = signedInStorage()
  const fetch = async (): Promise<Response> => {
    // The other tab writes before this one gets its answer.
    void storage.write(undefined)
    const session = { token: 't2', expiresAt: '2100-01-01T00:00:00Z' }
    return Response.json({ user: { id: 'u1' }, session })
  }
  const auth = createAuth({ url: 'http://engine.test', storage, fetch })
  const heard: string[] = []
  auth.onChange((event) => heard.push(event))
  expect(await auth.getSession()).toBeUndefined()
  expect(storage.read()).toBeUndefined()
  expect(heard).toEqual(['signed-out'])
})
