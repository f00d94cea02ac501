/** @module Several statements in one transaction. */
import type { ResultSet } from './adapter.ts'
import type { Caller } from './caller.ts'
import { GatewayError } from './errors.ts'
import { serializeBatch } from './execute/serialize.ts'
import {
  answer,
  type QueryAnswer,
  type QueryEnvironment,
  type QueryRequest,
  type ReadyStatement,
  readyStatement,
  rowsWanted,
  withFreshCatalog,
} from './run-query.ts'

export interface BatchRequest {
  readonly statements: readonly Omit<QueryRequest, 'signal'>[]
  readonly signal: AbortSignal | undefined
}

/** Prepares every statement before the first one runs: a batch with a bad statement touches nothing. */
export async function runBatch(
  request: BatchRequest,
  caller: Caller,
  environment: QueryEnvironment,
): Promise<QueryAnswer> {
  const { ready, results } = await withFreshCatalog(environment, async () => {
    const statements = request.statements.map((s) => readyStatement(s, caller, environment))
    return { ready: statements, results: await runAll(statements, request, environment) }
  })
  const answers = results.map((result, i) => {
    const [statement, prepared] = [request.statements[i], ready[i]?.prepared]
    if (statement === undefined || prepared === undefined) throw new Error('a result too many')
    return answer(prepared, result, statement)
  })
  return {
    body: serializeBatch(answers.map(({ body }) => body)),
    rowCount: answers.reduce((sum, { rowCount }) => sum + rowCount, 0),
    truncated: answers.some(({ truncated }) => truncated),
  }
}

async function runAll(
  ready: readonly ReadyStatement[],
  { statements, signal }: BatchRequest,
  { settings }: QueryEnvironment,
): Promise<readonly ResultSet[]> {
  const [first] = ready
  if (first === undefined) return []
  const connections = new Set(ready.map(({ prepared }) => prepared.plan.connection))
  if (connections.size > 1) {
    const names = [...connections].map((name) => `"${name}"`).join(' and ')
    throw new GatewayError('badRequest', `A batch runs on one connection, not on ${names}.`)
  }
  const timeoutMs = settings.limits.queryTimeoutMs
  const readOnly = ready.every(({ prepared }) => !prepared.plan.compiled.isWrite)
  return first.prepared.adapter.transaction({ timeoutMs, readOnly, signal }, async (session) => {
    const results: ResultSet[] = []
    for (const [i, { prepared, values }] of ready.entries()) {
      const method = statements[i]?.method ?? 'all'
      const result = await session.execute({
        statement: prepared.plan.compiled,
        values,
        ...rowsWanted(prepared, method, settings),
        timeoutMs,
        signal,
      })
      results.push(result)
    }
    return results
  })
}
