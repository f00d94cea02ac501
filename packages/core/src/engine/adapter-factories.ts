/** @module The adapters of connections: their packages, and what each is opened with. */

import { optionsOf } from '../config/parse/adapter-options.ts'
import { invalidConfiguration } from '../config/parse/parse-config.ts'
import { addFaultsOfAdapter } from '../config/parse/parse-connections.ts'
import type { ConnectionSettings, Settings } from '../config/settings/settings.ts'
import { GatewayError } from '../foundation/errors.ts'
import { createFaults } from '../foundation/faults.ts'
import type { Log } from '../foundation/log.ts'
import type {
  AdapterFactory,
  AdapterPackage,
  Adapters,
  ConnectionOptions,
} from '../runtime/adapter/adapter.ts'
import type { ServiceDatabaseFactory } from '../service/store/service-database.ts'
import { loadAdapter } from './load-adapter.ts'

/** By package name. */
export type AdapterFactories = ReadonlyMap<string, AdapterFactory>

/** What an adapter package exports. */
export interface LoadedAdapter {
  readonly connect: AdapterFactory
  /** undefined: it cannot be the service database. */
  readonly serviceDatabase?: ServiceDatabaseFactory
}

/** Loads an adapter package by its name; undefined where it is not known. */
export type LoadAdapter = (packageName: string) => Promise<LoadedAdapter | undefined>

/** As in `EngineOptions`. */
export interface AdapterSources {
  readonly adapters: Adapters
  readonly loadAdapter?: LoadAdapter | undefined
  readonly directory: string
}

/**
 * Loads the packages of all connections, before any is opened.
 *
 * @throws {GatewayError} `invalidConfiguration` for a package that is not installed, and for options that an adapter does not have.
 */
export async function adapterFactories(
  { connections }: Pick<Settings, 'connections'>,
  { adapters, loadAdapter: load, directory }: AdapterSources,
): Promise<AdapterFactories> {
  const names = new Set([...connections.values()].map(({ adapterPackage }) => adapterPackage))
  const factories = new Map<string, AdapterFactory>()
  for (const name of names) {
    const given = adapters[name]
    const factory = typeof given === 'object' ? namedFactory(name, given) : given
    factories.set(
      name,
      factory ?? (await load?.(name))?.connect ?? (await loadAdapter(name, directory)),
    )
  }
  requireOptions(connections.values(), factories)
  return factories
}

/** Those of registered adapters are checked with the configuration already. */
function requireOptions(
  connections: Iterable<ConnectionSettings>,
  factories: AdapterFactories,
): void {
  const faults = createFaults()
  for (const connection of connections) {
    const factory = factories.get(connection.adapterPackage)
    if (factory !== undefined) addFaultsOfAdapter(connection, optionsOf(factory), faults)
  }
  if (faults.list.length > 0) throw invalidConfiguration(faults.list)
}

/** @returns the factory of a package, whose adapters have the name that it registers. */
function namedFactory(packageName: string, { name, connect }: AdapterPackage): AdapterFactory {
  const named: AdapterFactory = (options) => {
    const adapter = connect(options)
    const { kind } = adapter
    if (kind === name) return adapter
    throw new GatewayError(
      'invalidConfiguration',
      `${packageName} registers the name "${name}", but the kind of its adapter is "${kind}".`,
    )
  }
  return Object.assign(named, { options: connect.options })
}

export function connectionOptions(connection: ConnectionSettings, log: Log): ConnectionOptions {
  const { name, url, poolMax, readOnly, schema, schemas, include, exclude } = connection
  const { types, columnTypes, adapterOptions } = connection
  return {
    name,
    url,
    pool: { max: poolMax },
    readOnly,
    schema,
    schemas,
    tables: { include, exclude },
    types,
    columnTypes,
    adapterOptions,
    log,
  }
}
