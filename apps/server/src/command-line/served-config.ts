/** @module The configuration that servers serve, for commands that look at it without a server. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Config, GatewayError, silentLog } from '@engine/core'
import {
  openConfigurationStore,
  parseConfig,
  type Revision,
  type Settings,
  serviceDatabaseSource,
  withDocument,
} from '@engine/core/server'
import { openStore } from '@engine/core/store'
import { loadServiceDatabases } from '../configuration/adapters.ts'

/**
 * A configuration in code; in interactive mode, with the stored options instead of those in code. Changes nothing.
 *
 * @throws {GatewayError} `invalidConfiguration`; `unavailable` when the service database cannot be reached.
 */
export async function servedConfig(config: Config): Promise<Config> {
  const settings = parseConfig(config)
  if (settings.mode === 'programmatic') return config
  const revision = await storedRevision(settings)
  const served = revision === undefined ? config : withDocument(config, revision.document)
  return { ...served, mode: 'programmatic' }
}

/**
 * The newest stored revision, as servers of this configuration use it.
 *
 * @returns undefined where no server has started yet.
 */
export async function storedRevision(settings: Settings): Promise<Revision | undefined> {
  const { serviceDatabase: url, masterKey = '' } = settings
  if (isMissingFile(url)) return undefined
  const serviceDatabases = await loadServiceDatabases(settings)
  const store = await openStore({ url, log: silentLog, serviceDatabases })
  try {
    await store.ping()
    const isReadOnly = true
    const options = { store, masterKey, clock: Date.now, isReadOnly }
    const configurations = await openConfigurationStore(options)
    return await configurations.newest()
  } catch (error) {
    // The table is made by the first server.
    if (error instanceof GatewayError && error.problem === 'internal') return undefined
    throw error
  } finally {
    await store.close()
  }
}

/** Opening a file would create it. */
function isMissingFile(url: string): boolean {
  const isFile = serviceDatabaseSource(url)?.adapterPackage === '@engine/adapters-sqlite'
  if (!isFile || url.startsWith('file:')) return false
  return !existsSync(resolve(url))
}
