/** @module The metrics of all workers: those that have ended stay in the counters. */
import { addMetrics, type MetricsText, type MetricValues } from '@engine/http'

export interface WorkerMetrics {
  /** Keeps the metrics of a running worker. */
  keep(pid: number, values: MetricValues): void
  /** A worker has ended: from now on its last metrics count as those of an ended one. */
  end(pid: number): void
  /** @param own metrics of the supervisor. */
  render(own: MetricValues): Promise<MetricsText>
}

/** What was shown once is part of every later sum, so that counters never decrease. */
export function createWorkerMetrics(): WorkerMetrics {
  const running = new Map<number, MetricValues>()
  let ended: Promise<MetricValues> = Promise.resolve([])
  return {
    keep: (pid, values) => void running.set(pid, values),
    end: (pid) => {
      const last = running.get(pid) ?? []
      running.delete(pid)
      ended = ended.then(async (before) => (await addMetrics([], [...before, ...last])).values)
    },
    render: async (own) => {
      const values = [...running.values(), own]
      const added = await addMetrics(values, await ended)
      return added.render()
    },
  }
}
