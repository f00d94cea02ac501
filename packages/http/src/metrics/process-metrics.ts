import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { GaugeDefinition } from './gauge.ts'

const quantiles = [0.5, 0.99] as const

/**
 * Adds metrics of the process. The delay of the event loop is measured between two readings.
 *
 * @returns a function that stops the measurement.
 */
export function addProcessMetrics(addGauge: (gauge: GaugeDefinition) => void): () => void {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  addGauge({
    name: 'engine_event_loop_delay_seconds',
    help: 'How late timers were since the last reading, by quantile.',
    labels: ['quantile'],
    together: 'max',
    read: () => {
      const values = quantiles.map((quantile) => ({
        labels: { quantile: String(quantile) },
        value: delay.percentile(quantile * 100) / 1e9,
      }))
      const largest = { labels: { quantile: '1' }, value: delay.max / 1e9 }
      delay.reset()
      return [...values, largest]
    },
  })
  addGauge({
    name: 'process_resident_memory_bytes',
    help: 'Memory of the process.',
    read: () => [{ value: process.memoryUsage.rss() }],
  })
  addGauge({
    name: 'nodejs_heap_size_used_bytes',
    help: 'Memory of JavaScript values.',
    read: () => [{ value: process.memoryUsage().heapUsed }],
  })
  addGauge({
    name: 'process_cpu_seconds_total',
    help: 'Processor time, of user and system.',
    read: () => {
      const { user, system } = process.cpuUsage()
      return [{ value: (user + system) / 1e6 }]
    },
  })
  addGauge({
    name: 'process_start_time_seconds',
    help: 'Seconds from 1970 to the start of the process.',
    together: 'min',
    read: () => [{ value: performance.timeOrigin / 1_000 }],
  })
  addGauge({
    name: 'nodejs_version_info',
    help: 'The version of Node.js.',
    together: 'first',
    labels: ['version'],
    read: () => [{ labels: { version: process.version }, value: 1 }],
  })
  return () => delay.disable()
}
