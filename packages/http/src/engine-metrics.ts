import type { Engine, PoolState } from '@engine/core'
import type { Metrics } from './metrics.ts'

const states = ['busy', 'idle', 'waiting'] as const satisfies readonly (keyof PoolState)[]

/** Adds what the engine knows of its connections. */
export function addEngineMetrics(metrics: Metrics, engine: Pick<Engine, 'pools'>): void {
  metrics.addGauge({
    name: 'engine_pool_connections',
    help: 'Connections (or threads) of each database that are busy or idle, and requests that wait for one.',
    labels: ['connection', 'state'],
    read: () =>
      [...engine.pools()].flatMap(([connection, pool]) =>
        states.map((state) => ({ labels: { connection, state }, value: pool[state] })),
      ),
  })
}
