/** @module The packages that the server includes, each loaded only where the configuration needs it. */
import type { Config } from '@engine/core'
import type { AdapterFactory } from '@engine/core/adapter'
import {
  type LoadedAdapter,
  parseConfig,
  type Settings,
  serviceDatabaseSource,
} from '@engine/core/server'
import type { PgWireServerFactory } from '@engine/core/session'
import type { ServiceDatabaseFactory } from '@engine/core/store'
import { needsStore } from '@engine/http'

/** Adapter packages of a configuration, by package name. Others are looked up in the working directory. */
export interface LoadedAdapters {
  readonly adapters: Readonly<Record<string, AdapterFactory>>
  /** Those of them that support a service database. */
  readonly serviceDatabases: Readonly<Record<string, ServiceDatabaseFactory>>
}

const included: Readonly<Record<string, () => Promise<LoadedAdapter>>> = {
  '@engine/adapters-csv': () => import('@engine/adapters-csv'),
  '@engine/adapters-libsql': () => import('@engine/adapters-libsql'),
  '@engine/adapters-mysql': () => import('@engine/adapters-mysql'),
  '@engine/adapters-postgres': () => import('@engine/adapters-postgres'),
  '@engine/adapters-sqlite': () => import('@engine/adapters-sqlite'),
}

/** Loads the adapters of the connections, and that of the service database where the configuration needs one. */
export function loadAdapters(settings: Settings): Promise<LoadedAdapters> {
  const connections = [...settings.connections.values()].map(({ adapterPackage }) => adapterPackage)
  return loadPackages([...connections, ...(needsStore(settings) ? storePackage(settings) : [])])
}

/**
 * Checks a configuration with the options of its adapters, which are loaded for that.
 *
 * @throws {GatewayError} `invalidConfiguration`.
 */
export async function checkConfig(config: Config): Promise<Settings> {
  const { adapters } = await loadAdapters(parseConfig(config))
  return parseConfig(config, adapters)
}

/** All included adapters, by package name. */
export async function loadAllAdapters(): Promise<LoadedAdapters['adapters']> {
  return (await loadPackages(Object.keys(included))).adapters
}

/** See `EngineOptions.loadAdapter`: adapters of connections that the configuration gets later. */
export async function loadAdapter(packageName: string): Promise<LoadedAdapter | undefined> {
  return included[packageName]?.()
}

/** Loads the adapter of the service database. */
export async function loadServiceDatabases(
  settings: Settings,
): Promise<LoadedAdapters['serviceDatabases']> {
  return (await loadPackages(storePackage(settings))).serviceDatabases
}

function storePackage({ serviceDatabase }: Settings): readonly string[] {
  const source = serviceDatabaseSource(serviceDatabase)
  return source === undefined ? [] : [source.adapterPackage]
}

async function loadPackages(names: readonly string[]): Promise<LoadedAdapters> {
  const modules = await Promise.all(
    [...new Set(names)].map(async (name) => [name, await included[name]?.()] as const),
  )
  const adapters: Record<string, AdapterFactory> = {}
  const serviceDatabases: Record<string, ServiceDatabaseFactory> = {}
  for (const [name, module] of modules) {
    if (module === undefined) continue
    adapters[name] = module.connect
    if (module.serviceDatabase !== undefined) serviceDatabases[name] = module.serviceDatabase
  }
  return { adapters, serviceDatabases }
}

/** Loaded only where the wire protocol is served. */
export const createPgWireServer: PgWireServerFactory = async (options) => {
  const pgWire = await import('@engine/pgwire')
  return pgWire.createPgWireServer(options)
}
