import type { Engine } from '@engine/core'
import type { PoolState } from '@engine/core/server'
import type { Metrics } from './metrics.ts'

const states = ['busy', 'idle', 'waiting'] as const satisfies readonly (keyof PoolState)[]

/** Adds the engine's numbers about its connections. */
export function addEngineMetrics(metrics: Metrics, engine: Pick<Engine, 'load' | 'pools'>): void {
  metrics.addGauge({
    name: 'engine_pool_connections',
    help: 'Connections (or threads) of each database that are busy or idle, and requests that wait for one.',
    labels: ['connection', 'state'],
    read: () =>
      [...engine.pools()].flatMap(([connection, pool]) =>
        states.map((state) => ({ labels: { connection, state }, value: pool[state] })),
      ),
  })
  metrics.addGauge({
    name: 'engine_turns',
    help: 'Statements, batches and actions that run, or wait for their turn.',
    labels: ['state'],
    read: () => {
      const { running, waiting } = engine.load()
      return [
        { labels: { state: 'running' }, value: running },
        { labels: { state: 'waiting' }, value: waiting },
      ]
    },
  })
}
