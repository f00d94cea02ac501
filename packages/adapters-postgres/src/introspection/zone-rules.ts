/** @module The rules of a time zone: when its offset changes, to the second. */
import { GatewayError, type ZoneRules } from '@engine/core/adapter'
import type { ServerSession } from '../driver/session.ts'

/** Each step is divided into steps of the next length, in seconds: weeks, days, hours, minutes. No zone changes twice in a week. */
const steps = [604_800, 86_400, 3600, 60, 1] as const

/** 1 January 2100, and whole weeks before it: 3 January 1800, when no zone had rules. */
const endSeconds = 4_102_444_800
const firstSeconds: number = endSeconds - 15_653 * steps[0]

/** Seconds east of Greenwich at some times, in the zone of the session: for `timezone('CET', …)` CET is always an hour. */
const offsetsQuery = `
  select pg_catalog.array_agg(
    extract(epoch from m.t::timestamp - pg_catalog.timezone('UTC', m.t))::int4 order by m.n) as offsets
  from (select pg_catalog.to_timestamp(u.at) as t, u.n from pg_catalog.unnest($1::float8[]) with ordinality as u (at, n)) m`

/** A step in which the offset changes, and the offsets at its beginning and end. */
interface Change {
  readonly atSeconds: number
  readonly before: number
  readonly offset: number
}

/** Reads the rules of a zone by at most six queries; the largest asks for the offset at 15 653 times. */
export async function readZoneRules(session: ServerSession, zone: string): Promise<ZoneRules> {
  await session.command('begin read only')
  try {
    await session.rows("select pg_catalog.set_config('TimeZone', $1, true)", [zone])
    return await readInZone(session)
  } finally {
    await session.command('rollback')
  }
}

async function readInZone(session: ServerSession): Promise<ZoneRules> {
  const offsets = async (times: readonly number[]): Promise<readonly number[]> => {
    if (times.length === 0) return []
    const [row] = await session.rows<{ readonly offsets: readonly number[] }>(offsetsQuery, [times])
    if (row === undefined) throw new GatewayError('internal', 'a zone without offsets')
    return row.offsets
  }
  const [first = 0, last = 0] = await offsets([firstSeconds, endSeconds])
  let changes: readonly Change[] = [{ atSeconds: endSeconds, before: first, offset: last }]
  let span = endSeconds - firstSeconds
  for (const step of steps) {
    const each = span / step
    const ends = changes.flatMap(({ atSeconds }) =>
      Array.from({ length: each }, (_, i) => atSeconds - span + (i + 1) * step),
    )
    const found = await offsets(ends)
    const known = changes
    changes = ends.flatMap((atSeconds, i): readonly Change[] => {
      const before = i % each === 0 ? (known[i / each]?.before ?? 0) : (found[i - 1] ?? 0)
      const offset = found[i] ?? 0
      return offset === before ? [] : [{ atSeconds, before, offset }]
    })
    span = step
  }
  return {
    first,
    changes: changes.map(({ atSeconds, offset }) => ({ atSeconds, offset })),
    endSeconds,
  }
}
