import { GatewayError } from '@engine/core'
import type { Hono } from 'hono'
import type { RouteHandler } from '../route-handler.ts'
import { otherMethods } from './other-methods.ts'

/** Answers methods other than GET and HEAD with 405 at these paths. */
export function refuseOtherMethods(
  routes: Hono,
  paths: readonly string[],
  handle: RouteHandler,
): void {
  const refuse = handle((call) => {
    call.responseHeaders['Allow'] = 'GET, HEAD'
    throw new GatewayError('methodNotAllowed', 'Use GET here.')
  })
  routes.on(otherMethods(['GET']), [...paths], (context) => refuse(context))
}
