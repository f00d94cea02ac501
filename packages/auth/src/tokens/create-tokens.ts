import { randomBytes } from 'node:crypto'
import { GatewayError, type Log } from '@engine/core'
import {
  type AuthSettings,
  boxSecrets,
  createSecretBox,
  invalidConfiguration,
  type JwtSettings,
} from '@engine/core/server'
import type { Store } from '@engine/core/store'
import { trustedIssuers } from '../issuers/trusted-issuers.ts'
import { issueToken, type TokenFacts } from './issue-token.ts'
import type { PairAlgorithm } from './key-pair.ts'
import type { OwnKeys } from './own-keys.ts'
import { processKeys } from './process-keys.ts'
import { productionSecretFaults } from './production-secrets.ts'
import { secretKeys } from './secret-keys.ts'
import { createStoredKeys } from './stored-keys.ts'
import { createTokenVerifier, type VerifyToken } from './verify-token.ts'

/** Creates and verifies tokens. */
export interface Tokens {
  /** Signs the token of a session. Anyone can read it, only this service can create it. */
  issue(facts: TokenFacts): Promise<string>
  /** Checks signature and claims, of our tokens and those of issuers; does not read sessions. */
  readonly verify: VerifyToken
  /** No other service signs with our keys. */
  readonly isOursAlone: boolean
  /** @throws {GatewayError} `unavailable` (503). */
  jwks(): { readonly keys: readonly object[] }
  close(): void
}

export interface TokensOptions {
  readonly settings: AuthSettings
  readonly jwt: JwtSettings
  readonly masterKey: string | undefined
  readonly store: Store
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly isProduction: boolean
}

/** @throws {GatewayError} `invalidConfiguration`: no secret in production, or an invalid key of an issuer. */
export async function createTokens(options: TokensOptions): Promise<Tokens> {
  const { settings, jwt, log, clock } = options
  const ending = new AbortController()
  const issuers = trustedIssuers({
    issuers: settings.issuers,
    algorithms: jwt.algorithms,
    log,
    clock,
    signal: ending.signal,
  })
  const keys = await ownKeys(options)
  return {
    issue: (facts) => issueToken(facts, keys, jwt, clock()),
    verify: createTokenVerifier({
      ownKeys: keys,
      issuers,
      jwt,
      matchedClaim: settings.userTable && (settings.userTable.matchOn?.jwtField ?? 'sub'),
      clock,
    }),
    isOursAlone: keys.isOursAlone,
    jwks: () => ({ keys: keys.publicKeys() }),
    close: () => ending.abort(),
  }
}

/** Best algorithm first. */
const pairAlgorithms: readonly PairAlgorithm[] = ['ES256', 'RS256', 'EdDSA']

async function ownKeys(options: TokensOptions): Promise<OwnKeys> {
  const { settings, jwt, masterKey, log, isProduction } = options
  const algorithm = pairAlgorithms.find((name) => jwt.algorithms?.includes(name))
  const signsWithSecret = jwt.algorithms?.includes('HS256') ?? true
  const [secret, ...older] = settings.secrets
  const faults = isProduction ? productionSecretFaults({ masterKey, jwt, auth: settings }) : []
  if (faults.length > 0) throw invalidConfiguration(faults)
  if (signsWithSecret || algorithm === undefined) {
    if (secret !== undefined) return secretKeys([secret, ...older])
    log.warn({ path: 'auth.secret' }, 'no secret is configured: sessions end with this process')
    return secretKeys([randomBytes(32).toString('base64url')])
  }
  return storedKeys(algorithm, options)
}

async function storedKeys(
  algorithm: PairAlgorithm,
  { settings, masterKey, store, log, clock }: TokensOptions,
): Promise<OwnKeys> {
  if (masterKey === undefined && settings.secrets.length === 0) {
    log.warn({ path: 'auth.secret' }, 'no secret is configured: sessions end with this process')
    return processKeys(algorithm)
  }
  const box = createSecretBox(boxSecrets(masterKey, settings.secrets), 'signing keys')
  const keys = createStoredKeys({ algorithm, store, box, log, clock })
  try {
    await keys.load()
  } catch (error) {
    if (!(error instanceof GatewayError && error.problem === 'unavailable')) throw error
    log.warn({ err: error }, 'the signing keys cannot be read yet')
  }
  return keys
}
