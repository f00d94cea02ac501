/** @module Runs statements in one transaction of the engine: batches and simulations, with the checks of their writes. */
import type { IsolationLevel, Session } from '../adapter/adapter.ts'
import { inOneState } from './in-one-state.ts'
import type { Runnable, SendStatement, TimeLimits } from './runnable.ts'
import type { Sender } from './sender.ts'
import {
  classifyWriteError,
  isSerializationFailure,
  runPrecheck,
  runPrecheckInOneState,
  type Send,
} from './write-checks.ts'

export interface TogetherOptions<Item, Answer> {
  readonly limits: TimeLimits
  /** False: the transaction is rolled back, and deferred constraints are checked after each write. */
  readonly isKept: boolean
  /** Runs one statement and returns its answer. */
  readonly run: (item: Item, send: SendStatement) => Promise<Answer>
  /** Called before each statement. If the statements run twice, it is called for each again. */
  readonly onStart?: (place: number) => void
}

/** A failure rolled everything back. */
export type TogetherResult<Answer> =
  | { readonly kind: 'done'; readonly answers: readonly Answer[] }
  | {
      readonly kind: 'failed'
      /** The answers of the statements before the failed one. */
      readonly answers: readonly Answer[]
      /** Index of the failed statement; the number of statements if the commit failed. */
      readonly at: number
      /** The error that the caller may know of. */
      readonly error: unknown
    }

/** `again`: only a transaction that sees one state can decide about the failure of the statement at this index. */
type Attempt<Answer> = TogetherResult<Answer> | { readonly kind: 'again'; readonly at: number }

/** Runs statements of one connection, one after the other. They run once more where a check depends on rows. */
export async function runTogether<Item extends Runnable, Answer>(
  sender: Sender,
  items: readonly Item[],
  options: TogetherOptions<Item, Answer>,
): Promise<TogetherResult<Answer>> {
  const impure = items.findIndex(({ prepared }) => prepared.precheck?.().isPure === false)
  const first: Attempt<Answer> =
    impure === -1 ? await attempt(sender, items, options, undefined) : { kind: 'again', at: impure }
  if (first.kind !== 'again') return first
  const suspect = items[first.at]
  if (suspect === undefined) throw new RangeError('no statement has to be judged')
  const failed = (at: number, error: unknown): TogetherResult<Answer> => {
    return { kind: 'failed', answers: [], at, error }
  }
  try {
    const second = await inOneState(sender.traits, suspect, (isolation) =>
      attempt(sender, items, options, isolation),
    )
    if (second.kind !== 'again') return second
    return failed(second.at, items[second.at]?.prepared.checkFailure())
  } catch (error) {
    return failed(first.at, suspect.prepared.withReportedFacts(error))
  }
}

/** Rolls back a transaction whose work is complete. */
class Undone extends Error {}

/**
 * @param isolation of a transaction that sees one state: checks that depend on rows are evaluated before their writes.
 * @throws 40001 only with an isolation.
 */
async function attempt<Item extends Runnable, Answer>(
  sender: Sender,
  items: readonly Item[],
  { limits, isKept, run, onStart }: TogetherOptions<Item, Answer>,
  isolation: IsolationLevel | undefined,
): Promise<Attempt<Answer>> {
  const { adapter, traits } = sender
  const readOnly = items.every(({ prepared }) => !prepared.plan.compiled.isWrite)
  const answers: Answer[] = []
  const runOne = async (item: Item, session: Session): Promise<Answer> => {
    const { precheck, plan } = item.prepared
    const within: Send = (execution) => session.execute(execution)
    await runPrecheck(precheck?.(), item, within, limits)
    if (isolation !== undefined) await runPrecheckInOneState(item, within, limits)
    const answer = await run(item, sender.sendTo(session, item))
    // Outside of the simulation it would be a transaction of its own.
    if (!isKept && plan.compiled.isWrite) await session.checkDeferred?.()
    return answer
  }
  try {
    await adapter.transaction({ ...limits, readOnly, isolation }, async (session) => {
      for (const item of items) {
        onStart?.(answers.length)
        answers.push(await runOne(item, session))
      }
      onStart?.(answers.length)
      if (!isKept) throw new Undone()
    })
    return { kind: 'done', answers }
  } catch (error) {
    if (error instanceof Undone) return { kind: 'done', answers }
    if (isolation !== undefined && isSerializationFailure(error)) throw error
    const at = answers.length
    const failed = items[at]
    if (failed === undefined) {
      return {
        kind: 'failed',
        answers,
        at,
        error: items[0]?.prepared.withReportedFacts(error, 'commit'),
      }
    }
    const alone: Send = (execution) => adapter.execute(execution)
    const state = isolation === undefined ? 'other' : 'judged'
    const verdict = await classifyWriteError(error, failed, traits, alone, limits, state)
    return verdict.kind === 'again'
      ? { kind: 'again', at }
      : { kind: 'failed', answers, at, error: failed.prepared.withReportedFacts(verdict.error) }
  }
}
