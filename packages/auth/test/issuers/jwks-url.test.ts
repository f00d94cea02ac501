/** Issuers whose keys are fetched from a URL, over real sockets. */
import { generateKeyPairSync } from 'node:crypto'
import { silentLog } from '@engine/core'
import { parseConfig } from '@engine/core/server'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { trustedIssuers } from '../../src/issuers/trusted-issuers.ts'
import { createTokenVerifier } from '../../src/tokens/verify-token.ts'
import { type KeyServer, startKeyServer } from '../support/key-server.ts'
import { rawToken } from '../support/raw-token.ts'

const pairs = new Map(
  ['a', 'b'].map((kid) => [kid, generateKeyPairSync('ec', { namedCurve: 'P-256' })]),
)
const jwk = (kid: string) => ({ ...pairs.get(kid)?.publicKey.export({ format: 'jwk' }), kid })

const unauthorized = { code: 'UNAUTHORIZED', status: 401 }
const unavailable = { code: 'UNAVAILABLE', status: 503 }
const cooldownMs = 30_000

let server: KeyServer
const ending = new AbortController()
beforeEach(async () => {
  server = await startKeyServer()
  server.serve([jwk('a')])
})
afterEach(() => server.close())

/** A service that trusts the issuer, with a clock that the test moves. */
function open() {
  let nowMs = 1_800_000_000_000
  const clock = () => nowMs
  const issuers = [{ issuer: 'idp', jwksUri: server.url }]
  const { auth, jwt } = parseConfig({ connections: { main: 'x.db' }, auth: { issuers } })
  const verify = createTokenVerifier({
    ownKeys: undefined,
    issuers: trustedIssuers({
      issuers: auth?.issuers ?? [],
      algorithms: undefined,
      log: silentLog,
      clock,
      signal: ending.signal,
    }),
    jwt,
    matchedClaim: undefined,
    clock,
  })
  let count = 0
  return {
    pass: (milliseconds: number) => {
      nowMs += milliseconds
    },
    /** A new token whose header names a key, signed with that key or another one. */
    verify: async (kid: string, signedWith = kid) => {
      count += 1
      const claims = { iss: 'idp', sub: 'ada', exp: nowMs / 1_000 + 9_999, jti: String(count) }
      const key = pairs.get(signedWith)?.privateKey
      if (key === undefined) throw new Error(`there is no key ${signedWith}`)
      return verify(rawToken({ alg: 'ES256', kid }, claims, { algorithm: 'ES256', key }))
    },
  }
}

test('a token is verified with the key that it names', async () => {
  const it = open()
  expect(await it.verify('a')).toMatchObject({ subject: 'ada', issuer: { issuer: 'idp' } })
  await expect(it.verify('a', 'b')).rejects.toMatchObject(unauthorized)
  expect(server.requests()).toBe(1)
})

test('rotation: a new key is fetched when a token names it, a withdrawn one is refused', async () => {
  const it = open()
  await it.verify('a')
  server.serve([jwk('b')])
  expect(await it.verify('b')).toMatchObject({ subject: 'ada' })
  await expect(it.verify('a')).rejects.toMatchObject(unauthorized)
  server.serve([jwk('a')])
  await expect(it.verify('a')).rejects.toMatchObject(unauthorized)
  it.pass(cooldownMs)
  expect(await it.verify('a')).toMatchObject({ subject: 'ada' })
})

test('a thousand tokens that name unknown keys ask the issuer once', async () => {
  const it = open()
  await it.verify('a')
  it.pass(cooldownMs)
  const answers = await Promise.allSettled(
    Array.from({ length: 1_000 }, (_, i) => it.verify(`unknown-${i}`, 'b')),
  )
  expect(answers.every(({ status }) => status === 'rejected')).toBe(true)
  expect(server.requests()).toBe(2)
})

test('down and back: what is known goes on, what is not known is unavailable', async () => {
  const it = open()
  await it.verify('a')
  const port = Number(new URL(server.url).port)
  await server.close()
  it.pass(10 * 60_000)
  expect(await it.verify('a')).toMatchObject({ subject: 'ada' })
  await expect(it.verify('b')).rejects.toMatchObject(unavailable)
  it.pass(50 * 60_000)
  await expect(it.verify('a')).rejects.toMatchObject(unavailable)
  server = await startKeyServer(port)
  server.serve([jwk('a')])
  it.pass(cooldownMs)
  expect(await it.verify('a')).toMatchObject({ subject: 'ada' })
})

test.each<[string, Parameters<KeyServer['answer']>[0]]>([
  ['an error', (_, response) => void response.writeHead(500).end('{"keys":[]}')],
  ['HTML', (_, response) => void response.writeHead(200).end('<html></html>')],
  ['JSON that is no set', (_, response) => void response.writeHead(200).end('{"keys":1}')],
  ['an empty set', (_, response) => void response.writeHead(200).end('{"keys":[]}')],
  [
    'half of it',
    (_, response) => void response.writeHead(200, { 'content-length': '100' }).write('{'),
  ],
  ['nothing', (request) => void request.socket.destroy()],
])('%s in the place of keys is unavailable', async (_, answer) => {
  server.answer((request, response) => {
    answer(request, response)
    if (!response.writableEnded) setTimeout(() => request.socket.destroy(), 50)
  })
  await expect(open().verify('a')).rejects.toMatchObject(unavailable)
})

test('a redirect is not followed', async () => {
  const other = await startKeyServer()
  other.serve([jwk('a')])
  server.answer((_, response) => response.writeHead(302, { location: other.url }).end())
  await expect(open().verify('a')).rejects.toMatchObject(unavailable)
  expect(other.requests()).toBe(0)
  await other.close()
})

test('an answer without end is given up after 256 KiB', async () => {
  let sent = 0
  server.answer((_, response) => {
    const more = () => {
      const chunk = ' '.repeat(64 * 1_024)
      while (!response.destroyed) {
        sent += chunk.length
        if (!response.write(chunk)) return void response.once('drain', more)
      }
    }
    response.writeHead(200)
    more()
  })
  await expect(open().verify('a')).rejects.toMatchObject(unavailable)
  expect(sent).toBeLessThan(16 * 1_024 * 1_024)
})

test('a slow answer is given up after five seconds, and the next request does not wait for another', async () => {
  server.answer((_, response) => void response.writeHead(200).write(' '))
  const it = open()
  await expect(it.verify('a')).rejects.toMatchObject(unavailable)
  await expect(it.verify('a')).rejects.toMatchObject(unavailable)
  expect(server.requests()).toBe(1)
}, 20_000)
