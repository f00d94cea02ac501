/** @module Adds up the metrics of several processes. */
import { type MetricsText, type MetricValues, plainMetrics } from './metrics.ts'

/** The metrics of several processes. */
export interface AddedMetrics {
  readonly values: MetricValues
  /** The text format of Prometheus. */
  render(): Promise<MetricsText>
}

/**
 * Adds counters, histograms and most gauges; of some gauges the largest, the smallest or the first value counts (`together`).
 *
 * @param ended metrics of processes that have ended: only their counters and histograms count, since counters never decrease.
 */
export async function addMetrics(
  running: readonly MetricValues[],
  ended: MetricValues = [],
): Promise<AddedMetrics> {
  const { AggregatorRegistry } = await import('prom-client')
  const all = [...running, ended.filter(isCumulative)].filter((values) => values.length > 0)
  const registry = AggregatorRegistry.aggregate(all as never[])
  return {
    values: await plainMetrics(registry),
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  }
}

/** Some counts are read from elsewhere, and are gauges for the library. */
function isCumulative({ name, type }: MetricValues[number]): boolean {
  return type === 'counter' || type === 'histogram' || name.endsWith('_total')
}
