import { GatewayError, type RateDecision } from '@engine/core'
import type { Authenticated, ClientInfo, Expected, RequestLimits } from '@engine/core/server'
import { beforeDeadline, deadlines } from '../request/deadline.ts'
import type { IncomingRequest } from '../request/incoming-request.ts'
import type { Call } from '../response/answer-calls.ts'
import type { Expect } from './authenticate.ts'
import { rateLimitHeaders } from './rate-limit-headers.ts'

/** Admits requests: limits their rate, and authenticates their callers. At once where nothing must be waited for. */
export interface Admission<Request extends IncomingRequest = globalThis.Request> {
  /**
   * Counts the request by its address, authenticates the caller, counts the request by user. The remaining limits are
   * sent in the headers of the answer.
   *
   * @throws {GatewayError} `rateLimited` (429); `unavailable` (503) when that takes too long; errors of the
   * authentication.
   */
  admit(call: Call<Request>): Authenticated | Promise<Authenticated>
  /**
   * As `admit`, for a route that can begin before it is known that the caller is still what it was: then it gets what the caller
   * was the last time.
   */
  admitAhead(call: Call<Request>): Ahead | Promise<Ahead>
  /** Authenticates the caller of an admitted request again. */
  again(call: Call<Request>): Promise<Authenticated>
  /**
   * Counts the request only by its address, for routes without a credential.
   *
   * @throws {GatewayError} `rateLimited` (429).
   */
  admitClient(call: Call<IncomingRequest>): Promise<void> | void
}

/** Without `confirmed` the caller is known. */
export type Ahead = Pick<Expected, 'known'> & Partial<Pick<Expected, 'confirmed'>>

/** See `AuthProvider`: finds the caller of a request. */
type Authenticating<Request> = (
  request: Request,
  client: ClientInfo,
) => Authenticated | Promise<Authenticated>

/**
 * The limit of the address is first, so that guessing credentials is limited too; the limit of the caller follows after
 * authentication.
 */
export function createAdmission<Request extends IncomingRequest>(
  limits: RequestLimits,
  authenticate: Authenticating<Request>,
  expect?: Expect,
): Admission<Request> {
  const identify = ({ request, client }: Call<Request>): Ahead | Promise<Ahead> =>
    after(authenticate(request, client), (known) => ({ known }))
  const confirmedInTime = createConfirmation()
  const expected = (call: Call<Request>): Ahead | Promise<Ahead> => {
    const ahead = expect?.(call.request, call.client)
    if (ahead === undefined) return identify(call)
    return { known: ahead.known, confirmed: confirmedInTime(ahead.confirmed) }
  }
  const admitted = (
    call: Call<Request>,
    callerOf: (call: Call<Request>) => Ahead | Promise<Ahead>,
  ): Ahead | Promise<Ahead> => {
    const { client } = call
    if (!limits.isActive) return inTime(callerOf(call))
    return counting(call, (counted) =>
      after(limits.ofClient(client), (byAddress) => {
        if (byAddress !== undefined) counted.push(byAddress)
        return after(callerOf(call), (ahead) =>
          after(limits.ofCaller(ahead.known.caller, client), (byCaller) => {
            if (byCaller !== undefined) counted.push(byCaller)
            return ahead
          }),
        )
      }),
    )
  }
  return {
    admit: (call) => after(admitted(call, identify), ({ known }) => known),
    admitAhead: (call) => admitted(call, expected),
    again: async ({ request, client }) => inTime(authenticate(request, client)),
    admitClient: (call) => {
      if (!limits.isActive) return undefined
      return counting(call, (counted) =>
        after(limits.ofClient(call.client), (byAddress) => {
          if (byAddress !== undefined) counted.push(byAddress)
        }),
      )
    },
  }
}

/** Limits the time of confirmations: requests that wait for the same one share its deadline. */
function createConfirmation(): (confirmed: Promise<boolean>) => Promise<boolean> {
  let last: { readonly of: Promise<boolean>; readonly limited: Promise<boolean> } | undefined
  return (confirmed) => {
    if (last?.of === confirmed) return last.limited
    const limited = inTime(confirmed)
    // It is awaited later, and not at all when the requests are refused before.
    limited.catch(() => undefined)
    last = { of: confirmed, limited }
    return limited
  }
}

/** Adds every limit that counted the request to the headers, including the one that refused it. */
function counting<T>(
  { responseHeaders }: Call<IncomingRequest>,
  work: (counted: RateDecision[]) => T | Promise<T>,
): T | Promise<T> {
  const counted: RateDecision[] = []
  const tell = () => rateLimitHeaders(counted, responseHeaders)
  const fail = (error: unknown): never => {
    if (error instanceof GatewayError && error.rate !== undefined) counted.push(error.rate)
    tell()
    throw error
  }
  const succeed = (result: T): T => {
    tell()
    return result
  }
  try {
    const result = work(counted)
    return result instanceof Promise ? inTime(result).then(succeed, fail) : succeed(result)
  } catch (error) {
    return fail(error)
  }
}

function inTime<T>(work: Promise<T>): Promise<T>
function inTime<T>(work: T | Promise<T>): T | Promise<T>
function inTime<T>(work: T | Promise<T>): T | Promise<T> {
  return work instanceof Promise ? beforeDeadline(deadlines.identity, work) : work
}

/** `then`, at once for what is no promise. */
function after<T, Next>(
  value: T | Promise<T>,
  next: (value: T) => Next | Promise<Next>,
): Next | Promise<Next> {
  return value instanceof Promise ? value.then(next) : next(value)
}
