import type { Engine } from '@engine/core'
import type { PoolState } from '@engine/core/adapter'
import type { Metrics } from './metrics.ts'

const states = [
  ['busy', 'busy'],
  ['idle', 'idle'],
  ['waiting', 'waiting'],
  ['givenUp', 'given_up'],
] as const satisfies readonly (readonly [keyof PoolState, string])[]

/** Adds the engine's numbers about its connections. */
export function addEngineMetrics(metrics: Metrics, engine: Pick<Engine, 'load' | 'pools'>): void {
  metrics.addGauge({
    name: 'engine_pool_connections',
    help: 'Connections (or threads) of each database that are busy or idle, those of the busy ones that were given up, and requests that wait.',
    labels: ['connection', 'state'],
    read: () =>
      [...engine.pools()].flatMap(([connection, pool]) =>
        states.map(([name, state]) => ({
          labels: { connection, state },
          value: pool[name] ?? 0,
        })),
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
