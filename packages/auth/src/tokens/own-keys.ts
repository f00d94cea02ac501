import type { KeyObject } from 'node:crypto'
import type { TokenAlgorithm } from './token-key.ts'
import type { OwnKeySource } from './verify-token.ts'

/** The keys of this service. */
export interface OwnKeys extends OwnKeySource {
  /** @throws {GatewayError} `unavailable` (503) while the service database that stores them cannot be reached. */
  signingKey(): Promise<SigningKey> | SigningKey
  /** The public keys that verify our tokens, as JWKs; none where tokens are signed with a secret. */
  publicKeys(): readonly object[]
}

export interface SigningKey {
  readonly id: string
  readonly algorithm: TokenAlgorithm
  readonly key: KeyObject
}
