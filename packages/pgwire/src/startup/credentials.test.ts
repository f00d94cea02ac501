import { type Caller, GatewayError } from '@engine/core'
import type { Authenticated, AuthProvider } from '@engine/core/server'
import { expect, test } from 'vitest'
import { createCredentials } from './credentials.ts'

const masterKey = 'a-master-key-of-many-characters-0123456789'
const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1MSJ9.c2lnbmF0dXJlLW9mLWl0'
const apiKey = `ek_${'0'.repeat(12)}_${'1'.repeat(49)}`
const client = { ip: '127.0.0.1', userAgent: undefined, correlationId: 'c' }

function callerOf(id: string): Caller {
  return { kind: 'user', id, roles: [], fields: {} }
}

/** Accepts one token, one key and one password, and records its calls. */
function createProvider(asked: string[]): AuthProvider {
  const refuse = (): never => {
    throw new GatewayError('unauthorized', 'Not known.')
  }
  const known = (
    id: string,
    credential: Authenticated['credential'],
    credentialId?: string,
  ): Authenticated => ({ caller: callerOf(id), credential, credentialId, expiresAtMs: undefined })
  return {
    authenticate: (credential) => {
      asked.push('bearer')
      if (credential === token) return known('of-token', 'token')
      return credential === apiKey ? known('of-key', 'apiKey', 'k1') : refuse()
    },
    authenticatePassword: async (email, password) => {
      asked.push('password')
      if (email !== 'ada@example.com' || password !== 'open sesame') refuse()
      return { ...known('of-password', 'session'), renew: async () => known('again', 'session') }
    },
  }
}

type Strategies = Parameters<typeof createCredentials>[0]

async function outcome(strategies: Strategies, password: string, asked: string[] = []) {
  const credentials = createCredentials(strategies, createProvider(asked), masterKey)
  try {
    const { authenticated } = await credentials.check('ada@example.com', password, client)
    const { caller } = authenticated
    return caller.kind === 'user' ? caller.id : caller.kind
  } catch (error) {
    return error instanceof GatewayError ? error.problem : error
  }
}

test('each strategy takes its own credentials', async () => {
  const all = [token, apiKey, masterKey, 'open sesame', 'wrong', '']
  const outcomes = async (strategies: Strategies) =>
    Promise.all(all.map((password) => outcome(strategies, password)))
  const no = 'unauthorized'
  expect(await outcomes(['jwt'])).toEqual(['of-token', no, no, no, no, no])
  expect(await outcomes(['apiKey'])).toEqual([no, 'of-key', 'admin', no, no, no])
  expect(await outcomes(['password'])).toEqual([no, no, no, 'of-password', no, no])
  expect(await outcomes(['jwt', 'apiKey', 'password'])).toEqual([
    'of-token',
    'of-key',
    'admin',
    'of-password',
    no,
    no,
  ])
})

test('a wrong token or key does not count as a wrong password', async () => {
  const asked: string[] = []
  await outcome(['jwt', 'apiKey', 'password'], `${token}x`, asked)
  await outcome(['jwt', 'apiKey', 'password'], `${apiKey}x`, asked)
  expect(asked).toEqual(['bearer', 'bearer'])
})

test('the refusal is that of the strategy which the form of the credential belongs to', async () => {
  const provider: AuthProvider = {
    ...createProvider([]),
    authenticate: () => {
      throw new GatewayError('unauthorized', 'No signed token.')
    },
    authenticatePassword: () => {
      throw new GatewayError('invalidCredentials', 'The password is wrong.')
    },
  }
  for (const strategies of [
    ['password', 'jwt', 'apiKey'],
    ['jwt', 'apiKey', 'password'],
  ] as const) {
    const credentials = createCredentials(strategies, provider, undefined)
    const refusal = (password: string) => credentials.check('u', password, client)
    await expect(refusal('open sesame')).rejects.toThrow('The password is wrong.')
    await expect(refusal(token)).rejects.toThrow('No signed token.')
  }
})

test('what cannot be found out is not tried with the next strategy', async () => {
  const provider: AuthProvider = {
    ...createProvider([]),
    authenticate: () => {
      throw new GatewayError('unavailable', 'The database is away.')
    },
  }
  const credentials = createCredentials(['jwt', 'password'], provider, undefined)
  await expect(credentials.check('ada@example.com', 'open sesame', client)).rejects.toMatchObject({
    problem: 'unavailable',
  })
})

test('a login can be looked at again, as what it was', async () => {
  const credentials = createCredentials(
    ['jwt', 'apiKey', 'password'],
    createProvider([]),
    masterKey,
  )
  const byToken = await credentials.check('u', token, client)
  expect(await byToken.renew?.()).toMatchObject({ caller: { id: 'of-token' } })
  const byPassword = await credentials.check('ada@example.com', 'open sesame', client)
  expect(await byPassword.renew?.()).toMatchObject({ caller: { id: 'again' } })
  expect((await credentials.check('u', masterKey, client)).renew).toBeUndefined()
})

test('trust asks for nothing and gives nothing but anonymous', () => {
  const credentials = createCredentials(['trust'], undefined, masterKey)
  expect(credentials.isTrusting).toBe(true)
  expect(credentials.trust().authenticated.caller).toMatchObject({ kind: 'anonymous' })
})

test('without a provider every client is refused', async () => {
  const credentials = createCredentials(['jwt', 'apiKey', 'password'], undefined, undefined)
  for (const password of [token, apiKey, masterKey, 'open sesame', '']) {
    await expect(credentials.check('u', password, client)).rejects.toMatchObject({
      problem: 'unauthorized',
    })
  }
})
