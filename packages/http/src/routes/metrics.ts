import { Hono } from 'hono'
import type { Metrics } from '../metrics/metrics.ts'
import type { RouteHandler } from '../route-handler.ts'
import { refuseOtherMethods } from './refuse-other-methods.ts'

/** `GET /metrics`, in the text format of Prometheus. */
export function metricsRoutes(metrics: Metrics, handle: RouteHandler): Hono {
  const routes = new Hono()
  const show = handle(async () => {
    const { contentType, text } = await metrics.render()
    return { status: 200, body: text, headers: { 'Content-Type': contentType } }
  })
  routes.get('/metrics', (context) => show(context))
  refuseOtherMethods(routes, ['/metrics'], handle)
  return routes
}
