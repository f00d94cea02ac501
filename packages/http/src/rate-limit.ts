import { GatewayError, type RateDecision } from '@engine/core'
import type { Authenticated, ClientInfo, RequestLimits } from '@engine/core/server'
import { beforeDeadline, deadlines } from './deadline.ts'
import { rateLimitHeaders } from './rate-limit-headers.ts'
import type { Call } from './route-handler.ts'

/** Lets requests in: not too many, and only of callers that are known. */
export interface Admission {
  /**
   * Counts the request by its address, authenticates the caller, counts the request by user. The rest of the limits goes into the
   * headers of the answer.
   *
   * @throws {GatewayError} `rateLimited` (429); `unavailable` (503) when that takes too long; what authenticating throws.
   */
  admit(call: Call): Promise<Authenticated>
  /**
   * Only counts it by its address, for routes that need no credential.
   *
   * @throws {GatewayError} `rateLimited` (429).
   */
  admitClient(call: Call): Promise<void>
}

/** See `AuthProvider`: from a request to whose it is. */
type Authenticating = (
  request: Request,
  client: ClientInfo,
) => Authenticated | Promise<Authenticated>

/** The limit of the address comes first, so that guessing credentials is limited too; that of the caller after authentication. */
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

/** Puts every limit that counted the request into the headers, also the one that refused it. */
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
