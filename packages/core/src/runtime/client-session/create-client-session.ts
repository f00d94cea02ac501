import { fullRightsKey } from '../../compiler/permissions/access/rights.ts'
import type { PlanLineOptions } from '../../compiler/plan/plan-options.ts'
import type { Settings } from '../../config/settings/settings.ts'
import { afterWrite } from '../../foundation/adapter-errors.ts'
import type { RequestOrigin } from '../../foundation/audit-event.ts'
import type { Caller } from '../../foundation/caller.ts'
import { rejectAfter } from '../../foundation/deadline.ts'
import { GatewayError } from '../../foundation/errors.ts'
import { finishing } from '../../foundation/finishing.ts'
import type { Cells, ResultSet, RowReceiver } from '../adapter/adapter.ts'
import type { EngineSnapshot } from '../databases/snapshot.ts'
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
  RowOverflow,
  SessionCursor,
  SessionReceiver,
  SessionResult,
  SessionStatement,
  SessionTransaction,
  SleepRequest,
} from './client-session.ts'
import { deliverRows } from './deliver-rows.ts'
import { learnTimeZone } from './learn-time-zone.ts'
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
  /** Of the next statement or transaction; another one after every change of the configuration. */
  readonly environment: () => QueryEnvironment
  /** See `EngineOptions.upToDate`. */
  readonly upToDate?: (() => Promise<void> | undefined) | undefined
  readonly plans: SessionPlans
  readonly visible: (caller: Caller, snapshot: EngineSnapshot) => VisibleCatalog
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
  const { plans } = options
  let { caller, origin } = options
  let transaction: ClientTransaction | undefined
  /** The environment of the open transaction. */
  let own: QueryEnvironment | undefined
  /** When the open transaction began, in milliseconds since 1970. */
  let startedAtMs: number | undefined
  /** Plan of the last statement that ran. */
  let last: PreparedPlan | undefined

  const current = (): QueryEnvironment => own ?? options.environment()
  const visible = (): VisibleCatalog => options.visible(caller, current().snapshots.current())

  const audited = <Answer extends { readonly rowCount: number }>(
    { audit }: QueryEnvironment,
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
    run: (
      ready: ReadyStatement,
      plan: SessionPlan,
      environment: QueryEnvironment,
    ) => Promise<Answer>,
    hasRows: () => boolean = () => false,
  ): Promise<Answer> => {
    const environment = current()
    return audited(
      environment,
      statement,
      execution,
      (_request, _caller, touched = new Set<string>()) => {
        let isSent = false
        const runPlan = (plan: SessionPlan): Promise<Answer> => {
          const ready = plans.ready(plan, execution, environment, startedAtMs)
          isSent = true
          return run(ready, plan, environment).then((answer) => {
            last = plan.prepared
            return answer
          })
        }
        const attempt = (): Promise<Answer> => {
          const { signal } = execution
          const plan = plans.planOf(statement, caller, environment, touched, signal)
          return plan instanceof Promise ? plan.then(runPlan) : runPlan(plan)
        }
        // A failed statement ends its transaction.
        const mayRepeat = () => !isSent || (transaction === undefined && !hasRows())
        environment.uses.begin()
        return finishing(
          () => withFreshCatalog(environment, touched, attempt, mayRepeat),
          () => environment.uses.end(),
        )
      },
    )
  }

  /** Time spent waiting for a slow reader does not count as the statement's. */
  const deliverTo =
    ({ receiver, maxRows, tooMany }: Delivery, { prepared }: ReadyStatement): Work<ResultSet> =>
    (send, limits) => {
      const delivered = (result: ResultSet): ResultSet => {
        if (result.truncated && tooMany !== undefined) throw tooMany()
        return result
      }
      return answeredWithin(limits.timeoutMs, receiver, (watched) =>
        send({ rowShape: 'cells', receiver: watched, maxRows, ...limits }),
      ).then((result) => {
        if (result.rows.length === 0) return delivered(result)
        return deliverRows(result, receiver).then(
          () => delivered(result),
          (error: unknown) => {
            throw prepared.isLasting ? afterWrite(error) : error
          },
        )
      })
    }

  /** Runs in its turn, with the remaining time. */
  const runByItself = (
    { concurrency, settings }: QueryEnvironment,
    ready: ReadyStatement,
    { isUndone, work }: { readonly isUndone: boolean; readonly work: Work<ResultSet> },
    signal: AbortSignal | undefined,
  ): Promise<ResultSet> => {
    const { queryTimeoutMs: timeoutMs } = settings.limits
    const place = placeOf(ready, caller, { origin })
    return withSlot(concurrency, place, { timeoutMs, signal }, (limits) =>
      ready.prepared.adapter.runAlone(ready, { ...limits, isUndone }, work),
    )
  }

  const runWithin = (
    within: ClientTransaction,
    { settings }: QueryEnvironment,
    ready: ReadyStatement,
    delivery: Delivery,
    signal: AbortSignal | undefined,
  ): Promise<ResultSet> => {
    const limits = { timeoutMs: settings.limits.queryTimeoutMs, signal }
    return within.use(
      ready.prepared,
      (session) => session.run(ready, limits, deliverTo(delivery, ready)),
      signal,
    )
  }

  const run = (
    environment: QueryEnvironment,
    ready: ReadyStatement,
    delivery: Delivery,
    signal: AbortSignal | undefined,
  ): Promise<ResultSet> => {
    if (transaction !== undefined && !isIndependent(ready.prepared, transaction)) {
      return runWithin(transaction, environment, ready, delivery, signal)
    }
    const isUndone = delivery.tooMany !== undefined && ready.prepared.mayReturnTooMany
    const work = deliverTo(delivery, ready)
    return runByItself(environment, ready, { isUndone, work }, signal)
  }

  const openWithin = async (
    within: ClientTransaction,
    { settings }: QueryEnvironment,
    ready: ReadyStatement,
    description: StatementDescription,
    { signal, overflow = overflowOf(settings), maxRows }: OpenExecution & { maxRows: number },
  ): Promise<SessionCursor> => {
    const { prepared } = ready
    const limits = { timeoutMs: settings.limits.queryTimeoutMs, signal }
    if (isIndependent(prepared, within)) {
      const work: Work<ResultSet> = (send, own) => send({ rowShape: 'cells', maxRows, ...own })
      const result = await runByItself(current(), ready, { isUndone: false, work }, signal)
      if (result.truncated && overflow === 'error') throw tooManyRowsInPieces(maxRows)
      return bufferedCursor(result, description)
    }
    const options: RunOptions = { rowShape: 'cells', maxRows, ...limits }
    const use = async <T>(work: (session: GuardedSession) => Promise<T>): Promise<T> => {
      try {
        return await within.use(prepared, work, signal, true)
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

  const isUnrestricted = (environment = current()): boolean =>
    environment.snapshots.current().rights.rightsOf(caller).key === fullRightsKey

  /** Runs the statement: it counts as what it is, a read or a write. */
  const analyze = async (
    environment: QueryEnvironment,
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
    await run(environment, analyzed, delivery, signal)
    return lines
  }

  /** For statements of which the audit needs the text alone. */
  const auditedText = <Answer extends { readonly rowCount: number }>(
    environment: QueryEnvironment,
    { sql, signal, correlationId }: SleepRequest,
    run: RunStatement<SessionRequest, Answer>,
  ): Promise<Answer> => {
    const statement = { sql, parameterOids: [], searchPath: [] }
    return audited(environment, statement, { params: [], signal, correlationId }, run)
  }

  const channels = createSessionChannels({
    environment: current,
    caller: () => caller,
    visible,
    isUnrestricted: () => isUnrestricted(),
    audited: (request, work) => {
      const environment = current()
      return auditedText(
        environment,
        request,
        async (_request, _caller, touched = new Set<string>()) => {
          environment.uses.begin()
          try {
            return await work(touched, environment)
          } finally {
            environment.uses.end()
          }
        },
      )
    },
    within: ({ concurrency, settings }, place, signal, work) => {
      if (transaction !== undefined) return transaction.use(place, work, signal)
      const { queryTimeoutMs: timeoutMs } = settings.limits
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

  const begin = (modes: SessionTransaction) => {
    const environment = options.environment()
    const { settings, openTransactions, uses } = environment
    const { queryTimeoutMs: timeoutMs } = settings.limits
    const lifeMs = settings.pgWire?.transactionTimeoutMs ?? usualTransactionMs
    const enter: ClientTransactionLimits['enter'] = (connection, signal) =>
      openTransactions.enter(connection, concurrencyKey(caller, origin.ip), { timeoutMs, signal })
    transaction = createClientTransaction(modes, { timeoutMs, lifeMs, enter })
    own = environment
    startedAtMs = environment.clock()
    uses.begin()
  }

  /** In every case, there is no transaction afterwards. */
  const finish = async (work: (ended: ClientTransaction) => Promise<void>): Promise<void> => {
    const ended = transaction
    const environment = own
    transaction = own = startedAtMs = undefined
    try {
      if (ended !== undefined) await work(ended)
    } finally {
      environment?.uses.end()
    }
  }

  return {
    caller: () => caller,
    become: (next, credentialId) => {
      caller = next
      origin = { ...origin, credentialId }
    },
    rights: () => {
      const { snapshots, rightsVersion } = current()
      const { key, callerValues } = snapshots.current().rights.rightsOf(caller)
      return JSON.stringify([key, rightsVersion, visible().key, [...callerValues]])
    },
    catalogState: () => current().snapshots.current(),
    configuration: () => current().settings,
    visible,
    isUnrestricted: () => isUnrestricted(),
    upToDate: () => options.upToDate?.(),
    refresh: () => current().refresh(),
    refreshOf: async (connection) => {
      const { sources, log } = current()
      const source = sources.get(connection)
      if (source !== undefined) await refreshCatalogs([source], log)
    },
    learnTimeZone: (zone) => {
      const { sources, log } = current()
      return learnTimeZone(zone, sources.values(), log)
    },
    describe: async (statement, signal) => {
      const touched = new Set<string>()
      const environment = current()
      const { audit, uses } = environment
      uses.begin()
      try {
        return await withFreshCatalog(
          environment,
          touched,
          async () =>
            (await plans.planOf(statement, caller, environment, touched, signal)).description,
        )
      } catch (error) {
        if (audit !== undefined && error instanceof GatewayError) {
          await recordDenial(audit, error, {
            origin: originOf(origin, caller),
            sql: statement.shownSql ?? statement.sql,
          })
        }
        throw error
      } finally {
        uses.end()
      }
    },
    execute: (statement, execution) => {
      const { signal } = execution
      let receiver: BegunReceiver | undefined
      return planned(
        statement,
        execution,
        (ready, { description }, environment): Promise<SessionResult> => {
          const { settings } = environment
          const { overflow = overflowOf(settings) } = execution
          const maxRows = maxRowsOf(statement, settings)
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
          return run(environment, ready, delivery, signal).then(({ rowCount, truncated }) => {
            begun.begin()
            return { rowCount, truncated, description }
          })
        },
        () => receiver?.isBegun() === true,
      )
    },
    explain: async (statement, execution, options) => {
      const { signal } = execution
      const explained = await planned(statement, execution, async (ready, _plan, environment) => {
        const { concurrency, settings } = environment
        const { queryTimeoutMs: timeoutMs } = settings.limits
        requirePlans(ready.prepared.adapter, options, isUnrestricted(environment))
        if (options.isAnalyzed === true) {
          return { lines: await analyze(environment, ready, signal, options), rowCount: 0 }
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
      const within = open()
      const opened = await planned(
        statement,
        execution,
        async (ready, { description }, environment) => {
          const { settings } = environment
          const reading = { ...execution, maxRows: maxRowsOf(statement, settings) }
          const work = openWithin(within, environment, ready, description, reading)
          const cursor = await rejectAfter(settings.limits.queryTimeoutMs, work)
          return { cursor, rowCount: 0 }
        },
      )
      return opened.cursor
    },
    sleep: async (request, seconds) => {
      const { signal } = request
      const environment = current()
      const { concurrency, settings } = environment
      const timeoutMs = settings.limits.queryTimeoutMs
      const place = { connection: undefined, caller: concurrencyKey(caller, origin.ip) }
      await auditedText(environment, request, async () => {
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
      begin(modes)
    },
    startedAtMs: () => startedAtMs,
    characterize: (modes) => open().characterize(modes),
    commit: async () => {
      try {
        await finish((ended) => ended.commit())
      } catch (error) {
        throw last === undefined ? error : last.withReportedFacts(error, 'commit')
      }
    },
    rollBack: () => finish((ended) => ended.rollBack()),
    savepoint: (name) => open().savepoint(name),
    rollBackTo: (name) => open().rollBackTo(name),
    release: (name) => open().release(name),
    end: () => finish((ended) => ended.rollBack()),
  }
}

/** Reads no table: it must not decide on which connection the transaction begins. */
function isIndependent(
  { plan: { tables, connection }, isLasting }: PreparedPlan,
  transaction: ClientTransaction,
): boolean {
  return tables.length === 0 && !isLasting && !transaction.isOn(connection)
}

function maxRowsOf({ maxRows }: SessionStatement, { limits }: Settings): number {
  return maxRows ?? limits.maxRows
}

function overflowOf({ pgWire }: Settings): RowOverflow {
  return pgWire?.overflow ?? 'error'
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
