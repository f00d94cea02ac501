/** @module The audit at the end: it must contain every acknowledged write, except the last ones of a killed node. */
import type { Findings } from '../judge/findings.ts'
import type { Fault, Timeline } from '../judge/timeline.ts'
import type { AcknowledgedWrite } from '../load/service.ts'
import type { World } from '../world/world.ts'

export interface AuditFigures {
  readonly acknowledged: number
  /** Lost with a node that was killed before it could write them. */
  readonly lostByKill: number
}

/** An entry is written at most 200 ms after it was created, plus the time of the write. */
const flushMs = 1_000

export async function checkAuditRows(
  world: World,
  writes: readonly AcknowledgedWrite[],
  timeline: Timeline,
  findings: Findings,
): Promise<AuditFigures> {
  const rows = await world.direct.service(
    'select distinct correlation_id as id from engine_audit_entries where correlation_id is not null',
  )
  const found = new Set(rows.map(({ id }) => String(id)))
  const missing = writes.filter(({ id }) => !found.has(id))
  const lost = missing.filter((write) => wasKilled(write, timeline.faults))
  for (const write of missing) {
    if (!lost.includes(write)) {
      findings.add('not in the audit', `write ${write.id} of ${write.node}`)
    }
  }
  return { acknowledged: writes.length, lostByKill: lost.length }
}

/** The node was killed soon after, or before the service database was available again. */
function wasKilled({ node, endMs }: AcknowledgedWrite, faults: readonly Fault[]): boolean {
  return faults.some(
    (kill) =>
      kill.name.endsWith('kill -9') &&
      kill.target === node &&
      kill.startMs + 1_000 >= endMs &&
      (kill.startMs - endMs < flushMs ||
        faults.some(
          (away) =>
            away.target === 'service' &&
            away.startMs < kill.endMs &&
            away.endMs + flushMs + 1_000 > kill.startMs &&
            away.startMs - flushMs < endMs,
        )),
  )
}
