/** @module Configurations of Engine that are measured, and the credentials of their caller. */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import type { Config } from '@engine/core'
import { SignJWT } from 'jose'
import type { MeasuredDatabase } from './databases.ts'
import { owner } from './workloads.ts'

export const setupNames = ['open', 'accounts', 'all'] as const
/** `open`: no authentication. `accounts`: accounts and a tenant rule. `all`: audit and rate limits, too. */
export type SetupName = (typeof setupNames)[number]

export const credentialNames = ['token', 'session', 'issuer', 'key'] as const
/** `token`: HS256 of our secret, without a session. `issuer`: RS256 of another service. */
export type CredentialName = (typeof credentialNames)[number]

export interface EngineSetup {
  readonly config: Config
}

/** Signs the tokens of the caller. */
export const secret: string = randomBytes(32).toString('base64url')
const masterKey = randomBytes(32).toString('base64url')
const issuer = 'https://issuer.example'
const pair = generateKeyPairSync('rsa', { modulusLength: 2_048 })

export function setupOf(database: MeasuredDatabase, name: SetupName): EngineSetup {
  const connections = { main: { url: database.url } }
  if (name === 'open') return { config: { connections, open: true } }
  const isAll = name === 'all'
  const publicKey = pair.publicKey.export({ format: 'pem', type: 'spki' }).toString()
  return {
    config: {
      connections,
      service_db: database.serviceUrl,
      masterKey,
      auth: {
        secret,
        roles: { default: ['customer'] },
        issuers: [{ issuer, publicKey, algorithms: ['RS256'] }],
      },
      permissions: [
        {
          table: 'main.orders',
          roles: ['customer'],
          select: { where: { owner: '$user.name' } },
        },
        {
          table: 'main.notes',
          roles: ['customer'],
          select: { where: { owner: '$user.name' } },
          insert: { check: { owner: '$user.name' } },
        },
      ],
      audit: { enabled: isAll },
      ...(isAll ? { limits: { rateLimitPerIP: 100_000_000, rateLimitPerUser: 100_000_000 } } : {}),
    } as unknown as Config,
  }
}

/** @returns the `Authorization` header of the caller; undefined in open mode. */
export async function authorizationOf(
  url: string,
  setup: SetupName,
  credential: CredentialName,
): Promise<string | undefined> {
  if (setup === 'open') return undefined
  return `Bearer ${await texts[credential](url)}`
}

const claims = { roles: ['customer'], name: owner }

/** An HS256 token of a caller, without a session. */
export function signToken(key: string, name: string = owner): Promise<string> {
  return new SignJWT({ ...claims, name })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(name)
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(key))
}

const texts: Readonly<Record<CredentialName, (url: string) => Promise<string>>> = {
  token: () => signToken(secret),
  issuer: () =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256' })
      .setIssuer(issuer)
      .setSubject(owner)
      .setExpirationTime('1h')
      .sign(pair.privateKey),
  session: async (url) => {
    const account = {
      email: 'ada@example.com',
      name: owner,
      password: randomBytes(12).toString('base64url'),
    }
    const body = await post(`${url}/auth/sign-up`, account)
    return (body as { readonly session: { readonly token: string } }).session.token
  },
  key: async (url) => {
    const key = { name: 'bench', roles: ['customer'], fields: { name: owner } }
    const body = await post(`${url}/admin/api/api-keys`, key)
    return (body as { readonly apiKey: { readonly key: string } }).apiKey.key
  },
}

async function post(url: string, body: unknown): Promise<unknown> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${masterKey}` }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return response.json()
}
