import { GatewayError, type RateDecision } from '@engine/core'
import type { Authenticated, ClientInfo, RequestLimits } from '@engine/core/server'
import { beforeDeadline, deadlines } from './deadline.ts'
import { rateLimitHeaders } from './rate-limit-headers.ts'
import type { Call } from './route-handler.ts'

/** Admits requests: limits their rate, and authenticates their callers. */
export interface Admission {
  /**
   * Counts the request by its address, authenticates the caller, counts the request by user. The remaining limits are
   * sent in the headers of the answer.
   *
   * @throws {GatewayError} `rateLimited` (429); `unavailable` (503) when that takes too long; errors of the
   * authentication.
   */
  admit(call: Call): Promise<Authenticated>
  /**
   * Counts the request only by its address, for routes without a credential.
   *
   * @throws {GatewayError} `rateLimited` (429).
   */
  admitClient(call: Call): Promise<void>
}

/** See `AuthProvider`: finds the caller of a request. */
type Authenticating = (
  request: Request,
  client: ClientInfo,
) => Authenticated | Promise<Authenticated>

/**
 * The limit of the address is first, so that guessing credentials is limited too; the limit of the caller follows after
 * authentication.
 */
export function createAdmission(limits: RequestLimits, authenticate: Authenticating): Admission {
  const { admit, admitClient } = createUnhurried(limits, authenticate)
  return {
    admit: (call) => beforeDeadline(deadlines.identity, admit(call)),
    admitClient: (call) => beforeDeadline(deadlines.identity, admitClient(call)),
  }
}

function createUnhurried(limits: RequestLimits, authenticate: Authenticating): Admission {
  if (!limits.isActive) {
    return {
      admit: async ({ request, client }) => authenticate(request, client),
      admitClient: async () => undefined,
    }
  }
  return {
    admit: async (call) => {
      const counted: RateDecision[] = []
      await count(call, counted, () => limits.ofClient(call.client))
      const known = await authenticate(call.request, call.client)
      await count(call, counted, () => limits.ofCaller(known.caller, call.client))
      return known
    },
    admitClient: (call) => count(call, [], () => limits.ofClient(call.client)),
  }
}

/** Adds every limit that counted the request to the headers, including the one that refused it. */
async function count(
  { responseHeaders }: Call,
  counted: RateDecision[],
  take: () => Promise<RateDecision> | RateDecision | undefined,
): Promise<void> {
  try {
    const decision = await take()
    if (decision !== undefined) counted.push(decision)
  } catch (error) {
    if (error instanceof GatewayError && error.rate !== undefined) counted.push(error.rate)
    throw error
  } finally {
    Object.assign(responseHeaders, rateLimitHeaders(counted))
  }
}
