import type { Auth } from '@engine/auth'
import type { Metrics } from './metrics.ts'

/** Adds how many passwords are hashed: hashing takes most of the processor time at `/auth`. */
export function addAuthMetrics(metrics: Metrics, auth: Pick<Auth, 'hashingLoad'>): void {
  metrics.addGauge({
    name: 'engine_password_hashes',
    help: 'Passwords that are hashed, or wait for it.',
    labels: ['state'],
    read: () => {
      const { running, queued } = auth.hashingLoad()
      return [
        { labels: { state: 'running' }, value: running },
        { labels: { state: 'waiting' }, value: queued },
      ]
    },
  })
}
