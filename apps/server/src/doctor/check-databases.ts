import type { Engine } from '@engine/core'
import { silentLog } from '@engine/core'
import type { ConnectionSettings } from '@engine/core/server'
import {
  type ServerFacts,
  type ServiceDatabase,
  type ServiceDatabaseFactory,
  serverFacts,
} from '@engine/core/store'
import { type Finding, fault, ok, warning } from './finding.ts'
import { checkInferredTypes } from './inferred-types.ts'
import { reasonOf } from './reason-of.ts'

/** A database that does not answer within this number of milliseconds counts as unavailable. */
const healthTimeoutMs = 10_000

/** Answers that take longer than this number of milliseconds are slow for every user. */
const slowMs = 20

/** Maximum difference of clocks in milliseconds: tokens and sessions depend on them. */
const skewMs = { warning: 1_000, fault: 30_000 } as const

export interface ConnectionChecks {
  readonly factories: Readonly<Record<string, ServiceDatabaseFactory>>
  /** Connections whose file may be missing. */
  readonly madeAtStart: ReadonlySet<string>
  /** Why a connection could not be opened, from the engine's warnings. */
  readonly reasons: ReadonlyMap<string, string>
}

/** Checks every connection: whether it can be reached, how many tables it has, and the state of its server. */
export async function checkConnections(
  engine: Engine,
  { factories, madeAtStart, reasons }: ConnectionChecks,
): Promise<readonly Finding[]> {
  const reachable = await engine.health(AbortSignal.timeout(healthTimeoutMs))
  const findings: Finding[] = []
  for (const connection of engine.settings.connections.values()) {
    const about = `connections.${connection.name}`
    if (reachable.get(connection.name) !== true) {
      findings.push(
        madeAtStart.has(connection.name)
          ? ok(about, 'is made at the first start')
          : fault(
              about,
              withReason('the database cannot be reached', reasons.get(connection.name)),
            ),
      )
      continue
    }
    if (connection.kind === 'csv') findings.push(ok(about, directoryMode(connection)))
    const named = engine.catalog().connections.get(connection.name)
    const catalog = named?.shared ?? named
    const tables = catalog?.tables.size ?? 0
    findings.push(
      tables === 0 ? warning(about, 'has no tables') : ok(about, `${tables} tables and views`),
    )
    if (catalog !== undefined) {
      const hasPermissions = engine.settings.permissions.size > 0
      findings.push(...checkInferredTypes(about, catalog, hasPermissions))
    }
    const factory = isServer(connection) ? factories[connection.adapterPackage] : undefined
    if (factory !== undefined) findings.push(...(await checkServer(about, connection.url, factory)))
  }
  return findings
}

function directoryMode({ readOnly, adapterOptions }: ConnectionSettings): string {
  if (adapterOptions['writable'] !== true)
    return 'CSV files are read-only: "writable": true allows writes'
  return readOnly
    ? 'CSV files are read-only: "readOnly" goes before "writable"'
    : 'CSV files are writable: a write replaces the whole file of its table'
}

function withReason(message: string, reason: string | undefined): string {
  return reason === undefined ? message : `${message}: ${reason}`
}

/** Connecting to a file would change it: only the engine opens it. */
function isServer({ url }: ConnectionSettings): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/]/i.test(url)
}

/** Version, rights, encryption, latency and clock of a server. */
export async function checkServer(
  about: string,
  url: string,
  factory: ServiceDatabaseFactory,
): Promise<readonly Finding[]> {
  let database: ServiceDatabase | undefined
  try {
    database = factory(url, { log: silentLog })
    return judge(about, url, await serverFacts(database))
  } catch (error) {
    return [fault(about, withReason('the database cannot be reached', reasonOf(error, url)))]
  } finally {
    await database?.close()
  }
}

function judge(about: string, url: string, facts: ServerFacts): readonly Finding[] {
  const { version, user, isSuperuser, isEncrypted, latencyMs, clockAheadMs } = facts
  const latency = `${latencyMs.toFixed(1)} ms away`
  return [
    ok(about, user === undefined ? version : `${version}, as ${user}`),
    isSuperuser
      ? warning(about, 'connects with the rights of a superuser: give it a role of its own')
      : ok(about, 'connects with limited rights'),
    latencyMs > slowMs ? warning(about, latency) : ok(about, latency),
    ...(isEncrypted === false && !isLocal(url)
      ? [warning(about, 'the connection is not encrypted: add sslmode=verify-full')]
      : []),
    ...(clockAheadMs === undefined ? [] : [judgeClock(about, clockAheadMs)]),
  ]
}

function judgeClock(about: string, aheadMs: number): Finding {
  const offMs = Math.abs(aheadMs)
  if (offMs < skewMs.warning) return ok(about, 'its clock agrees with this machine')
  const seconds = (offMs / 1_000).toFixed(1)
  const message = `its clock is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} this machine`
  return offMs < skewMs.fault ? warning(about, message) : fault(about, message)
}

function isLocal(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { hostname } = new URL(url)
  return hostname === '' || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}
