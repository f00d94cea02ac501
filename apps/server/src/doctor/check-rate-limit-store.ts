import { silentLog } from '@engine/core'
import { createRateLimiter, type Settings } from '@engine/core/server'
import { type Finding, fault, ok } from './finding.ts'
import { reasonOf } from './reason-of.ts'

const about = 'limits.rateLimitStore'

/** Checks whether Redis answers, where it stores the counts. */
export async function checkRateLimitStore({ limits }: Settings): Promise<readonly Finding[]> {
  if (limits.rateLimitStore === undefined) return []
  let problem: unknown
  const log = {
    ...silentLog,
    warn: ({ err }: { readonly err?: unknown }) => {
      problem ??= err
    },
  }
  const limiter = await createRateLimiter({ limits, store: undefined, clock: Date.now, log })
  await limiter.close()
  return problem === undefined
    ? [ok(about, 'answers')]
    : [fault(about, `cannot be reached: ${reasonOf(problem, limits.rateLimitStore)}`)]
}
