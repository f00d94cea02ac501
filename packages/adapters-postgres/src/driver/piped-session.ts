/** @module Sessions as pipelines use them: short reads, each sent after the others. */
import { GatewayError, sqlOf } from '@engine/core/adapter'
import type { QueueingSession } from '@engine/core/driver'
import { bufferRows } from './buffer-rows.ts'
import type { CancelBackend } from './cancel.ts'
import { hintsOf } from './native-statement.ts'
import { parameterTexts } from './protocol/parameter-text.ts'
import { createRowReader } from './row-reader.ts'
import type { ServerSession } from './session.ts'

/** A session, and how pipelines use it. */
export interface PipedSession extends QueueingSession<string> {
  readonly session: ServerSession
}

export function pipedSession(session: ServerSession, cancel: CancelBackend): PipedSession {
  return {
    session,
    isAlive: session.isAlive,
    condemn: session.condemn,
    unsent: session.unsent,
    cancel: () => cancel(session.backend.pid),
    takes: (statement) => !session.isPreparing(hintsOf(statement).steps[0]?.statementName ?? ''),
    queue: (execution, isWanted) => {
      const { statement, values } = execution
      const { steps, expects } = hintsOf(statement)
      const [step] = statement.steps
      const [hints] = steps
      if (step === undefined || hints === undefined) {
        throw new GatewayError('internal', 'a pipeline needs a statement of one step')
      }
      const buffered = bufferRows(execution)
      const reader = createRowReader(buffered.execution, step)
      const answer = session.queue({
        name: hints.statementName,
        text: sqlOf(step),
        values: parameterTexts(values[0] ?? [], hints.delimiters),
        begin: undefined,
        portal: undefined,
        settings: undefined,
        expects,
        onRow: (bytes, start, end) => {
          if (isWanted(end - start)) reader.read(bytes, start)
        },
        hold: undefined,
      })
      const finish = (tag: string) => {
        const { result } = reader.finish(tag)
        const delivered = buffered.deliver()
        return delivered === undefined ? result : delivered.then(() => result)
      }
      return { answer, finish }
    },
  }
}
