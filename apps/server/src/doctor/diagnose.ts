/** @module Runs every check that is possible before a server is started, or while one runs. */
import { readFile } from 'node:fs/promises'
import { productionSecretFaults } from '@engine/auth'
import { type Config, createEngine, GatewayError, silentLog } from '@engine/core'
import { parseConfig, type Settings } from '@engine/core/server'
import { needsStore } from '@engine/http'
import { servedConfig, storedRevision } from '../command-line/served-config.ts'
import { checkConfig, type LoadedAdapters, loadAdapters } from '../configuration/adapters.ts'
import type { ConfigFile } from '../configuration/define-config.ts'
import { loadConfig, requireConfig } from '../configuration/load-config.ts'
import { parseServerConfig, type ServerConfig } from '../configuration/parse-server-config.ts'
import { checkConnections } from './check-databases.ts'
import { checkEnvFiles } from './check-env-files.ts'
import { checkReaders } from './check-files.ts'
import { checkIssuers } from './check-issuers.ts'
import { checkMail } from './check-mail.ts'
import { checkPermissions } from './check-permissions.ts'
import { checkPgWire } from './check-pg-wire.ts'
import { checkPort } from './check-ports.ts'
import { checkMode, checkNode } from './check-process.ts'
import { checkRateLimitStore } from './check-rate-limit-store.ts'
import { checkSecrets } from './check-secrets.ts'
import { checkServiceDatabase } from './check-service-database.ts'
import { checkStoredConfiguration } from './check-stored-configuration.ts'
import { checkUserTable } from './check-user-table.ts'
import { checkUserTableNames } from './check-user-table-names.ts'
import { checkWorkers } from './check-workers.ts'
import { type Finding, fault, ok, warning } from './finding.ts'
import { reasonOf } from './reason-of.ts'

export interface DiagnoseOptions {
  /** Absolute path; undefined for the embedded demo. */
  readonly path: string | undefined
  /** The configuration that is served where there is no file. */
  readonly demo: () => Promise<ConfigFile>
  readonly environment: NodeJS.ProcessEnv
  /** `process.versions.node` */
  readonly nodeVersion: string
}

/** Runs as many checks as possible; an invalid configuration ends them, since the others need it. */
export async function diagnose(options: DiagnoseOptions): Promise<readonly Finding[]> {
  const { path, environment, nodeVersion } = options
  const findings: Finding[] = [checkNode(nodeVersion), checkMode(environment['NODE_ENV'])]
  let server: ServerConfig
  try {
    requireConfig(path, environment)
    const file = path === undefined ? await options.demo() : await loadConfig(path, environment)
    server = parseServerConfig(file)
    await checkConfig(server.config)
  } catch (error) {
    return [...findings, ...checkEnvFiles(environment), ...configurationFaults(error)]
  }
  findings.push(ok('configuration', path ?? 'the embedded demo'), ...checkEnvFiles(environment))
  findings.push(...(await checkWrittenFile(server, path)))
  const code = parseConfig(server.config)
  if (code.mode === 'interactive') {
    try {
      findings.push(...checkStoredConfiguration(server.config, await storedRevision(code)))
      server = { ...server, config: await servedConfig(server.config) }
    } catch (error) {
      return [...findings, fault('mode', reasonOf(error, server.config))]
    }
  }
  const settings = await checkConfig(server.config)
  findings.push(...checkProductionSecrets(settings, environment['NODE_ENV'] === 'production'))
  const loaded = await loadAdapters(settings)
  findings.push(...(await checkPorts(server, settings)))
  findings.push(...checkWorkers(server.workers, settings))
  if (settings.pgWire !== undefined) findings.push(...checkPgWire(settings.pgWire, Date.now()))
  if (needsStore(settings)) {
    findings.push(...(await checkServiceDatabase(settings, loaded.serviceDatabases)))
  }
  if (settings.auth !== undefined) {
    const mail = await checkMail(settings.auth, environment['NODE_ENV'] === 'production')
    findings.push(...mail, ...(await checkIssuers(settings.auth)))
  }
  findings.push(...(await checkRateLimitStore(settings)))
  const isProduction = environment['NODE_ENV'] === 'production'
  findings.push(...(await checkEngine(server, loaded, isProduction)))
  return findings
}

async function checkWrittenFile(
  { config }: ServerConfig,
  path: string | undefined,
): Promise<readonly Finding[]> {
  const text = path === undefined ? undefined : await readFile(path, 'utf8')
  const secrets = checkSecrets(config, text)
  const isWritten = secrets.some(({ message }) => message.startsWith('stands in'))
  return path !== undefined && isWritten
    ? [...secrets, ...(await checkReaders('configuration', path))]
    : secrets
}

/** Before production a warning: the start does not need them yet. */
function checkProductionSecrets(settings: Settings, isProduction: boolean): readonly Finding[] {
  return productionSecretFaults(settings).map(({ path, message }) =>
    isProduction ? fault(path, message) : warning(path, `for production: ${message}`),
  )
}

function checkPorts(
  { host, port }: ServerConfig,
  { internal, pgWire }: Settings,
): Promise<readonly Finding[]> {
  return Promise.all([
    checkPort('port', host, port),
    ...(internal === undefined ? [] : [checkPort('internal.port', internal.host, internal.port)]),
    ...(pgWire === undefined ? [] : [checkPort('pgWire.port', pgWire.host, pgWire.port)]),
  ])
}

/** Includes the warnings of the engine at its start. */
async function checkEngine(
  { config }: ServerConfig,
  { adapters, serviceDatabases }: LoadedAdapters,
  isProduction: boolean,
): Promise<readonly Finding[]> {
  try {
    const reasons = new Map<string, string>()
    const warnings: Finding[] = []
    const log = {
      ...silentLog,
      warn: ({ connection, cause, path }: EngineWarning, message: string) => {
        if (connection !== undefined && cause !== undefined) {
          reasons.set(connection, reasonOf(cause, config))
        }
        if (path !== undefined) warnings.push(warning(path, message))
      },
    }
    const engine = await createEngine(withoutCreating(config), { adapters, log, isProduction })
    try {
      const checks = { factories: serviceDatabases, madeAtStart: madeAtStart(config), reasons }
      const connections = await checkConnections(engine, checks)
      return [
        ...connections,
        ...warnings,
        ...checkUserTableNames(engine),
        ...checkUserTable(engine),
        ...checkPermissions(engine.settings, engine.catalog()),
      ]
    } finally {
      await engine.close()
    }
  } catch (error) {
    return configurationFaults(error)
  }
}

/** Facts of a warning: about an unavailable connection, or about a path of the configuration. */
interface EngineWarning {
  readonly connection?: string
  readonly cause?: string
  readonly path?: string
}

/** Keeps the checks from creating database files. */
function withoutCreating(config: Config): Config {
  const connections = Object.entries(config.connections).map(([name, connection]) => [
    name,
    typeof connection === 'object' && 'create' in connection
      ? { ...connection, create: false }
      : connection,
  ])
  return { ...config, connections: Object.fromEntries(connections) }
}

/** Connections whose file may be missing. */
function madeAtStart({ connections }: Config): ReadonlySet<string> {
  const found = Object.entries(connections).filter(
    ([, connection]) =>
      typeof connection === 'object' && 'create' in connection && connection.create === true,
  )
  return new Set(found.map(([name]) => name))
}

function configurationFaults(error: unknown): readonly Finding[] {
  if (!(error instanceof GatewayError) || error.problem !== 'invalidConfiguration') throw error
  const faults = error.details?.['faults']
  if (!Array.isArray(faults)) return [fault('configuration', error.message)]
  return faults.map(({ path, message }: { readonly path: string; readonly message: string }) =>
    fault(path, message),
  )
}
