import { Hono } from 'hono'
import type { Answering } from '../answering.ts'
import type { Metrics } from '../metrics.ts'
import { refuseOtherMethods } from './refuse-other-methods.ts'

/** `GET /metrics`, in the text format of Prometheus. */
export function metricsRoutes(metrics: Metrics, answering: Answering): Hono {
  const routes = new Hono()
  const show = answering(async () => {
    const { contentType, text } = await metrics.render()
    return { status: 200, body: text, headers: { 'Content-Type': contentType } }
  })
  routes.get('/metrics', (context) => show(context))
  refuseOtherMethods(routes, ['/metrics'], answering)
  return routes
}
