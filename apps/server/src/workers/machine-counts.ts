/** @module Rate limits that the workers share: the supervisor counts. */
import { createMemoryRateLimiter, type RateDecision, type RateLimit } from '@engine/core'
import type { SharedRateLimiter } from '@engine/core/server'
import type { Channel } from './channel.ts'
import type { QuestionForSupervisor } from './questions.ts'

/** As a worker sees it. */
export function createMachineCounts(
  supervisor: Pick<Channel<QuestionForSupervisor>, 'ask'>,
): SharedRateLimiter {
  return {
    // The answer has a copy of the limit.
    take: async (limit, key, count = 1) => ({
      ...((await supervisor.ask({ what: 'take', limit, key, count })) as RateDecision),
      limit,
    }),
    peek: async (limit, key) => ({
      ...((await supervisor.ask({ what: 'peek', limit, key })) as RateDecision),
      limit,
    }),
    reset: async (limit, key) => void (await supervisor.ask({ what: 'reset', limit, key })),
    close: async () => undefined,
  }
}

type Counting = Extract<QuestionForSupervisor, { readonly limit: RateLimit }>

/** @returns a function that answers the workers. */
export function createCounting(
  clock: () => number,
): (question: Counting) => RateDecision | undefined {
  const limiter = createMemoryRateLimiter({ clock })
  return (question) => {
    const { limit, key } = question
    switch (question.what) {
      case 'take':
        return limiter.take(limit, key, question.count)
      case 'peek':
        return limiter.peek(limit, key)
      default:
        limiter.reset(limit, key)
        return undefined
    }
  }
}
