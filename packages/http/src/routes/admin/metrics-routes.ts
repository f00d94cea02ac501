/** @module The last hour in figures, of all processes that serve the same configuration. */
import type { EngineMetrics } from '@engine/contract/admin-api'
import { z } from 'zod'
import { addReports, percentileOf, stepMs } from '../../metrics/activity.ts'
import type { AdminOptions } from './admin-options.ts'
import { type AddRoutes, json, readQuery } from './admin-route.ts'

export function addMetricsRoutes(add: AddRoutes, { activity, siblings }: AdminOptions): void {
  add('/admin/api/metrics', {
    GET: async (call) => {
      readQuery(call, z.strictObject({}))
      const reports = siblings === undefined ? [activity.report()] : await siblings.activities()
      const { points, statements } = addReports(reports)
      const latencies = Object.entries(statements).map(
        ([connection, durations]): [string, EngineMetrics['connections'][string]] => [
          connection,
          {
            statements: durations.reduce((sum, [, count]) => sum + count, 0),
            p50Ms: percentileOf(durations, 0.5),
            p95Ms: percentileOf(durations, 0.95),
          },
        ],
      )
      return json({
        stepSeconds: stepMs / 1_000,
        points: points.map(({ atMs, durations, ...point }) => ({
          at: new Date(atMs).toISOString(),
          ...point,
          p50Ms: percentileOf(durations, 0.5),
          p95Ms: percentileOf(durations, 0.95),
        })),
        connections: Object.fromEntries(latencies),
      })
    },
  })
}
