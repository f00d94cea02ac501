/** @module Authenticates clients: decides which credential they need, and limits the wrong ones from an address. */
import { type Audit, GatewayError, type Log, type RateLimit } from '@engine/core'
import {
  addressKey,
  type ClientInfo,
  isLoopback,
  recordDenial,
  tooManyRequests,
} from '@engine/core/server'
import type { PgWireServerOptions } from '@engine/core/session'
import { createCredentials, type Login } from './credentials.ts'
import type { Channel } from './negotiate.ts'
import { authenticationCleartextPassword } from './startup-messages.ts'
import { violation } from './startup-packet.ts'

export interface Authenticator {
  /**
   * Authenticates a client; asks for its password where one is needed.
   *
   * @returns undefined when the client disconnected meanwhile.
   * @throws {GatewayError} the error for the client, with its SQLSTATE; the connection ends.
   */
  authenticate(channel: Channel, user: string, client: ClientInfo): Promise<Login | undefined>
}

/** Like the limit of the master key: stops guessing; high enough that a pool with an old password does not lock out its host. */
const wrongCredentials: RateLimit = {
  name: 'pgwire-wrong-credential-ip',
  limit: 100,
  periodMs: 15 * 60_000,
  whenAway: 'count-locally',
}

const tooManyFailures = 'too many failed logins, try again later'

/** Maximum bytes of a password message: tokens have a few thousand. */
const longestPassword = 65_536

const passwordMessage = 0x70

export function createAuthenticator({
  settings: { pgWire, masterKey },
  provider,
  audit,
  limiter,
  log,
}: Pick<
  PgWireServerOptions,
  'settings' | 'provider' | 'audit' | 'limiter' | 'log'
>): Authenticator {
  const credentials = createCredentials(pgWire.strategies, provider, masterKey)

  const requireFewFailures = async ({ ip }: ClientInfo) => {
    const tries = await limiter.peek(wrongCredentials, addressKey(ip))
    if (!tries.isAllowed) throw tooManyRequests(tries, tooManyFailures)
  }

  const identify = async (user: string, password: string, client: ClientInfo): Promise<Login> => {
    try {
      return await credentials.check(user, password, client)
    } catch (error) {
      const failure = loginFailure(error, user)
      if (failure.sqlState === '28P01') {
        await limiter.take(wrongCredentials, addressKey(client.ip))
      }
      throw failure
    }
  }

  const authenticate = async (
    { stream, source, isEncrypted }: Channel,
    user: string,
    client: ClientInfo,
  ): Promise<Login | undefined> => {
    const isLocal = client.ip !== undefined && isLoopback(client.ip)
    if (credentials.isTrusting) {
      if (isLocal) return credentials.trust()
      throw hostRefused(
        `no entry for host "${client.ip}": clients without a credential come from this machine`,
      )
    }
    if (!isEncrypted && !isLocal && !pgWire.allowPlaintext) {
      throw hostRefused(
        `no entry for host "${client.ip}" without encryption: connect with TLS (sslmode=require)`,
      )
    }
    await requireFewFailures(client)
    stream.write(authenticationCleartextPassword)
    const password = await readPassword(source)
    return password === undefined ? undefined : identify(user, password, client)
  }

  return {
    authenticate: async (channel, user, client) => {
      try {
        return await authenticate(channel, user, client)
      } catch (error) {
        if (error instanceof GatewayError) await auditRefusal(error, client, audit)
        logFailure(error, client, log)
        throw error
      }
    },
  }
}

/** Logs bugs in full and unavailable services in one line; logs no errors of the client. */
function logFailure(error: unknown, { correlationId }: ClientInfo, log: Log): void {
  const facts = { correlation_id: correlationId }
  if (!(error instanceof GatewayError) || error.status === 500) {
    log.error({ ...facts, err: error }, 'login failed')
  } else if (error.status > 500) {
    log.warn({ ...facts, reason: error.message }, 'login failed')
  }
}

function hostRefused(message: string): GatewayError {
  return new GatewayError('unauthorized', message, { sqlState: '28000', publicMessage: message })
}

function auditRefusal(
  error: GatewayError,
  { correlationId, ip }: ClientInfo,
  audit: Audit | undefined,
): Promise<void> | undefined {
  const unknown = { caller: undefined, roles: undefined, credentialId: undefined }
  return (
    audit &&
    recordDenial(audit, error, { origin: { correlationId, ip, via: 'pgwire', ...unknown } })
  )
}

/** @returns undefined when the client disconnected. */
async function readPassword(source: Channel['source']): Promise<string | undefined> {
  const header = await source.read(5)
  if (header === undefined) return undefined
  if (header[0] !== passwordMessage) {
    throw violation(`expected password response, got message type ${header[0]}`)
  }
  const length = header.readInt32BE(1) - 4
  if (length < 1 || length > longestPassword) throw violation('invalid password message length')
  const body = await source.read(length)
  if (body === undefined) return undefined
  if (body.indexOf(0) !== length - 1) throw violation('invalid password packet size')
  return body.toString('utf8', 0, length - 1)
}

/**
 * Returns the same error for every invalid credential, so that it does not reveal the reason. The audit has the reason.
 */
function loginFailure(error: unknown, user: string): GatewayError {
  if (!(error instanceof GatewayError)) {
    return new GatewayError('internal', 'login failed', { cause: error })
  }
  switch (error.problem) {
    case 'unauthorized':
    case 'invalidCredentials':
    case 'invalidInput':
      return new GatewayError('unauthorized', error.message, {
        publicMessage: `password authentication failed for user "${user}"`,
        sqlState: '28P01',
        cause: error,
      })
    case 'unavailable':
      return new GatewayError('unavailable', error.message, {
        publicMessage: 'credentials cannot be checked at the moment',
        sqlState: '57P03',
        cause: error,
      })
    case 'rateLimited':
      return new GatewayError('rateLimited', tooManyFailures, {
        rate: error.rate,
        sqlState: '53400',
      })
    default:
      return new GatewayError(error.problem, error.message, {
        publicMessage: error.publicMessage,
        sqlState: error.status === 403 ? '28000' : (error.sqlState ?? 'XX000'),
        cause: error,
      })
  }
}
