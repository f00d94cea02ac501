/** @module Everything of an engine that belongs to one configuration. It never changes, and lives as long as work under it. */

import { isDeepStrictEqual } from 'node:util'
import type { FrozenColumns } from '../compiler/permissions/permission/permission-set.ts'
import type { Settings } from '../config/settings/settings.ts'
import { createSnapshots, type EngineSnapshots } from '../runtime/databases/snapshot.ts'
import {
  createSystemStatements,
  type SystemStatements,
} from '../runtime/engine-database/system-statements.ts'
import type { QueryEnvironment, Uses } from '../runtime/query/query-environment.ts'
import { createSessionReading } from '../runtime/schema/refresh-catalog.ts'
import { createConfiguredEngine } from './configured-engine.ts'
import type { ConfiguredEngine } from './engine-interface.ts'
import type { OpenSources } from './open-sources.ts'

export interface Generation {
  readonly settings: Settings
  readonly sources: OpenSources
  readonly snapshots: EngineSnapshots
  readonly environment: QueryEnvironment
  readonly statements: SystemStatements
  readonly engine: ConfiguredEngine
  readonly uses: Uses
  /** No new work begins: its databases are released after the last use. */
  retire(): void
}

/** The parts of a generation that exist before it is known whether its configuration is valid. */
export type Candidate = Pick<Generation, 'settings' | 'sources' | 'snapshots'>

/** @param before the configuration that it replaces. */
export function createCandidate(
  settings: Settings,
  sources: OpenSources,
  log: QueryEnvironment['log'],
  before: Candidate | undefined,
): Candidate {
  const frozen = keptColumns(sources, before)
  return { settings, sources, snapshots: createSnapshots(settings, sources.all, log, frozen) }
}

/** The columns that `*` means stay the same for a database that stays open. */
function keptColumns({ all }: OpenSources, before: Candidate | undefined): FrozenColumns {
  const kept = [...(before?.snapshots.frozen ?? [])].filter(([table]) => {
    const [connection = ''] = table.split('.')
    const owner = ownerOf(before?.settings, connection)
    return all.get(owner) === before?.sources.all.get(owner)
  })
  return new Map(kept)
}

/** The connection that opens the database of a connection. */
function ownerOf(settings: Settings | undefined, connection: string): string {
  const owner = [...(settings?.connections.values() ?? [])].find(({ members }) =>
    members?.has(connection),
  )
  return owner?.name ?? connection
}

/** @param shared what all generations of an engine have in common. */
export function createGeneration(
  { settings, sources, snapshots }: Candidate,
  shared: Pick<
    QueryEnvironment,
    'clock' | 'log' | 'audit' | 'observe' | 'concurrency' | 'openTransactions'
  >,
  rightsVersion: number,
  onEnd: () => void,
): Generation {
  const { uses, retire } = createUses(onEnd)
  const refresh = createSessionReading(sources.all.values(), shared.log, shared.clock)
  const environment: QueryEnvironment = {
    ...shared,
    settings,
    snapshots,
    sources: sources.all,
    uses,
    rightsVersion,
    refresh,
  }
  const statements = createSystemStatements(environment)
  const engine = createConfiguredEngine(environment, statements)
  return { settings, sources, snapshots, environment, statements, engine, uses, retire }
}

/** Do both configurations give the same rights on the same databases? */
export function hasSameRights(before: Candidate, after: Candidate): boolean {
  return (
    before.snapshots.isOpen === after.snapshots.isOpen &&
    before.settings.defaultConnection === after.settings.defaultConnection &&
    isDeepStrictEqual(before.settings.permissions, after.settings.permissions) &&
    isDeepStrictEqual(before.settings.connections, after.settings.connections) &&
    after.sources.opened.length === 0
  )
}

function createUses(onEnd: () => void): { readonly uses: Uses; retire(): void } {
  let count = 0
  let isRetired = false
  const end = () => {
    if (isRetired && count === 0) onEnd()
  }
  return {
    uses: {
      begin: () => {
        count += 1
      },
      end: () => {
        count -= 1
        end()
      },
    },
    retire: () => {
      isRetired = true
      end()
    },
  }
}
