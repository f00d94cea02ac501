/** @module Checks the options of the wire protocol: which clients may connect, and from where. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { z } from 'zod'
import type { Faults } from '../../foundation/faults.ts'
import { type DescribedOption, describeOptions } from '../describe/describe-options.ts'
import type { AuthProvider } from '../options/auth-provider.ts'
import type { PgWireStrategy } from '../options/operations-config.ts'
import type { PgWireSettings } from '../settings/operations-settings.ts'
import { checked } from './config-issues.ts'
import { duration } from './config-values.ts'

const day = 86_400_000

const pem = z.union([z.string().min(1), z.instanceof(Uint8Array)])

const pgWireInput = z.strictObject({
  port: z.int().min(0).max(65_535).default(5433),
  host: z.string().min(1).default('127.0.0.1'),
  auth: z
    .strictObject({ strategy: z.array(z.enum(['jwt', 'apiKey', 'password', 'trust'])).min(1) })
    .optional(),
  tls: z.strictObject({ key: pem, cert: pem }).optional(),
  serverVersion: z
    .string()
    .regex(/^[1-9]\d?(\.\d{1,3}){0,2}( [ -~]*)?$/, 'expects a version such as "17.2"')
    .optional(),
  maxConnections: z.int().positive().max(100_000).default(100),
  allowPlaintext: z.boolean().default(false),
  catalog: z.enum(['pglite', 'builtin']).optional(),
  idleSessionTimeout: duration(1_000, 365 * day).optional(),
  idleInTransactionTimeout: duration(1_000, day).default(60_000),
  transactionTimeout: duration(1_000, day).default(600_000),
  overflow: z.enum(['error', 'cut']).default('error'),
  maxCursorRows: z.int().positive().default(1_000_000),
})

/** The options. */
export function pgWireOptions(): readonly DescribedOption[] {
  return describeOptions(pgWireInput, 'pgWire')
}

/** The options for credentials in the rest of a configuration. */
export interface KnownCredentials {
  readonly hasAuth: boolean
  readonly authProvider: AuthProvider | undefined
}

/** The options of `pgWire`. @returns undefined when no such server is configured, or when there are faults. */
export function parsePgWire(
  input: unknown,
  known: KnownCredentials,
  faults: Faults,
): PgWireSettings | undefined {
  if (input === undefined || input === false) return undefined
  const parsed = checked(pgWireInput, input === true ? {} : input, 'pgWire', faults)
  if (parsed === undefined) return undefined
  const { auth, tls, serverVersion, catalog, ...rest } = parsed
  const { idleSessionTimeout, idleInTransactionTimeout, transactionTimeout, ...plain } = rest
  const strategies = auth?.strategy ?? ['trust']
  checkStrategies(strategies, plain.host, known, faults)
  if (tls !== undefined) {
    for (const { path, message } of certificateFaults(tls)) faults.add(`pgWire.${path}`, message)
  }
  return {
    ...plain,
    tls,
    strategies,
    serverVersion,
    catalog,
    idleSessionTimeoutMs: idleSessionTimeout,
    idleInTransactionTimeoutMs: idleInTransactionTimeout,
    transactionTimeoutMs: transactionTimeout,
  }
}

function checkStrategies(
  strategies: readonly PgWireStrategy[],
  host: string,
  known: KnownCredentials,
  faults: Faults,
): void {
  for (const [i, strategy] of strategies.entries()) {
    const problem =
      strategies.indexOf(strategy) < i
        ? 'is there twice'
        : strategy === 'trust'
          ? trustProblem(strategies, host)
          : missingProvider(strategy, known)
    if (problem !== undefined) faults.add(`pgWire.auth.strategy.${i}`, problem)
  }
}

function trustProblem(strategies: readonly PgWireStrategy[], host: string): string | undefined {
  if (strategies.length > 1) return '"trust" stands alone: beside it no credential would count'
  return isLoopback(host)
    ? undefined
    : `"trust" lets everybody in: on loopback only, not on ${host}; or name other strategies`
}

function missingProvider(
  strategy: Exclude<PgWireStrategy, 'trust'>,
  { hasAuth, authProvider }: KnownCredentials,
): string | undefined {
  if (strategy === 'password' && authProvider !== undefined) {
    return authProvider.authenticatePassword === undefined
      ? '"password" needs authenticatePassword of the auth provider'
      : undefined
  }
  return hasAuth || strategy === 'apiKey'
    ? undefined
    : `"${strategy}" needs auth: nobody could come in`
}

/** Can the address be reached from this machine only? */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1|::ffff:127(\.\d{1,3}){3})$/i.test(host)
}

/** The faults of a key and a certificate in PEM. @returns faults whose paths begin with `tls`. */
export function certificateFaults({ key, cert }: NonNullable<PgWireSettings['tls']>): readonly {
  readonly path: string
  readonly message: string
}[] {
  const privateKey = attempt(() => createPrivateKey(Buffer.from(key)))
  const certificate = attempt(() => new X509Certificate(Buffer.from(cert)))
  if (privateKey === undefined || certificate === undefined) {
    return [
      ...(privateKey === undefined
        ? [{ path: 'tls.key', message: 'is no private key in PEM without a passphrase' }]
        : []),
      ...(certificate === undefined
        ? [{ path: 'tls.cert', message: 'is no certificate in PEM' }]
        : []),
    ]
  }
  return certificate.checkPrivateKey(privateKey)
    ? []
    : [{ path: 'tls.key', message: 'does not belong to the certificate in tls.cert' }]
}

/** The file may contain anything; the error of reading it could quote the content. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
