import { EngineError } from '@engine/client'
import { DrizzleQueryError } from 'drizzle-orm'
import { useState } from 'react'

export interface Running {
  /** Runs a function, and reports its error. */
  readonly run: (work: () => Promise<unknown>) => void
  /** For the reader; undefined where all is well. */
  readonly problem: string | undefined
}

export function useRun(): Running {
  const [problem, setProblem] = useState<string>()
  const run = async (work: () => Promise<unknown>) => {
    setProblem(undefined)
    try {
      await work()
    } catch (error) {
      setProblem(textOf(error))
    }
  }
  return { run: (work) => void run(work), problem }
}

/** Drizzle wraps what the engine said; anything else is a mistake of ours, for the console. */
function textOf(error: unknown): string {
  const cause = error instanceof DrizzleQueryError ? error.cause : error
  if (!(cause instanceof EngineError)) throw error
  switch (cause.code) {
    case 'INVALID_CREDENTIALS':
      return 'This is not the password of this account.'
    case 'EMAIL_EXISTS':
      return 'There is an account with this address already.'
    case 'NETWORK_ERROR':
      return 'The server cannot be reached.'
    default:
      return cause.message
  }
}
