import type { Engine } from '@engine/core'
import type { PgWireLoad } from '@engine/core/session'
import type { GaugeValue } from './gauge.ts'
import type { Metrics } from './metrics.ts'

const states = {
  starting: 'starting',
  idle: 'idle',
  active: 'active',
  idleInTransaction: 'idle_in_transaction',
} as const satisfies Partial<Record<keyof PgWireLoad, string>>

/** Adds the numbers of the wire protocol server about its connections; none while no server runs. */
export function addPgWireMetrics(metrics: Metrics, engine: Pick<Engine, 'pgWireLoad'>): void {
  const read = (values: (load: PgWireLoad) => readonly GaugeValue[]) => () => {
    const load = engine.pgWireLoad()
    return load === undefined ? [] : values(load)
  }
  metrics.addGauge({
    name: 'engine_pgwire_connections',
    help: 'Connections of the PostgreSQL wire protocol.',
    labels: ['state'],
    read: read((load) =>
      (Object.keys(states) as (keyof typeof states)[]).map((key) => ({
        labels: { state: states[key] },
        value: load[key],
      })),
    ),
  })
  metrics.addGauge({
    name: 'engine_pgwire_sessions_total',
    help: 'Clients of the wire protocol that were let in.',
    read: read((load) => [{ value: load.accepted }]),
  })
  metrics.addGauge({
    name: 'engine_pgwire_catalog_servers',
    help: 'Embedded servers that answer questions about system catalogs.',
    read: read(({ catalog }) => [{ value: catalog.servers }]),
  })
  metrics.addGauge({
    name: 'engine_pgwire_catalog_failures_total',
    help: 'Embedded servers for system catalogs that did not start.',
    read: read(({ catalog }) => [{ value: catalog.failures }]),
  })
  metrics.addGauge({
    name: 'engine_pgwire_refused_total',
    help: 'Clients of the wire protocol that were not let in, by reason.',
    labels: ['reason'],
    read: read(({ refused }) =>
      Object.entries(refused).map(([reason, value]) => ({ labels: { reason }, value })),
    ),
  })
}
