import type { Engine } from '@engine/core'
import { Hono } from 'hono'
import type { AppEnvironment, EngineApp } from '../app.ts'

/** A database that does not answer within so many milliseconds is not ready. */
const pingTimeoutMs = 2_000

/** An answer about readiness is good for so many milliseconds: probes are frequent, databases are not theirs. */
const readinessMs = 1_000

/** `GET /health/live`: the process runs. `GET /health/ready`: its databases can be reached. */
export function healthRoutes(engine: Engine, isReady: () => boolean): EngineApp {
  const routes: EngineApp = new Hono<AppEnvironment>()
  let known: { readonly until: number; readonly isHealthy: Promise<boolean> } | undefined

  const isHealthy = (): Promise<boolean> => {
    const now = performance.now()
    if (known === undefined || known.until < now) {
      const signal = AbortSignal.timeout(pingTimeoutMs)
      const answer = engine.health(signal).then((states) => [...states.values()].every(Boolean))
      known = { until: now + readinessMs, isHealthy: answer }
    }
    return known.isHealthy
  }
  routes.get('/health/live', (context) => context.json({ status: 'live' }))
  routes.get('/health/ready', async (context) => {
    const isServing = isReady() && (await isHealthy())
    return context.json({ status: isServing ? 'ready' : 'unavailable' }, isServing ? 200 : 503)
  })
  return routes
}
