import type { AuditLog } from '@engine/core/server'
import type { Metrics } from './metrics.ts'

/** Adds the state of the audit: entries that wait to be written, and entries that were lost. */
export function addAuditMetrics(metrics: Metrics, audit: Pick<AuditLog, 'status'>): void {
  metrics.addGauge({
    name: 'engine_audit_queue',
    help: 'Entries of the audit that wait to be written.',
    read: () => [{ value: audit.status().queued }],
  })
  metrics.addGauge({
    name: 'engine_audit_lost',
    help: 'Entries of the audit that were lost since the start.',
    read: () => [{ value: audit.status().lost }],
  })
  metrics.addGauge({
    name: 'engine_audit_failing',
    help: '1 while the audit cannot be written.',
    together: 'max',
    read: () => [{ value: audit.status().isFailing ? 1 : 0 }],
  })
}
