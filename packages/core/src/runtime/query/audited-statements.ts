/** @module Statements of clients, each recorded with its result. */

import {
  type Audit,
  type AuditOrigin,
  type RequestOrigin,
  recordedCaller,
} from '../../foundation/audit-event.ts'
import type { Caller } from '../../foundation/caller.ts'
import { GatewayError } from '../../foundation/errors.ts'
import { started } from '../../foundation/finishing.ts'
import { CallerChanged } from './confirmed-caller.ts'
import type { BatchRequest } from './run-batch.ts'
import type { QueryAnswer, QueryRequest } from './run-query.ts'

/** @param touched receives the connection as soon as it is known. */
export type RunStatement<Request, Answer = QueryAnswer> = (
  request: Request,
  caller: Caller,
  touched?: Set<string>,
) => Promise<Answer>

export type AuditedStatement<Request, Answer = QueryAnswer> = (
  request: Request,
  caller: Caller,
) => Promise<Answer>

/** The outcome of a statement. */
interface Outcome<Answer> {
  readonly connection: string | undefined
  readonly durationMs: number
  readonly answer: Answer | undefined
  readonly error: GatewayError | undefined
}

/** `run` with an audit entry for each statement: its result, or its refusal. */
export function auditedQuery<
  Request extends Pick<QueryRequest, 'sql' | 'params' | 'origin'>,
  Answer extends Pick<QueryAnswer, 'rowCount'>,
>(run: RunStatement<Request, Answer>, audit: Audit): AuditedStatement<Request, Answer> {
  return (request, caller) =>
    watched(run, request, caller, ({ connection, durationMs, answer, error }) => {
      const { sql, params, origin } = request
      if (error !== undefined && isDenial(error)) {
        const from = originOf(origin, caller)
        return recordDenial(audit, error, { origin: from, connection, sql, params })
      }
      // Its fields are written out: every statement makes one, and to copy objects takes longer than all the rest.
      const who = recordedCaller(caller, origin)
      return audit.record({
        kind: 'query',
        correlationId: origin?.correlationId,
        ip: origin?.ip,
        via: who.via,
        caller: who.caller,
        roles: who.roles,
        as: who.as,
        credentialId: origin?.credentialId,
        connection,
        sql,
        params,
        durationMs,
        rowCount: answer?.rowCount,
        error: answer === undefined ? (error?.code ?? 'INTERNAL_ERROR') : undefined,
        databaseCode: error?.report?.code,
      })
    })
}

/** Like `auditedQuery`: one event for each statement, since each one matters on its own. */
export function auditedBatch(
  run: RunStatement<BatchRequest>,
  audit: Audit,
): AuditedStatement<BatchRequest> {
  return (request, caller) =>
    watched(run, request, caller, async (outcome) => {
      const { connection, durationMs, answer, error } = outcome
      const { statements } = request
      const origin = originOf(request.origin, caller)
      if (error !== undefined && isDenial(error)) {
        const { sql, params } = statementAtFault(error, request) ?? {}
        return recordDenial(audit, error, { origin, connection, sql, params })
      }
      const code = answer === undefined ? (error?.code ?? 'INTERNAL_ERROR') : undefined
      for (const [i, { sql, params }] of statements.entries()) {
        const batch = { number: i + 1, of: statements.length }
        const rowCount = answer?.rowCounts?.[i]
        const statement = { connection, sql, params, durationMs, rowCount, error: code, batch }
        const databaseCode = error?.report?.code
        await audit.record({ ...origin, kind: 'query', ...statement, databaseCode })
      }
    })
}

function watched<Request extends { readonly origin?: RequestOrigin | undefined }, Answer>(
  run: RunStatement<Request, Answer>,
  request: Request,
  caller: Caller,
  write: (outcome: Outcome<Answer>) => Promise<void> | undefined,
): Promise<Answer> {
  const touched = new Set<string>()
  const startMs = performance.now()
  const outcome = (
    answer: Answer | undefined,
    error: GatewayError | undefined,
  ): Outcome<Answer> => ({
    connection: touched.size === 0 ? undefined : [...touched].join(', '),
    durationMs: performance.now() - startMs,
    answer,
    error,
  })
  const succeed = (answer: Answer): Answer | Promise<Answer> => {
    const written = write(outcome(answer, undefined))
    return written === undefined ? answer : written.then(() => answer)
  }
  const fail = async (error: unknown): Promise<never> => {
    if (!(error instanceof CallerChanged)) {
      await write(outcome(undefined, error instanceof GatewayError ? error : undefined))
    }
    throw error
  }
  return started(() => run(request, caller, touched)).then(succeed, fail)
}

/** The caller and origin of a request; `system` for work of the engine itself. */
export function originOf(origin: RequestOrigin | undefined, caller: Caller): AuditOrigin {
  return {
    ...recordedCaller(caller, origin),
    correlationId: origin?.correlationId,
    ip: origin?.ip,
    credentialId: origin?.credentialId,
  }
}

/** The requested operation of a refused request, as far as it is known. */
export interface Denied {
  readonly origin: AuditOrigin
  readonly connection?: string | undefined
  readonly sql?: string | undefined
  readonly params?: readonly unknown[] | undefined
}

const recorded = new WeakSet<GatewayError>()

/**
 * Records a refusal: 401, 403, 429 and the 422 of a check. Other errors are not refusals; an error that an inner call has already
 * recorded is not recorded again.
 *
 * @returns as `Audit.record`.
 */
export function recordDenial(
  audit: Audit,
  error: GatewayError,
  { origin, connection, sql, params }: Denied,
): Promise<void> | undefined {
  if (!isDenial(error) || recorded.has(error)) return undefined
  recorded.add(error)
  const { code, message, report } = error
  return audit.record({
    ...origin,
    kind: 'denial',
    connection,
    sql,
    params,
    error: code,
    message,
    databaseCode: report?.code,
  })
}

function isDenial({ problem, status }: GatewayError): boolean {
  return status === 401 || status === 403 || status === 429 || problem === 'checkFailed'
}

/** The statement that an error of a batch refers to; undefined when it refers to none. */
function statementAtFault(
  { details }: GatewayError,
  { statements }: BatchRequest,
): BatchRequest['statements'][number] | undefined {
  const number = details?.['statement']
  return typeof number === 'number' ? statements[number - 1] : undefined
}
