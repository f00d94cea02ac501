/** @module Tries a connection without using it: can it be reached, and what may its user do? */
import { accessSync, constants } from 'node:fs'
import type { ConnectionTest } from '@engine/contract/admin-api'
import { type Adapters, type Config, createEngine, GatewayError, silentLog } from '@engine/core'
import { type ConnectionSettings, type LoadAdapter, parseConfig } from '@engine/core/server'
import {
  loadServiceDatabase,
  type ServerFacts,
  type ServiceDatabaseFactory,
  serverFacts,
} from '@engine/core/store'
import { connectionProblem } from './connection-problem.ts'

export interface TestConnectionOptions {
  readonly adapters?: Adapters | undefined
  readonly loadAdapter?: LoadAdapter | undefined
  readonly serviceDatabases: Readonly<Record<string, ServiceDatabaseFactory>> | undefined
  readonly directory?: string | undefined
}

/** How long a database may take to answer, in milliseconds. */
const timeoutMs = 10_000

/**
 * @param value as in a configuration.
 * @throws {GatewayError} `invalidConfiguration` when it is no connection.
 */
export async function testConnection(
  name: string,
  value: unknown,
  options: TestConnectionOptions,
): Promise<ConnectionTest> {
  const { adapters, loadAdapter, serviceDatabases = {}, directory = process.cwd() } = options
  const config = { connections: { [name]: withoutEffects(value) }, open: true } as Config
  const connection = parseConfig(config, adapters).connections.get(name)
  if (connection === undefined) throw new Error('a connection without settings')
  const startMs = performance.now()
  const unknown = { version: null, user: null, isSuperuser: null, isEncrypted: null }
  const test = { ...unknown, kind: connection.kind, tables: null, canRead: null, canWrite: null }
  const durationMs = () => Math.round(performance.now() - startMs)
  try {
    const tables = await tablesOf(config, connection, { adapters, loadAdapter, directory })
    const { adapterPackage } = connection
    const given =
      serviceDatabases[adapterPackage] ?? (await loadAdapter?.(adapterPackage))?.serviceDatabase
    const facts = isServer(connection)
      ? await factsOf(connection, given ?? (await loadServiceDatabase(adapterPackage, directory)))
      : undefined
    return {
      ...test,
      ...(facts === undefined ? { canRead: true } : shownFacts(facts)),
      tables,
      canWrite: connection.readOnly ? false : (facts?.canWrite ?? canWriteFiles(connection)),
      isUp: true,
      durationMs: durationMs(),
      error: null,
    }
  } catch (error) {
    return { ...test, isUp: false, durationMs: durationMs(), error: connectionProblem(error) }
  }
}

/** Creates no file, and does not look at the schema again. */
function withoutEffects(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return { ...value, ...('create' in value ? { create: false } : {}) }
}

/** @throws the reason that it cannot be reached. */
async function tablesOf(
  config: Config,
  { name }: ConnectionSettings,
  {
    adapters,
    loadAdapter,
    directory,
  }: Pick<TestConnectionOptions, 'adapters' | 'loadAdapter' | 'directory'>,
): Promise<number> {
  let reason: unknown
  const log = {
    ...silentLog,
    warn: ({ cause, err }: { readonly cause?: unknown; readonly err?: unknown }) => {
      reason ??= cause ?? err
    },
  }
  const engine = await createEngine(config, {
    ...(adapters && { adapters }),
    ...(loadAdapter && { loadAdapter }),
    ...(directory === undefined ? {} : { directory }),
    log,
    isProduction: false,
  })
  try {
    const health = await engine.health(AbortSignal.timeout(timeoutMs))
    if (health.get(name) !== true) {
      throw reason ?? new GatewayError('unavailable', 'The database cannot be reached.')
    }
    const catalog = engine.catalog().connections.get(name)
    return (catalog?.shared ?? catalog)?.tables.size ?? 0
  } finally {
    await engine.close()
  }
}

function isServer({ url }: ConnectionSettings): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/]/i.test(url)
}

async function factsOf(
  { url }: ConnectionSettings,
  factory: ServiceDatabaseFactory,
): Promise<ServerFacts> {
  const database = factory(url, { log: silentLog })
  try {
    return await serverFacts(database)
  } finally {
    await database.close()
  }
}

function shownFacts(
  facts: ServerFacts,
): Pick<ConnectionTest, 'version' | 'user' | 'isSuperuser' | 'isEncrypted' | 'canRead'> {
  return {
    version: facts.version,
    user: facts.user ?? null,
    isSuperuser: facts.isSuperuser,
    isEncrypted: facts.isEncrypted ?? null,
    canRead: facts.canRead ?? null,
  }
}

/** @returns null for a server that does not report it, and for `file:` URLs. */
function canWriteFiles({ url, kind, adapterOptions }: ConnectionSettings): boolean | null {
  if (/^[a-z][a-z0-9+.-]*:/i.test(url)) return null
  if (kind === 'csv' && adapterOptions['writable'] !== true) return false
  try {
    accessSync(url, constants.W_OK)
    return true
  } catch {
    return false
  }
}
