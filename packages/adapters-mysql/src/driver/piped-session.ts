/** @module Sessions as pipelines use them: short reads, each sent after the others. */
import { GatewayError, sqlOf } from '@engine/core/adapter'
import type { QueueingSession } from '@engine/core/driver'
import { traitsOf } from '../server/server-traits.ts'
import type { CancelStatement } from './cancel.ts'
import type { Outcome } from './exchange.ts'
import { programOf } from './program.ts'
import { boundValues, finishAnswer, resultReader, startAnswer } from './result-reader.ts'
import type { MysqlSession } from './session.ts'
import { timedOut } from './timed-out.ts'

/** A session, and how pipelines use it. */
export interface PipedSession extends QueueingSession<Outcome> {
  readonly session: MysqlSession
}

export function pipedSession(session: MysqlSession, cancel: CancelStatement): PipedSession {
  const { silentStops } = traitsOf(session.flavor).faults
  /** Statements that the server prepares now, or refused to prepare: those run on connections of their own. */
  const unprepared = new Set<string>()
  const prepare = (sql: string) => {
    unprepared.add(sql)
    session.prepare(sql).then(
      () => unprepared.delete(sql),
      // It fails for its caller, too, on a connection of its own.
      () => undefined,
    )
  }
  return {
    session,
    isAlive: session.isAlive,
    condemn: session.condemn,
    unsent: session.unsent,
    cancel: () => cancel(session.threadId),
    takes: ({ steps }) => {
      const sql = steps[0]?.sql ?? ''
      if (session.isPrepared(sql)) return true
      if (!unprepared.has(sql)) prepare(sql)
      return false
    },
    queue: (execution, isWanted) => {
      const answer = startAnswer(execution, false)
      const [step] = programOf(execution.statement).steps
      if (step === undefined) {
        throw new GatewayError('internal', 'a pipeline needs a statement of one step')
      }
      const values = boundValues(execution, step, 0, noneKept)
      const startMs = performance.now()
      return {
        answer: session.queue(sqlOf(step), values, resultReader(answer, step, isWanted)),
        finish: ({ warningCount }) => {
          if (silentStops && performance.now() - startMs >= execution.timeoutMs) {
            throw timedOut(undefined)
          }
          // By now the warnings may be those of another statement.
          return warningCount > 0 ? undefined : finishAnswer(answer)
        },
      }
    },
  }
}

const noneKept: ReadonlyMap<number, string> = new Map()
