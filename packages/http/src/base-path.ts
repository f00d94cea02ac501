import { GatewayError } from '@engine/core'
import type { Context } from 'hono'
import { routePath } from 'hono/route'

const segments = /^(\/(?!\.\.?(\/|$))[\w.~-]+)+$/

/**
 * A path under which an app is served: `/api/engine`.
 *
 * @throws {GatewayError} `invalidConfiguration` when it could mean something to the router, or ends with a slash.
 */
export function checkBasePath(basePath: string): string {
  if (segments.test(basePath)) return basePath
  const message = `basePath must look like /api/engine: ${JSON.stringify(basePath)} does not.`
  throw new GatewayError('invalidConfiguration', message)
}

/**
 * Where the app is mounted, by its own option or in another Hono app: empty at the top.
 *
 * @param own path of the current route within the app, as it is declared.
 */
export function mountOf(context: Context, own: string): string {
  const declared = routePath(context)
  return declared.endsWith(own) ? declared.slice(0, -own.length) : ''
}
