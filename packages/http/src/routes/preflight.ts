import { Hono } from 'hono'
import { mountOf } from '../request/base-path.ts'
import type { CrossOrigin } from '../response/cors.ts'
import type { RouteHandler } from '../route-handler.ts'

/**
 * Answers the preflight requests of browsers on every path, without authentication and rate limits. `/admin` allows
 * only its own origin. An app has this route with every configuration; without origins it answers nothing.
 */
export function preflightRoutes(crossOrigin: CrossOrigin | undefined, handle: RouteHandler): Hono {
  const routes = new Hono()
  if (crossOrigin === undefined) return routes.options('*', (_context, next) => next())
  const preflight = handle(({ request: { headers } }) => ({
    status: 204,
    body: undefined,
    headers: crossOrigin.preflightFor(
      headers.get('origin'),
      headers.get('access-control-request-headers'),
    ),
  }))
  routes.options('*', (context, next) => {
    const path = context.req.path.slice(mountOf(context, '/*').length)
    const isPreflight =
      context.req.header('origin') !== undefined &&
      context.req.header('access-control-request-method') !== undefined
    if (!isPreflight || path === '/admin' || path.startsWith('/admin/')) return next()
    return preflight(context)
  })
  return routes
}
