/**
 * @module Guards an adapter. Every compiled statement reaches its database through this guard: checks of a write run first, the
 * statement is observed and sent, and an error is checked before it is reported.
 */

import type { KnownTraits } from '../../compiler/catalog/database-traits.ts'
import type { AuthorizedStatement } from '../../compiler/permissions/authorize/authorized.ts'
import type { CompiledStatement } from '../../compiler/plan/plan.ts'
import type { Steps } from '../../foundation/steps.ts'
import type {
  Adapter,
  Cursor,
  IsolationLevel,
  ResultSet,
  Session,
  TransactionOptions,
} from '../adapter/adapter.ts'
import { compileInSteps } from '../adapter/compile-in-steps.ts'
import type { Observe } from '../observe/observe.ts'
import { runAlone } from './run-alone.ts'
import { runTogether, type TogetherOptions, type TogetherResult } from './run-together.ts'
import { runWithin } from './run-within.ts'
import type { AloneLimits, Runnable, RunOptions, TimeLimits, Work } from './runnable.ts'
import { createSender } from './sender.ts'

/** The functions of an adapter that stages before execution may call. */
export interface Compiler extends Pick<Adapter, 'kind' | 'compile' | 'planLines' | 'analyze'> {
  readonly traits: KnownTraits
  /** See `Compile.inSteps`. */
  compileInSteps(statement: AuthorizedStatement): Steps<CompiledStatement>
}

export interface GuardedAdapter extends Compiler {
  /** Runs a statement by itself. See `runAlone`. */
  runAlone(ready: Runnable, limits: AloneLimits, work: Work<ResultSet>): Promise<ResultSet>
  /** Runs statements in one transaction. See `runTogether`. */
  runTogether<Item extends Runnable, Answer>(
    items: readonly Item[],
    options: TogetherOptions<Item, Answer>,
  ): Promise<TogetherResult<Answer>>
  /** Opens a transaction for statements that are not known in advance. See `Adapter.transaction`. */
  transaction<T>(
    options: TransactionOptions,
    body: (session: GuardedSession) => Promise<T>,
  ): Promise<T>
}

/** One transaction. */
export interface GuardedSession
  extends Pick<Session, 'savepoint' | 'rollBackTo' | 'releaseSavepoint' | 'notify'>,
    Pick<Compiler, 'planLines'> {
  /** See `runWithin`. */
  run(ready: Runnable, limits: TimeLimits, work: Work<ResultSet>): Promise<ResultSet>
  /** Opens a cursor; undefined where the database has none for this statement, a write for one. See `Session.open`. */
  open(ready: Runnable, options: RunOptions): Promise<Cursor | undefined>
}

/**
 * @param observe is called for every statement of a client that is sent, not for the queries that check one.
 * @param onSend is called at the same times, whether or not anything observes.
 */
export function guardAdapter(
  adapter: Adapter,
  observe: Observe | undefined,
  onSend: () => void = () => undefined,
): GuardedAdapter {
  const sender = createSender(adapter, observe, onSend)
  return {
    kind: adapter.kind,
    traits: sender.traits,
    compile: (statement) => adapter.compile(statement),
    compileInSteps: (statement) => compileInSteps(adapter, statement),
    ...(adapter.analyze === undefined ? {} : { analyze: adapter.analyze.bind(adapter) }),
    ...(adapter.planLines === undefined ? {} : { planLines: adapter.planLines.bind(adapter) }),
    runAlone: (ready, limits, work) => runAlone(sender, ready, limits, work),
    runTogether: (items, options) => runTogether(sender, items, options),
    transaction: (options, body) =>
      adapter.transaction(options, (session) => body(guardSession(session, options.isolation))),
  }

  function planLinesIn(session: Session): Pick<GuardedSession, 'planLines'> {
    const { planLines } = adapter
    if (planLines === undefined) return {}
    const run = session.execute.bind(session)
    return { planLines: (execution, options) => planLines.call(adapter, execution, options, run) }
  }

  function guardSession(session: Session, isolation: IsolationLevel | undefined): GuardedSession {
    const { savepoint, rollBackTo, releaseSavepoint, notify } = session
    return {
      ...(savepoint === undefined ? {} : { savepoint: savepoint.bind(session) }),
      ...(rollBackTo === undefined ? {} : { rollBackTo: rollBackTo.bind(session) }),
      ...(releaseSavepoint === undefined
        ? {}
        : { releaseSavepoint: releaseSavepoint.bind(session) }),
      ...(notify === undefined ? {} : { notify: notify.bind(session) }),
      ...planLinesIn(session),
      run: (ready, limits, work) => runWithin(sender, ready, { session, isolation, limits }, work),
      open: async ({ prepared: { plan }, values }, options) => {
        const { compiled: statement } = plan
        // A write has further steps besides returning rows.
        if (statement.isWrite || statement.steps.length !== 1) return undefined
        return session.open?.({ ...options, statement, values })
      },
    }
  }
}
