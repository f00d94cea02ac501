/** @module Prometheus metrics. Labels have few values: routes as declared, statuses, connections, error codes. */
import type { ErrorCode } from '@engine/contract'
import type { Observe } from '@engine/core'
import type { RequestHook } from '../response/answer-calls.ts'
import type { GaugeDefinition } from './gauge.ts'
import { addProcessMetrics } from './process-metrics.ts'

export interface Metrics {
  readonly hook: RequestHook
  readonly observe: Observe
  /** Counts an error answer. */
  readonly countError: (code: ErrorCode) => void
  /** Adds numbers that are read whenever the metrics are requested. */
  addGauge(gauge: GaugeDefinition): void
  /** The text format of Prometheus. */
  render(): Promise<MetricsText>
  /** The metrics of this process alone, to be added to those of others by `addMetrics`. */
  values(): Promise<MetricValues>
  close(): void
}

/** Metrics as plain values, which JSON keeps. */
export type MetricValues = readonly PlainMetric[]

export interface PlainMetric {
  readonly name: string
  readonly help: string
  /** `counter`, `gauge` or `histogram`. */
  readonly type: string
  /** As `GaugeDefinition.together`. */
  readonly aggregator: string
  readonly values: readonly {
    readonly labels: Readonly<Record<string, string | number | undefined>>
    readonly value: number
    /** The part of a histogram. */
    readonly metricName?: string
  }[]
}

/** Metrics in the format of Prometheus. */
export interface MetricsText {
  readonly contentType: string
  readonly text: string
}

/** Upper limits of the buckets, in seconds. */
const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const planBuckets = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25]

/**
 * The library is loaded only where metrics are on.
 *
 * @param renderAll renders the metrics of all processes that serve the same configuration, where there are several.
 */
export async function createMetrics(renderAll?: () => Promise<MetricsText>): Promise<Metrics> {
  const { Counter, Gauge, Histogram, Registry } = await import('prom-client')
  const registry = new Registry()
  const registers = [registry]
  const requests = new Counter({
    name: 'engine_http_requests_total',
    help: 'Answered requests.',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'engine_http_request_duration_seconds',
    help: 'From the headers of a request to its answer.',
    labelNames: ['method', 'route'],
    buckets: requestBuckets,
    registers,
  })
  const running = new Gauge({
    name: 'engine_http_requests_in_flight',
    help: 'Requests that are being answered.',
    registers,
  })
  const errors = new Counter({
    name: 'engine_errors_total',
    help: 'Error answers by their code.',
    labelNames: ['code'],
    registers,
  })
  const statements = new Histogram({
    name: 'engine_statement_duration_seconds',
    help: 'Time that statements took in their database, as seen from here.',
    labelNames: ['connection', 'outcome'],
    buckets: requestBuckets,
    registers,
  })
  const plans = new Histogram({
    name: 'engine_plan_duration_seconds',
    help: 'Time to parse, bind, authorize and compile a statement that was not known yet.',
    labelNames: ['outcome'],
    buckets: planBuckets,
    registers,
  })
  const addGauge: Metrics['addGauge'] = ({ name, help, labels = [], together = 'sum', read }) => {
    const gauge = new Gauge({
      name,
      help,
      labelNames: [...labels],
      aggregator: together,
      registers,
      collect: () => {
        gauge.reset()
        for (const { labels: own = {}, value } of read()) gauge.set(own, value)
      },
    })
  }
  const stopProcessMetrics = addProcessMetrics(addGauge)
  return {
    hook: (call, place) => {
      const startMs = performance.now()
      running.inc()
      return (answered) => {
        running.dec()
        const { method, route } = place()
        const status = call.isAbandoned() ? 'abandoned' : String(answered)
        requests.inc({ method, route, status })
        durations.observe({ method, route }, (performance.now() - startMs) / 1_000)
      }
    },
    observe: ({ stage, connection = 'none', startMs, endMs, error }) => {
      const seconds = (endMs - startMs) / 1_000
      const outcome = error ?? 'ok'
      if (stage === 'execute') statements.observe({ connection, outcome }, seconds)
      else if (stage === 'plan') plans.observe({ outcome }, seconds)
    },
    countError: (code) => errors.inc({ code }),
    addGauge,
    render:
      renderAll ??
      (async () => ({ contentType: registry.contentType, text: await registry.metrics() })),
    values: () => plainMetrics(registry),
    close: stopProcessMetrics,
  }
}

/** The library declares an enumeration of numbers, and writes words. */
export async function plainMetrics(registry: {
  getMetricsAsJSON(): Promise<unknown>
}): Promise<MetricValues> {
  return (await registry.getMetricsAsJSON()) as MetricValues
}
