/** @module The state of the node, and its catalogs. */
import type {
  ConfigurationStatus,
  ConnectionStatus,
  EngineStatus,
  SchemaRefresh,
} from '@engine/contract/admin-api'
import type { Settings } from '@engine/core/server'
import { z } from 'zod'
import type { AdminOptions } from './admin-options.ts'
import { type AddRoutes, json, readQuery, recordedChange } from './admin-route.ts'

const nothing = z.strictObject({})

export function addStatusRoutes(add: AddRoutes, options: AdminOptions): void {
  const { siblings } = options
  add('/admin/api/status', {
    GET: async (call) => {
      readQuery(call, nothing)
      return json(await statusOf(options))
    },
  })
  add('/admin/api/schema/refresh', {
    POST: async (call) => {
      readQuery(call, nothing)
      return recordedChange(options, call, 'schema-refreshed', async () => {
        const connections = Object.fromEntries(
          [...(await options.engine.refreshCatalog())].map(
            ([name, reading]): [string, SchemaRefresh['connections'][string]] => [
              name,
              reading.isRead ? reading : { isRead: false, message: reading.error.message },
            ],
          ),
        )
        await siblings?.refreshCatalogs()
        return { result: json({ connections }), facts: { connections } }
      })
    },
  })
}

async function statusOf({
  engine,
  audit,
  store,
  configuration,
  refusal,
  readiness,
  version,
  siblings,
  state,
  isDevelopment,
  demo,
}: AdminOptions): Promise<EngineStatus> {
  const { settings } = engine
  const { isReady, databases } = await readiness()
  const { pools, startedAt, uptimeSeconds, load, pgWire, cachedPlans } = state()
  const catalog = engine.catalog()
  const tablesOf = (name: string) => {
    const connection = catalog.connections.get(name)
    return (connection?.shared ?? connection)?.tables.size ?? 0
  }
  const connections = [...settings.connections.values()].map(
    ({ name, kind, readOnly }): [string, ConnectionStatus] => [
      name,
      {
        kind,
        isUp: databases[name] === true,
        isReadOnly: readOnly,
        tables: tablesOf(name),
        pool: pools[name] ?? null,
      },
    ],
  )
  return {
    version: version ?? null,
    node: audit.node,
    startedAt,
    uptimeSeconds,
    isReady,
    isDevelopment,
    isOpen: engine.isOpen,
    connections: Object.fromEntries(connections),
    serviceDatabase: {
      kind: store.kind,
      isShared: store.isShared,
      isUp: databases['service_db'] === true,
    },
    configuration: configurationStatus(configuration),
    refusedConfiguration: refusal() ?? null,
    audit: audit.status(),
    load,
    pgWire,
    cachedPlans,
    ...(siblings && { worker: siblings.worker, workers: await siblings.states() }),
    permissions: settings.permissions.size,
    actions: [...settings.actions.keys()],
    warnings: warningsOf(settings, engine.isOpen),
    demo: demo?.status() ?? null,
  }
}

/** Which configuration this node uses, and why it is not the newest. */
function configurationStatus(configuration: AdminOptions['configuration']): ConfigurationStatus {
  if (configuration === undefined) return { mode: 'programmatic' }
  const { follower, isReadOnly } = configuration
  const { revision } = follower.current()
  return { mode: 'interactive', isReadOnly, revision, failure: follower.failure() ?? null }
}

/** Warnings that an operator may have overlooked. */
function warningsOf(settings: Settings, isOpen: boolean): readonly string[] {
  const { audit, security, schemaEndpoint, permissions, pgWire } = settings
  const warnings: readonly (readonly [boolean, string])[] = [
    [isOpen, 'Open mode: neither auth nor permissions are configured; everyone may do everything.'],
    [!isOpen && permissions.size === 0, 'No permissions: only the master key reaches any table.'],
    [!audit.enabled, 'audit.enabled is false: nothing is written down.'],
    [audit.logParams, 'audit.logParams: values of parameters are written down.'],
    [!audit.piiRedaction, 'audit.piiRedaction is false: personal data is written down.'],
    [security.cors?.origins.includes('*') === true, 'security.cors.origin is *.'],
    [
      schemaEndpoint.enabled && schemaEndpoint.token === undefined,
      'schemaEndpoint has no token: anyone may read the schema.',
    ],
    [pgWire?.allowPlaintext === true, 'pgWire.allowPlaintext: passwords travel without TLS.'],
  ]
  return warnings.filter(([applies]) => applies).map(([, message]) => message)
}
