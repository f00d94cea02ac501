/**
 * @module Time zones by the rules of the databases. `EST5EDT` has had summer time since 1918 in some tables of zones, and never in others:
 * the process and the database must agree, or a timestamp that a client writes is another moment than the one it shows.
 */
import { isDeepStrictEqual } from 'node:util'
import { adoptZoneRules, timeZoneNamed } from '../../compiler/sql-types/time-zone/time-zone.ts'
import { zoneNames } from '../../compiler/sql-types/time-zone/zone-names.ts'
import type { ZoneRules } from '../../compiler/sql-types/time-zone/zone-rules.ts'
import type { Log } from '../../foundation/log.ts'
import { withinTime } from '../../foundation/within-time.ts'
import type { DataSource } from '../databases/data-source.ts'

/** Pause after a database could not be asked, in milliseconds. */
const retryMs = 60_000
const askTimeoutMs = 10_000
/** How long statements wait for an answer, once; later ones use the rules of the process until it comes. */
const mostWaitMs = 2_000

const learned = new WeakMap<DataSource, Map<string, Promise<void> | 'settled'>>()

/** The rules in use, and the connection that they come from. */
const inUse = new Map<string, { readonly rules: ZoneRules; readonly from: string }>()

/**
 * Asks each database once for the rules of a zone; the first answer counts in the whole process. Undefined when all are known. Never rejects:
 * where a database cannot be asked, the process's own rules count meanwhile.
 *
 * @param isHolding the caller holds a connection: it does not wait for another one.
 */
export function learnTimeZone(
  zone: string,
  sources: Iterable<DataSource>,
  log: Log,
  isHolding: boolean,
): Promise<void> | undefined {
  if (!zoneNames.has(zone.toLowerCase()) || timeZoneNamed(zone).isUtc) return undefined
  const asked: Promise<void>[] = []
  for (const source of sources) {
    if (source.adapter.zoneRules === undefined) continue
    const zones = learned.get(source) ?? new Map<string, Promise<void> | 'settled'>()
    learned.set(source, zones)
    const before = zones.get(zone)
    if (before === 'settled') continue
    const mustNotWait = isHolding && source.adapter.hasRoom?.() === false
    const asking = before ?? withinTime(learnFrom(source, zone, zones, log), mostWaitMs)
    zones.set(zone, asking)
    if (!mustNotWait) asked.push(asking)
    if (before === undefined) void asking.then(() => zones.set(zone, 'settled'))
  }
  return asked.length === 0 ? undefined : Promise.all(asked).then(() => undefined)
}

async function learnFrom(
  { name, adapter, closing }: DataSource,
  zone: string,
  zones: Map<string, Promise<void> | 'settled'>,
  log: Log,
): Promise<void> {
  try {
    const signal = AbortSignal.any([closing, AbortSignal.timeout(askTimeoutMs)])
    const rules = await adapter.zoneRules?.(zone, signal)
    if (rules !== undefined) use(zone, name, rules, log)
  } catch (error) {
    log.warn({ err: error, connection: name, zone }, 'the rules of a time zone could not be read')
    setTimeout(() => zones.delete(zone), retryMs).unref()
  }
}

function use(zone: string, from: string, rules: ZoneRules, log: Log): void {
  const known = inUse.get(zone)
  if (known === undefined) {
    inUse.set(zone, { rules, from })
    adoptZoneRules(zone, rules)
  } else if (!isDeepStrictEqual(known.rules, rules)) {
    const facts = { zone, connection: from, inUse: known.from }
    log.warn(
      facts,
      'two databases have different rules for a time zone: those of the first one count',
    )
  }
}
