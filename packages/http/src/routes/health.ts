import { Hono } from 'hono'
import type { Readiness } from '../gateway/readiness.ts'
import { jsonAnswer } from '../response/answer.ts'
import type { RouteHandler } from '../route-handler.ts'
import { refuseOtherMethods } from './refuse-other-methods.ts'

export interface HealthOptions {
  readonly readiness: () => Promise<Readiness>
  /** Shows for each database whether it answers. For operators only: the names of databases are internal. */
  readonly showDatabases: boolean
}

/** `GET /health/live`: the process runs. `GET /health/ready`: it accepts requests, and its databases answer. */
export function healthRoutes(
  { readiness, showDatabases }: HealthOptions,
  handle: RouteHandler,
): Hono {
  const routes = new Hono()
  const live = handle(() => jsonAnswer('{"status":"live"}'))
  const ready = handle(async () => {
    const { isReady, databases, pgWireCatalog } = await readiness()
    const body = {
      status: isReady ? 'ready' : 'unavailable',
      ...(showDatabases ? { connections: databases, pgWireCatalog } : {}),
    }
    return jsonAnswer(JSON.stringify(body), { status: isReady ? 200 : 503 })
  })
  routes.get('/health/live', (context) => live(context))
  routes.get('/health/ready', (context) => ready(context))
  refuseOtherMethods(routes, ['/health/live', '/health/ready'], handle)
  return routes
}
