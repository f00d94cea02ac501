/** @module The data sources of configurations: those with the same settings are shared, and each is closed with its last holder. */

import { isDeepStrictEqual } from 'node:util'
import type { ConnectionSettings } from '../config/settings/settings.ts'
import type { Log } from '../foundation/log.ts'
import { createDataSource, type DataSource } from '../runtime/databases/data-source.ts'
import type { Observe } from '../runtime/observe/observe.ts'
import { type AdapterFactories, connectionOptions } from './adapter-factories.ts'

/** The data sources of one configuration. */
export interface OpenSources {
  /** By connection name. */
  readonly all: ReadonlyMap<string, DataSource>
  /** Those that the configuration before did not have. */
  readonly opened: readonly DataSource[]
  /** Closes those that no other configuration holds, in the background. To be called once. */
  release(): void
}

export interface SourcePool {
  /**
   * Opens the connections; those that the configuration before has with the same settings are shared with it.
   *
   * @throws {GatewayError} `invalidConfiguration` of an adapter.
   */
  open(
    connections: ReadonlyMap<string, ConnectionSettings>,
    factories: AdapterFactories,
    before?: OpenSources,
  ): OpenSources
  /** Closes all of them, held or not. */
  close(): Promise<void>
}

export interface SourcePoolOptions {
  readonly log: Log
  readonly observe: Observe | undefined
  /** Called when the catalog of any of them has changed. */
  readonly onChange: () => void
}

interface Held {
  readonly settings: ConnectionSettings
  holders: number
}

export function createSourcePool({ log, observe, onChange }: SourcePoolOptions): SourcePool {
  const held = new Map<DataSource, Held>()
  const closing = new Set<Promise<void>>()

  const create = (settings: ConnectionSettings, factories: AdapterFactories): DataSource => {
    const { name, adapterPackage, schemaPollingMs: pollMs } = settings
    const connect = factories.get(adapterPackage)
    if (connect === undefined) throw new Error(`no adapter was loaded for ${name}`)
    const adapter = connect(connectionOptions(settings, log))
    return createDataSource({ name, adapter, log, observe, pollMs, onChange })
  }
  const closeInBackground = (source: DataSource) => {
    const closed = source.close().catch((err: unknown) => {
      log.warn({ connection: source.name, err }, 'a database could not be closed')
    })
    closing.add(closed)
    void closed.then(() => closing.delete(closed))
  }
  const release = (sources: Iterable<DataSource>) => {
    for (const source of sources) {
      const own = held.get(source)
      if (own === undefined) continue
      own.holders -= 1
      if (own.holders > 0) continue
      held.delete(source)
      closeInBackground(source)
    }
  }

  return {
    open: (connections, factories, before) => {
      const all = new Map<string, DataSource>()
      const opened: DataSource[] = []
      try {
        for (const [name, settings] of connections) {
          const known = before?.all.get(name)
          const shared = known && held.get(known)
          if (known !== undefined && shared !== undefined && isSame(shared.settings, settings)) {
            shared.holders += 1
            all.set(name, known)
            continue
          }
          const source = create(settings, factories)
          held.set(source, { settings, holders: 1 })
          all.set(name, source)
          opened.push(source)
        }
      } catch (error) {
        release(all.values())
        throw error
      }
      return { all, opened, release: () => release(all.values()) }
    },
    close: async () => {
      const open = [...held.keys()]
      held.clear()
      await Promise.all([...open.map((source) => source.close()), ...closing])
    },
  }
}

/** Relations have names in the catalog only; all other settings are those of the database. */
function isSame(a: ConnectionSettings, b: ConnectionSettings): boolean {
  const { relationships: _, ...before } = a
  const { relationships: __, ...after } = b
  return isDeepStrictEqual(before, after)
}
