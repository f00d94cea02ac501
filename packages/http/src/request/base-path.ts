import { GatewayError } from '@engine/core'
import type { Context } from 'hono'
import { routePath } from 'hono/route'

const segments = /^(\/(?!\.\.?(\/|$))[\w.~-]+)+$/

/**
 * A path under which an app is served: `/api/engine`.
 *
 * @throws {GatewayError} `invalidConfiguration` when the router would read it as a pattern, or it ends with a slash.
 */
export function checkBasePath(basePath: string): string {
  if (segments.test(basePath)) return basePath
  const message = `basePath must look like /api/engine: ${JSON.stringify(basePath)} does not.`
  throw new GatewayError('invalidConfiguration', message)
}

/**
 * The path where the app is mounted, by its own option or in another Hono app: empty at the top.
 *
 * @param own path of the current route within the app, as declared.
 */
export function mountOf(context: Context, own: string): string {
  const declared = routePath(context)
  return declared.endsWith(own) ? declared.slice(0, -own.length) : ''
}
