import { availableParallelism } from 'node:os'
import type { Settings } from '@engine/core/server'
import { type Finding, ok, warning } from './finding.ts'

/** Connections of a pool where the configuration does not say how many. */
const usualPool = 16

/** What PostgreSQL allows by default (MySQL: 151). */
const usualConnections = 100

/** Checks whether several processes fit the machine and the databases; says nothing about one. */
export function checkWorkers(
  workers: number,
  { connections, pgWire }: Pick<Settings, 'connections' | 'pgWire'>,
  processors: number = availableParallelism(),
): readonly Finding[] {
  if (workers === 1) return []
  const findings: Finding[] = [
    workers > processors
      ? warning('workers', `${workers} on ${processors} processors: more than that only use memory`)
      : ok('workers', `${workers} on ${processors} processors`),
  ]
  for (const { name, url, poolMax = usualPool } of connections.values()) {
    const most = workers * poolMax
    if (!/^(postgres|postgresql|mysql|mariadb):/i.test(url) || most < usualConnections) continue
    findings.push(
      warning(
        `connections.${name}.pool.max`,
        `${workers} workers open up to ${most} connections, each a pool of ${poolMax}: the database must allow them`,
      ),
    )
  }
  if (pgWire !== undefined) {
    const { maxConnections } = pgWire
    findings.push(
      ok(
        'pgWire.maxConnections',
        `${maxConnections} for each worker, ${workers * maxConnections} in all`,
      ),
    )
  }
  return findings
}
