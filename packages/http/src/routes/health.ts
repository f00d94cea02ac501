import type { Engine } from '@engine/core'
import { Hono } from 'hono'
import type { Answering } from '../answering.ts'
import { jsonResponse } from '../json-response.ts'

/** A database that does not answer within so many milliseconds is not ready. */
const pingTimeoutMs = 2_000

/** An answer about readiness is good for so many milliseconds: probes are frequent, databases are not theirs. */
const readinessMs = 1_000

/** By connection name: can its database be reached? */
type Reachable = Readonly<Record<string, boolean>>

/**
 * `GET /health/live`: the process runs. `GET /health/ready`: it takes requests, and its databases can be reached; says of
 * each connection whether its can.
 */
export function healthRoutes(engine: Engine, isReady: () => boolean, answering: Answering): Hono {
  const routes = new Hono()
  let known: { readonly until: number; readonly reachable: Promise<Reachable> } | undefined

  const reachable = (): Promise<Reachable> => {
    const now = performance.now()
    if (known === undefined || known.until < now) {
      const signal = AbortSignal.timeout(pingTimeoutMs)
      const answer = engine.health(signal).then((states) => Object.fromEntries(states))
      known = { until: now + readinessMs, reachable: answer }
    }
    return known.reachable
  }
  const live = answering(({ correlationId }) =>
    jsonResponse(JSON.stringify({ status: 'live' }), { status: 200, correlationId }),
  )
  const ready = answering(async ({ correlationId }) => {
    const connections = await reachable()
    const isServing = isReady() && Object.values(connections).every(Boolean)
    const body = JSON.stringify({ status: isServing ? 'ready' : 'unavailable', connections })
    return jsonResponse(body, { status: isServing ? 200 : 503, correlationId })
  })
  routes.get('/health/live', (context) => live(context))
  routes.get('/health/ready', (context) => ready(context))
  return routes
}
