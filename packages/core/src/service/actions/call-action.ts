/** @module One run of an action: rights, input, time, output. */

import type { ActionDefinition } from '../../config/options/action.ts'
import type { OpenActionAccounts } from '../../config/options/action-accounts.ts'
import { cancelled } from '../../foundation/adapter-errors.ts'
import type { Audit, RequestOrigin } from '../../foundation/audit-event.ts'
import type { Caller } from '../../foundation/caller.ts'
import { GatewayError, type Problem } from '../../foundation/errors.ts'
import type { Log } from '../../foundation/log.ts'
import {
  createEngineDatabase,
  isEngineDatabaseError,
} from '../../runtime/engine-database/engine-database.ts'
import type { SystemStatements } from '../../runtime/engine-database/system-statements.ts'
import { originOf, recordDenial } from '../../runtime/query/audited-statements.ts'
import { accountsUntil } from './accounts-until.ts'
import { requireActionRole } from './action-rights.ts'
import { outputJson } from './output-json.ts'
import { validatedInput, validatedOutput } from './validate.ts'

/** A call of an action. */
export interface ActionRequest {
  readonly name: string
  /** The input as sent: any JSON value; undefined without one. */
  readonly input: unknown
  /** Aborted when the client disconnects. */
  readonly signal?: AbortSignal | undefined
  /** The origin of the request, for the audit. */
  readonly origin?: RequestOrigin | undefined
  /** Opens the accounts of the action; undefined where there are none. A gateway adds its own. */
  readonly accounts?: OpenActionAccounts | undefined
}

export interface ActionEnvironment {
  readonly actions: ReadonlyMap<string, ActionDefinition>
  readonly statements: SystemStatements
  /** Default for actions without a timeout of their own, in milliseconds. */
  readonly timeoutMs: number
  readonly log: Log
  readonly audit: Audit | undefined
  /** Statements of actions have full rights: adds to an error the database facts that the caller may know. */
  readonly withFactsFor: (caller: Caller, error: GatewayError) => GatewayError
}

/**
 * Runs an action. It ends when `run` is done, when its time is up or when the client disconnects, even if `run` continues: then
 * its transactions are rolled back, and its database accepts no more statements.
 *
 * @returns the output as JSON; `{"ok":true}` where there is none.
 * @throws {GatewayError} `actionNotFound`, `permissionDenied`, `invalidInput`, `queryTimeout`; the error that `run` throws, if
 *   that is a `GatewayError`; `internal` for every other error.
 */
export async function callAction(
  request: ActionRequest,
  caller: Caller,
  environment: ActionEnvironment,
): Promise<string> {
  const { audit, actions } = environment
  const { name } = request
  const origin = originOf(request.origin, caller)
  const action = actions.get(name)
  if (action === undefined) throw notFound(name)
  const startMs = performance.now()
  const written = (error: GatewayError | undefined) =>
    audit?.record({
      ...origin,
      kind: 'action',
      action: name,
      durationMs: performance.now() - startMs,
      error: error?.code,
      databaseCode: reportOf(error)?.code,
    })
  try {
    requireActionRole(name, action, caller)
    const output = await runInTime(action, request, caller, environment)
    await written(undefined)
    return output
  } catch (error) {
    const visible = environment.withFactsFor(caller, visibleError(error, name))
    if (audit !== undefined && visible.problem === 'permissionDenied') {
      await recordDenial(audit, visible, { origin })
    }
    await written(visible)
    throw visible
  }
}

async function runInTime(
  action: ActionDefinition,
  request: ActionRequest,
  caller: Caller,
  { statements, timeoutMs, log }: ActionEnvironment,
): Promise<string> {
  const { name } = request
  const limit = AbortSignal.timeout(action.timeout ?? timeoutMs)
  const signal = request.signal === undefined ? limit : AbortSignal.any([limit, request.signal])
  const origin: RequestOrigin = {
    correlationId: request.origin?.correlationId ?? '',
    ip: request.origin?.ip,
    credentialId: request.origin?.credentialId,
    isByAdmin: request.origin?.isByAdmin,
    via: `action:${name}`,
  }
  // The call itself counts as the use.
  const use = () => ({ statements, end: () => undefined })
  const { database, end } = createEngineDatabase({ use, caller, origin, signal })
  const over = new AbortController()
  const until = AbortSignal.any([signal, over.signal])
  const accounts = accountsUntil(until, request.accounts?.(caller, origin))
  const work = async (): Promise<string> => {
    const input = await validatedInput(action.input, request.input)
    if (signal.aborted) throw cancelled()
    const facts = { action: name, correlation_id: origin.correlationId }
    const user = { ...caller.fields, ...caller }
    const context = { user, db: database, accounts, signal, log: withFacts(log, facts) }
    const output: unknown = await action.run(context, input)
    return outputJson(await validatedOutput(action.output, output))
  }
  const aborted = Promise.withResolvers<never>()
  const onAbort = () => aborted.reject(limit.aborted ? tookTooLong() : cancelled())
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  const working = work()
  // It may end long after the client has stopped waiting.
  working.catch((err: unknown) => {
    if (signal.aborted) log.debug({ action: name, err }, 'an action that was stopped has failed')
  })
  try {
    return await Promise.race([aborted.promise, working])
  } catch (error) {
    throw limit.aborted ? tookTooLong(error) : error
  } finally {
    signal.removeEventListener('abort', onAbort)
    over.abort()
    await end()
  }
}

/** The report of the failed statement, if its values are not for the client. */
function reportOf(error: GatewayError | undefined): GatewayError['report'] {
  if (error === undefined || error.report !== undefined) return error?.report
  return error.cause instanceof GatewayError ? error.cause.report : undefined
}

/** Problems of an action's statement that a client can act on; their texts name no tables. */
const visibleProblems: ReadonlySet<Problem> = new Set([
  'conflict',
  'invalidValue',
  'queryTimeout',
  'unavailable',
  'rateLimited',
])

/** Errors that an action throws on purpose reach the caller; its other failures do not. */
function visibleError(error: unknown, name: string): GatewayError {
  if (
    error instanceof GatewayError &&
    (!isEngineDatabaseError(error) || visibleProblems.has(error.problem))
  ) {
    return error
  }
  return new GatewayError('internal', `the action ${name} failed`, { cause: error })
}

function notFound(name: string): GatewayError {
  return new GatewayError(
    'actionNotFound',
    `There is no action ${JSON.stringify(name.slice(0, 100))}.`,
  )
}

function tookTooLong(cause?: unknown): GatewayError {
  if (cause instanceof GatewayError && cause.problem === 'queryTimeout') return cause
  return new GatewayError('queryTimeout', 'The action took too long.', { cause })
}

function withFacts(log: Log, facts: object): Log {
  const level = (name: keyof Log) => (own: object, message: string) =>
    log[name]({ ...facts, ...own }, message)
  return { debug: level('debug'), info: level('info'), warn: level('warn'), error: level('error') }
}
