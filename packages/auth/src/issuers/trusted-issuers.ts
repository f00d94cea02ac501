import type { Log } from '@engine/core'
import { type Fault, type IssuerSettings, invalidConfiguration } from '@engine/core/server'
import type { KeySource } from '../tokens/key-source.ts'
import { pemKey, secretKey, type TokenKey } from '../tokens/token-key.ts'
import type { TrustedIssuer } from '../tokens/verify-token.ts'
import { fetchKeySet } from './fetch-key-set.ts'
import { fixedKeys } from './fixed-keys.ts'
import { readKeySet } from './key-set.ts'
import { createRemoteKeys } from './remote-keys.ts'

export interface TrustedIssuersOptions {
  readonly issuers: readonly IssuerSettings[]
  /** `jwt.algorithms`: applies to every token; undefined: all supported ones. */
  readonly algorithms: readonly string[] | undefined
  readonly log: Log
  readonly clock: () => number
  /** Aborted at the end: fetches in progress are cancelled. */
  readonly signal: AbortSignal
}

/**
 * Reads the keys of all issuers whose tokens are accepted.
 *
 * @throws {GatewayError} `invalidConfiguration` when a key cannot be used, no algorithm is left, or a name is used
 * twice.
 */
export function trustedIssuers(options: TrustedIssuersOptions): readonly TrustedIssuer[] {
  const faults: Fault[] = []
  const names = new Set<string>()
  const trusted = options.issuers.flatMap((settings, i) => {
    const path = `auth.issuers.${i}`
    const { issuer } = settings
    if (names.has(issuer)) faults.push({ path: `${path}.issuer`, message: 'comes twice' })
    names.add(issuer)
    try {
      return { settings, keys: onlyAllowed(keysOf(settings, options), settings, options) }
    } catch (error) {
      const message = error instanceof Error ? error.message : 'cannot be used'
      faults.push({ path, message })
      return []
    }
  })
  if (faults.length > 0) throw invalidConfiguration(faults)
  return trusted
}

function keysOf(
  { issuer, keys, algorithms }: IssuerSettings,
  options: TrustedIssuersOptions,
): KeySource {
  const { log, clock, signal } = options
  switch (keys.from) {
    case 'url':
      if (isInTheOpen(new URL(keys.url))) {
        log.warn(
          { issuer },
          'keys of an issuer are fetched without TLS: anybody on the way can replace them',
        )
      }
      return createRemoteKeys({
        issuer,
        fetchKeys: () => fetchKeySet(keys.url, signal),
        log,
        clock,
      })
    case 'jwks':
      return fixedKeys(inlineKeys(keys.keys))
    case 'publicKey':
      return fixedKeys([pemKey(keys.pem, algorithms?.[0] ?? '')])
    case 'secret':
      return fixedKeys([{ ...secretKey(keys.secret), id: undefined }])
  }
}

function isInTheOpen({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}

/** Keys in the configuration: every one must be valid. */
function inlineKeys(list: readonly Readonly<Record<string, unknown>>[]): readonly TokenKey[] {
  const { keys, faults } = readKeySet({ keys: list })
  if (faults.length > 0) throw new Error(`jwks.${faults[0]}`)
  return keys
}

/** An algorithm must be allowed both by the issuer's own list and by `jwt.algorithms`. */
function onlyAllowed(
  keys: KeySource,
  settings: IssuerSettings,
  options: TrustedIssuersOptions,
): KeySource {
  const kinds = settings.keys.from === 'secret' ? ['HS256'] : ['RS256', 'ES256', 'EdDSA']
  const allowed = kinds.filter((name) =>
    [settings.algorithms, options.algorithms].every((list) => list?.includes(name) ?? true),
  )
  if (allowed.length === 0) throw new Error('jwt.algorithms allows none of its algorithms')
  return {
    find: (keyId, algorithm) => (allowed.includes(algorithm) ? keys.find(keyId, algorithm) : []),
  }
}
