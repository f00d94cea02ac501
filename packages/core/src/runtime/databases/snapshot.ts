/** @module A snapshot of the engine: catalog, checked permissions, rights and plans of one version. Replaced as a whole. */
import { buildCatalog, type IntrospectedConnection } from '../../compiler/catalog/build-catalog.ts'
import type { Catalog, Connection } from '../../compiler/catalog/catalog.ts'
import { addColumnTypeFaults } from '../../compiler/catalog/column-type-faults.ts'
import type { Introspection } from '../../compiler/catalog/introspection.ts'
import { databaseOf } from '../../compiler/catalog/shared-database.ts'
import {
  createRightsSource,
  type GuardedConnection,
  type RightsSource,
} from '../../compiler/permissions/access/rights.ts'
import {
  type ConnectionPermissions,
  createConnectionPermissions,
  type FrozenColumns,
} from '../../compiler/permissions/permission/permission-set.ts'
import { permissionWarnings } from '../../compiler/permissions/permission/permission-warnings.ts'
import { createPlanCache, type PlanCache } from '../../compiler/plan/plan-cache.ts'
import { connectionNames } from '../../config/parse/connection-names.ts'
import { isOpenMode } from '../../config/parse/open-mode.ts'
import { invalidConfiguration } from '../../config/parse/parse-config.ts'
import type { Settings } from '../../config/settings/settings.ts'
import { createFaults, type Fault, suggestion } from '../../foundation/faults.ts'
import type { Log } from '../../foundation/log.ts'
import type { GuardedAdapter } from '../guard/guarded-adapter.ts'
import type { PreparedPlan } from '../prepare/prepare-plan.ts'
import { type DataSource, notReady } from './data-source.ts'

export interface EngineSnapshot {
  readonly catalog: Catalog
  readonly rights: RightsSource
  readonly plans: PlanCache<PreparedPlan>
  /** @throws {GatewayError} `unavailable` while the database was never reached. */
  readonly adapterOf: (connection: Connection) => GuardedAdapter
  /** The permissions of all roles, before they are narrowed to a caller. */
  readonly permissionsOf: (connection: Connection) => ConnectionPermissions
}

export interface EngineSnapshots {
  /** Neither authentication nor permissions are configured: everything is allowed. */
  readonly isOpen: boolean
  current(): EngineSnapshot
  /** Discards the current snapshot: the next `current` builds a new one. */
  invalidate(): void
  /** @throws {GatewayError} `invalidConfiguration` when permissions contain unknown names. */
  verify(): void
  /** The columns that `*` means, by `<connection>.<table>`. */
  readonly frozen: FrozenColumns
}

/** @param frozen columns that `*` has meant so far: later ones stay hidden. */
export function createSnapshots(
  settings: Settings,
  sources: ReadonlyMap<string, DataSource>,
  log: Log,
  frozen: FrozenColumns = new Map(),
): EngineSnapshots {
  const isOpen = isOpenMode(settings)
  let version = 0
  let current: EngineSnapshot | undefined
  let faults: readonly Fault[] = []

  const reported = new Set<string>()
  const warn = (guarded: readonly GuardedConnection[]) => {
    for (const { connection, permissions } of guarded) {
      for (const { path, message } of permissionWarnings(connection, permissions, frozen)) {
        const isNew = !reported.has(path + message)
        reported.add(path + message)
        if (isNew) log.warn({ path }, message)
      }
    }
  }

  const build = (): EngineSnapshot => {
    version += 1
    const found = createFaults()
    const catalog = buildCatalog(
      introspected(settings, sources),
      version,
      found.add,
      settings.defaultConnection,
    )
    addUnknownConnections(settings, found.add)
    const guarded = databases(catalog).map((connection): GuardedConnection => {
      const { permissions } = settings
      const isKnown = sources.get(connection.name)?.introspection() !== undefined
      return {
        connection,
        permissions: isKnown
          ? createConnectionPermissions(permissions, connection, frozen, found)
          : new Map(),
      }
    })
    addUnknownTables(settings, sources, found.add)
    addColumnTypeFaults(
      settings.connections.values(),
      (name) => sources.get(name)?.introspection(),
      found.add,
    )
    warn(guarded)
    faults = found.list
    if (faults.length > 0 && version > 1) {
      log.error({ faults }, 'permissions no longer fit the database; their tables are closed')
    }
    return {
      catalog,
      rights: createRightsSource(guarded, isOpen),
      plans: createPlanCache(({ size }) => size),
      adapterOf: (connection) => adapterOf(sources, connection),
      permissionsOf: (wanted) =>
        guarded.find(({ connection }) => connection === databaseOf(wanted))?.permissions ??
        new Map(),
    }
  }
  const get = () => {
    current ??= build()
    return current
  }
  return {
    isOpen,
    frozen,
    current: get,
    invalidate: () => {
      current = undefined
    },
    verify: () => {
      get()
      if (faults.length > 0) throw invalidConfiguration(faults)
    },
  }
}

/**
 * Every connection, those first whose database was reached. The others have no tables yet; they are included so that the meaning
 * of a statement does not depend on which databases are reachable.
 */
function introspected(
  settings: Settings,
  sources: ReadonlyMap<string, DataSource>,
): readonly IntrospectedConnection[] {
  const known: IntrospectedConnection[] = []
  const unknown: IntrospectedConnection[] = []
  for (const { name, kind, schemas, members, relationships } of settings.connections.values()) {
    const source = sources.get(name)
    const introspection = source?.introspection()
    const traits = source?.guarded.traits
    if (introspection !== undefined)
      known.push({ name, kind, traits, schemas, members, introspection, relationships })
    else unknown.push({ name, kind, schemas, members, introspection: nothing, relationships: {} })
  }
  return [...known, ...unknown]
}

const nothing: Introspection = { types: [], tables: [] }

function addUnknownConnections(
  settings: Settings,
  add: (path: string, message: string) => void,
): void {
  const names = connectionNames(settings.connections.values())
  for (const [name, { table }] of settings.permissions) {
    const [connection = ''] = table.split('.')
    if (!names.has(connection)) {
      add(
        `permissions.${name}.table`,
        `there is no connection "${connection}"${suggestion(connection, names)}`,
      )
    }
  }
}

/** Names under `tables` without a table, for the databases that were reached. */
function addUnknownTables(
  settings: Settings,
  sources: ReadonlyMap<string, DataSource>,
  add: (path: string, message: string) => void,
): void {
  for (const { name, include = [], exclude } of settings.connections.values()) {
    const found = sources.get(name)?.introspection()
    if (found === undefined) continue
    const shown = new Set(found.tables.map((table) => table.name))
    const known = new Set([...shown, ...(found.excluded ?? exclude)])
    const verify = (key: string, names: readonly string[]) => {
      for (const [i, table] of names.entries()) {
        if (known.has(table)) continue
        const hint = suggestion(table, known)
        add(`connections.${name}.tables.${key}[${i}]`, `there is no table "${table}"${hint}`)
      }
    }
    verify('include', include)
    verify('exclude', exclude)
  }
}

/** What statements run on. */
function databases({ connections }: Catalog): readonly Connection[] {
  return [...new Set([...connections.values()].map(databaseOf))]
}

function adapterOf(
  sources: ReadonlyMap<string, DataSource>,
  connection: Connection,
): GuardedAdapter {
  const { name } = databaseOf(connection)
  const source = sources.get(name)
  if (source?.introspection() === undefined) throw notReady(name)
  return source.guarded
}
