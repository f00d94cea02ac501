/** @module The functions of an engine under one configuration. */

import {
  withoutReportedFacts,
  withReportedFacts,
} from '../compiler/permissions/access/reported-facts.ts'
import { maySleep } from '../compiler/sql/sleep-call.ts'
import { admin, type Caller } from '../foundation/caller.ts'
import type { GatewayError } from '../foundation/errors.ts'
import type { PoolState } from '../runtime/adapter/adapter.ts'
import type { DataSource } from '../runtime/databases/data-source.ts'
import { createEngineDatabase } from '../runtime/engine-database/engine-database.ts'
import type { SystemStatements } from '../runtime/engine-database/system-statements.ts'
import { explainStatement } from '../runtime/explain/explain.ts'
import { permissionMatrix } from '../runtime/explain/permission-matrix.ts'
import { simulateStep, simulateSteps } from '../runtime/explain/simulate.ts'
import { concurrencyKey, withSlot } from '../runtime/limits/with-slot.ts'
import {
  auditedBatch,
  auditedQuery,
  type RunStatement,
} from '../runtime/query/audited-statements.ts'
import { confirming, requireConfirmed } from '../runtime/query/confirmed-caller.ts'
import type { QueryEnvironment } from '../runtime/query/query-environment.ts'
import { type BatchRequest, runBatch } from '../runtime/query/run-batch.ts'
import { explainOf, isUnrestricted, runExplain } from '../runtime/query/run-explain.ts'
import { type QueryRequest, runQuery } from '../runtime/query/run-query.ts'
import { runSleep } from '../runtime/query/run-sleep.ts'
import { createSchemaSource } from '../runtime/schema/describe-schema.ts'
import { readCatalogs, refreshCatalogs } from '../runtime/schema/refresh-catalog.ts'
import { callAction } from '../service/actions/call-action.ts'
import type { ConfiguredEngine } from './engine-interface.ts'

/** Its databases stay open while `environment.uses` counts the call; it does not count calls itself. */
export function createConfiguredEngine(
  environment: QueryEnvironment,
  statements: SystemStatements,
): ConfiguredEngine {
  const { settings, snapshots, sources, concurrency, log, audit } = environment
  const { actions } = settings
  const timeoutMs = settings.limits.queryTimeoutMs
  const runAwake: RunStatement<QueryRequest> = (request, caller, touched = new Set()) => {
    const explained = isUnrestricted(caller, environment) ? explainOf(request.sql) : undefined
    return explained === undefined
      ? runQuery(request, caller, environment, touched)
      : runExplain(request, explained, caller, environment, touched)
  }
  const sleepOrRun: RunStatement<QueryRequest> = async (request, caller, touched) => {
    await requireConfirmed(request)
    const slept = await runSleep(request, caller, environment)
    return slept ?? runAwake(request, caller, touched)
  }
  const query: RunStatement<QueryRequest> = confirming(
    (request: QueryRequest, caller: Caller, touched?: Set<string>) =>
      maySleep(request.sql)
        ? sleepOrRun(request, caller, touched)
        : runAwake(request, caller, touched),
  )
  const batch: RunStatement<BatchRequest> = (request, caller, touched) =>
    runBatch(request, caller, environment, touched)
  const withFactsFor = (caller: Caller, error: GatewayError): GatewayError => {
    const { catalog, rights } = snapshots.current()
    const connection = catalog.connections.get(error.reportedFacts?.connection ?? '')
    return connection === undefined
      ? withoutReportedFacts(error)
      : withReportedFacts(error, rights.rightsOf(caller).access(connection))
  }
  const use = () => ({ statements, end: () => undefined })
  return {
    settings,
    isOpen: snapshots.isOpen,
    query: audit === undefined ? query : auditedQuery(query, audit),
    batch: audit === undefined ? batch : auditedBatch(batch, audit),
    callAction: (request, caller) => {
      const key = concurrencyKey(caller, request.origin?.ip)
      const place = { connection: undefined, caller: key }
      return withSlot(concurrency, place, { timeoutMs, signal: request.signal }, () =>
        callAction(request, caller, { actions, statements, timeoutMs, log, audit, withFactsFor }),
      )
    },
    load: () => concurrency.load(),
    cachedPlans: () => snapshots.current().plans.count(),
    database: ({ signal, caller = admin, origin } = {}) =>
      createEngineDatabase({ use, caller, origin, signal }),
    explain: (request, caller, options = {}) =>
      explainStatement(request, caller, options, environment),
    simulate: (step, options = {}) => simulateStep(step, options, environment),
    simulateAll: (steps, options = {}) => simulateSteps(steps, options, environment),
    permissionMatrix: () => permissionMatrix(settings, snapshots.current().catalog),
    describe: createSchemaSource({
      actions,
      readAgain: () => refreshCatalogs(sources.values(), log),
      catalog: () => snapshots.current().catalog,
      named: new Set([...settings.permissions.values()].map(({ table }) => table)),
      isKnown: (name) => sources.get(name)?.introspection() !== undefined,
      log,
    }),
    catalog: () => snapshots.current().catalog,
    refreshCatalog: () => readCatalogs(sources.values(), log),
    health: (signal) => health(sources, signal),
    pools: () =>
      new Map(
        [...sources].flatMap(([name, { adapter }]): [string, PoolState][] => {
          const state = adapter.poolState?.()
          return state === undefined ? [] : [[name, state]]
        }),
      ),
  }
}

async function health(
  sources: ReadonlyMap<string, DataSource>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, boolean>> {
  const entries = [...sources.values()].map(async (source): Promise<[string, boolean]> => {
    if (source.introspection() === undefined) return [source.name, false]
    return source.adapter.ping(signal).then(
      () => [source.name, true],
      () => [source.name, false],
    )
  })
  return new Map(await Promise.all(entries))
}
