import { fullRightsKey } from '../../compiler/permissions/access/rights.ts'
import type { PlanLineOptions } from '../../compiler/plan/plan-options.ts'
import type { RequestOrigin } from '../../foundation/audit-event.ts'
import type { Caller } from '../../foundation/caller.ts'
import { rejectAfter } from '../../foundation/deadline.ts'
import { GatewayError } from '../../foundation/errors.ts'
import type { Cells, ResultSet, RowReceiver } from '../adapter/adapter.ts'
import { sleep } from '../execute/sleep.ts'
import type { GuardedSession } from '../guard/guarded-adapter.ts'
import { tooManyRows, tooManyRowsInPieces } from '../guard/row-overflow.ts'
import type { RunOptions, Work } from '../guard/runnable.ts'
import { concurrencyKey, withSlot } from '../limits/with-slot.ts'
import type { PreparedPlan } from '../prepare/prepare-plan.ts'
import type { StatementDescription } from '../prepare/statement-description.ts'
import {
  auditedQuery,
  originOf,
  type RunStatement,
  recordDenial,
} from '../query/audited-statements.ts'
import {
  analyzedStatement,
  maxPlanLines,
  planLinesOf,
  requirePlans,
} from '../query/database-plan.ts'
import type { QueryEnvironment } from '../query/query-environment.ts'
import { placeOf, type ReadyStatement } from '../query/run-query.ts'
import { withFreshCatalog } from '../query/with-fresh-catalog.ts'
import { refreshCatalogs } from '../schema/refresh-catalog.ts'
import { answeredWithin } from './answer-guard.ts'
import { bufferedCursor } from './buffered-cursor.ts'
import type {
  ClientSession,
  OpenExecution,
  SessionCursor,
  SessionReceiver,
  SessionResult,
  SessionStatement,
  SleepRequest,
} from './client-session.ts'
import { deliverRows } from './deliver-rows.ts'
import { nativeCursor } from './native-cursor.ts'
import { createSessionChannels } from './session-channels.ts'
import type { SessionPlan, SessionPlans } from './session-plans.ts'
import {
  type ClientTransaction,
  type ClientTransactionLimits,
  createClientTransaction,
} from './session-transaction.ts'
import type { VisibleCatalog } from './visible-catalog.ts'

export interface ClientSessionOptions {
  readonly caller: Caller
  /** The client's address, recorded with its statements. */
  readonly origin: RequestOrigin
  readonly environment: QueryEnvironment
  readonly plans: SessionPlans
  readonly visible: (caller: Caller) => VisibleCatalog
  /** Reads the catalogs of the databases again, unless that was just done. */
  readonly refresh: () => Promise<void>
}

/** A statement of a session, for the audit. */
interface SessionRequest {
  readonly sql: string
  readonly params: Cells
  readonly origin: RequestOrigin
}

/** The receiver of a statement's rows, and how many it gets. */
interface Delivery {
  readonly receiver: RowReceiver
  readonly maxRows: number
  /** Makes the error for more rows; undefined leaves them out. */
  readonly tooMany: (() => GatewayError) | undefined
}

/** Milliseconds that a transaction may last by default. */
const usualTransactionMs = 600_000

export function createClientSession(options: ClientSessionOptions): ClientSession {
  const { environment, plans, visible, refresh } = options
  const { settings, audit, concurrency, openTransactions } = environment
  const { queryTimeoutMs: timeoutMs } = settings.limits
  const usualOverflow = settings.pgWire?.overflow ?? 'error'
  const maxRowsOf = ({ maxRows }: SessionStatement): number => maxRows ?? settings.limits.maxRows
  const lifeMs = settings.pgWire?.transactionTimeoutMs ?? usualTransactionMs
  let { caller, origin } = options
  let transaction: ClientTransaction | undefined
  /** Plan of the last statement that ran. */
  let last: PreparedPlan | undefined

  const enter: ClientTransactionLimits['enter'] = (connection, signal) =>
    openTransactions.enter(connection, concurrencyKey(caller, origin.ip), { timeoutMs, signal })

  const audited = <Answer extends { readonly rowCount: number }>(
    { sql, shownSql = sql }: SessionStatement,
    { params, correlationId = origin.correlationId }: OpenExecution,
    run: RunStatement<SessionRequest, Answer>,
  ): Promise<Answer> => {
    if (audit === undefined) return run({ sql, params, origin }, caller)
    const request = { sql: shownSql, params, origin: { ...origin, correlationId } }
    return auditedQuery(run, audit)(request, caller)
  }

  const planned = <Answer extends { readonly rowCount: number }>(
    statement: SessionStatement,
    execution: OpenExecution,
    run: (ready: ReadyStatement, plan: SessionPlan) => Promise<Answer>,
    hasRows: () => boolean = () => false,
  ): Promise<Answer> =>
    audited(statement, execution, async (_request, _caller, touched = new Set<string>()) => {
      let isSent = false
      const attempt = async (): Promise<Answer> => {
        const plan = await plans.planOf(statement, caller, touched)
        const ready = plans.ready(plan, execution.params)
        isSent = true
        const answer = await run(ready, plan)
        last = plan.prepared
        return answer
      }
      // A failed statement ends its transaction.
      const mayRepeat = () => !isSent || (transaction === undefined && !hasRows())
      return withFreshCatalog(environment, touched, attempt, mayRepeat)
    })

  /** Time spent waiting for a slow reader does not count as the statement's. */
  const deliverTo =
    ({ receiver, maxRows, tooMany }: Delivery): Work<ResultSet> =>
    async (send, limits) => {
      const result = await answeredWithin(limits.timeoutMs, receiver, (watched) =>
        send({ rowShape: 'cells', receiver: watched, maxRows, ...limits }),
      )
      await deliverRows(result, receiver)
      if (result.truncated && tooMany !== undefined) throw tooMany()
      return result
    }

  /** Runs in its turn, with the remaining time. */
  const runByItself = (
    ready: ReadyStatement,
    delivery: Delivery,
    signal: AbortSignal | undefined,
  ): Promise<ResultSet> => {
    const place = placeOf(ready, caller, { origin })
    const isUndone = delivery.tooMany !== undefined && ready.prepared.mayReturnTooMany
    return withSlot(concurrency, place, { timeoutMs, signal }, (limits) =>
      ready.prepared.adapter.runAlone(ready, { ...limits, isUndone }, deliverTo(delivery)),
    )
  }

  const runWithin = (
    own: ClientTransaction,
    ready: ReadyStatement,
    delivery: Delivery,
    signal: AbortSignal | undefined,
  ): Promise<ResultSet> => {
    const limits = { timeoutMs, signal }
    return own.use(
      ready.prepared,
      (session) => session.run(ready, limits, deliverTo(delivery)),
      signal,
    )
  }

  const openWithin = async (
    own: ClientTransaction,
    ready: ReadyStatement,
    description: StatementDescription,
    maxRows: number,
    { signal, overflow = usualOverflow }: OpenExecution,
  ): Promise<SessionCursor> => {
    const { prepared } = ready
    const limits = { timeoutMs, signal }
    const options: RunOptions = { rowShape: 'cells', maxRows, ...limits }
    const use = async <T>(work: (session: GuardedSession) => Promise<T>): Promise<T> => {
      try {
        return await own.use(prepared, work, signal, true)
      } catch (error) {
        throw prepared.withReportedFacts(error)
      }
    }
    return use(async (session) => {
      const cursor = await session.open(ready, options)
      if (cursor !== undefined) return nativeCursor(cursor, { description, maxRows, overflow, use })
      const result = await session.run(ready, limits, (send) => send(options))
      if (result.truncated && overflow === 'error') throw tooManyRowsInPieces(maxRows)
      return bufferedCursor(result, description)
    })
  }

  const isUnrestricted = (): boolean =>
    environment.snapshots.current().rights.rightsOf(caller).key === fullRightsKey

  /** Runs the statement: it counts as what it is, a read or a write. */
  const analyze = async (
    ready: ReadyStatement,
    signal: AbortSignal | undefined,
    options: PlanLineOptions,
  ): Promise<readonly string[]> => {
    const analyzed = analyzedStatement(ready, options)
    const lines: string[] = []
    const receiver: RowReceiver = {
      row: ([line]) => void lines.push(line ?? ''),
      hold: () => undefined,
    }
    const delivery = { receiver, maxRows: maxPlanLines, tooMany: undefined }
    await (transaction === undefined
      ? runByItself(analyzed, delivery, signal)
      : runWithin(transaction, analyzed, delivery, signal))
    return lines
  }

  /** For statements of which the audit needs the text alone. */
  const auditedText = <Answer extends { readonly rowCount: number }>(
    { sql, signal, correlationId }: SleepRequest,
    run: RunStatement<SessionRequest, Answer>,
  ): Promise<Answer> =>
    audited({ sql, parameterOids: [], searchPath: [] }, { params: [], signal, correlationId }, run)

  const channels = createSessionChannels({
    environment,
    caller: () => caller,
    visible: () => visible(caller),
    isUnrestricted,
    audited: (request, run) =>
      auditedText(request, (_request, _caller, touched = new Set<string>()) => run(touched)),
    within: (place, signal, work) => {
      if (transaction !== undefined) return transaction.use(place, work, signal)
      const slot = { connection: place.plan.connection, caller: concurrencyKey(caller, origin.ip) }
      return withSlot(concurrency, slot, { timeoutMs, signal }, (limits) => {
        const modes = { ...limits, readOnly: false, isolation: 'read committed' } as const
        return place.adapter.transaction(modes, work)
      })
    },
  })

  const open = (): ClientTransaction => {
    if (transaction !== undefined) return transaction
    throw new GatewayError('badRequest', 'there is no transaction in progress', {
      sqlState: '25P01',
    })
  }

  /** In every case, there is no transaction afterwards. */
  const finish = async (work: (own: ClientTransaction) => Promise<void>): Promise<void> => {
    const own = transaction
    transaction = undefined
    if (own !== undefined) await work(own)
  }

  return {
    caller: () => caller,
    become: (next, credentialId) => {
      caller = next
      origin = { ...origin, credentialId }
    },
    rights: () => {
      const { key, callerValues } = environment.snapshots.current().rights.rightsOf(caller)
      return JSON.stringify([key, visible(caller).key, [...callerValues]])
    },
    catalogState: () => environment.snapshots.current(),
    visible: () => visible(caller),
    isUnrestricted,
    refresh,
    refreshOf: async (connection) => {
      const source = environment.sources.get(connection)
      if (source !== undefined) await refreshCatalogs([source], environment.log)
    },
    describe: async (statement) => {
      const touched = new Set<string>()
      try {
        return await withFreshCatalog(
          environment,
          touched,
          async () => (await plans.planOf(statement, caller, touched)).description,
        )
      } catch (error) {
        if (audit !== undefined && error instanceof GatewayError) {
          await recordDenial(audit, error, {
            origin: originOf(origin, caller),
            sql: statement.shownSql ?? statement.sql,
          })
        }
        throw error
      }
    },
    execute: (statement, execution) => {
      const { signal, overflow = usualOverflow } = execution
      const maxRows = maxRowsOf(statement)
      let receiver: BegunReceiver | undefined
      return planned(
        statement,
        execution,
        async (ready, { description }): Promise<SessionResult> => {
          const begun = begunReceiver(execution.receiver, description)
          receiver = begun
          const tooMany = () => {
            begun.begin()
            if (statement.maxRows !== undefined) return tooManyRowsInPieces(maxRows)
            return tooManyRows(maxRows, description.isWrite)
          }
          const delivery = {
            receiver: begun,
            maxRows,
            tooMany: overflow === 'error' ? tooMany : undefined,
          }
          const result =
            transaction === undefined
              ? await runByItself(ready, delivery, signal)
              : await runWithin(transaction, ready, delivery, signal)
          begun.begin()
          const { rowCount, truncated } = result
          return { rowCount, truncated, description }
        },
        () => receiver?.isBegun() === true,
      )
    },
    explain: async (statement, execution, options) => {
      const { signal } = execution
      const explained = await planned(statement, execution, async (ready) => {
        requirePlans(ready.prepared.adapter, options, isUnrestricted())
        if (options.isAnalyzed === true) {
          return { lines: await analyze(ready, signal, options), rowCount: 0 }
        }
        const place = placeOf(ready, caller, { origin })
        const lines = await withSlot(concurrency, place, { timeoutMs, signal }, (limits) =>
          planLinesOf(ready, limits, options),
        )
        return { lines, rowCount: 0 }
      })
      return explained.lines
    },
    open: async (statement, execution) => {
      const own = open()
      const opened = await planned(statement, execution, async (ready, { description }) => {
        const work = openWithin(own, ready, description, maxRowsOf(statement), execution)
        return { cursor: await rejectAfter(timeoutMs, work), rowCount: 0 }
      })
      return opened.cursor
    },
    sleep: async (request, seconds) => {
      const { signal } = request
      const place = { connection: undefined, caller: concurrencyKey(caller, origin.ip) }
      await auditedText(request, async () => {
        await (transaction === undefined
          ? withSlot(concurrency, place, { timeoutMs, signal }, (limits) => sleep(seconds, limits))
          : sleep(seconds, { timeoutMs, signal }))
        return { rowCount: 1 }
      })
    },
    channels,
    begin: (modes) => {
      if (transaction !== undefined) {
        throw new GatewayError('badRequest', 'there is already a transaction in progress', {
          sqlState: '25001',
        })
      }
      transaction = createClientTransaction(modes, { timeoutMs, lifeMs, enter })
    },
    characterize: (modes) => open().characterize(modes),
    commit: async () => {
      try {
        await finish((own) => own.commit())
      } catch (error) {
        throw last === undefined ? error : last.withReportedFacts(error, 'commit')
      }
    },
    rollBack: () => finish((own) => own.rollBack()),
    savepoint: (name) => open().savepoint(name),
    rollBackTo: (name) => open().rollBackTo(name),
    release: (name) => open().release(name),
    end: () => finish((own) => own.rollBack()),
  }
}

interface BegunReceiver extends RowReceiver {
  begin(): void
  isBegun(): boolean
}

/** Passes the description of the rows on once: before the first row, or at the end when there are no rows. */
function begunReceiver(
  receiver: SessionReceiver,
  description: StatementDescription,
): BegunReceiver {
  let isBegun = false
  const begin = () => {
    if (isBegun) return
    isBegun = true
    receiver.begin(description)
  }
  return {
    begin,
    isBegun: () => isBegun,
    row: (cells) => {
      if (!isBegun) begin()
      receiver.row(cells)
    },
    hold: () => receiver.hold(),
  }
}
