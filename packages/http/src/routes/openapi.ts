import type { Engine } from '@engine/core'
import { secretMatcher } from '@engine/core/server'
import { Hono } from 'hono'
import { bearerToken } from '../admission/bearer-token.ts'
import { openApiDocument } from '../openapi/openapi-document.ts'
import { mountOf } from '../request/base-path.ts'
import type { Answer } from '../response/answer.ts'
import { entityTag, matchesTag } from '../response/entity-tag.ts'
import type { RouteHandler } from '../route-handler.ts'
import { refuseOtherMethods } from './refuse-other-methods.ts'

const path = '/openapi.json'

interface Described {
  readonly text: string
  readonly tag: string
}

/**
 * `GET /openapi.json`: the routes of this server. Actions and their inputs are listed only for clients that may read
 * `/schema`: all clients, or those with its token; none where `/schema` is off.
 */
export function openApiRoutes(engine: Engine, hasAuth: boolean, handle: RouteHandler): Hono {
  const { settings } = engine
  const { enabled, token: expected } = settings.schemaEndpoint
  const isToken = secretMatcher(expected)
  const isMasterKey = secretMatcher(settings.masterKey)
  const mayReadSchema = (request: Request): boolean => {
    if (!enabled) return false
    if (expected === undefined) return true
    const token = bearerToken(request)
    return token !== undefined && (isToken(token) || isMasterKey(token))
  }
  const describe = async (withActions: boolean, mount: string): Promise<Described> => {
    const actions = withActions ? ((await engine.describe()).document.actions ?? {}) : undefined
    const text = JSON.stringify(openApiDocument({ settings, hasAuth, actions, mount }))
    return { text, tag: entityTag(text) }
  }
  const known = new Map<string, Promise<Described>>()
  const described = (withActions: boolean, mount: string): Promise<Described> => {
    const key = `${withActions} ${mount}`
    const found = known.get(key)
    if (found !== undefined) return found
    const made = describe(withActions, mount).catch((error: unknown) => {
      known.delete(key)
      throw error
    })
    known.set(key, made)
    return made
  }
  const show = handle(async ({ request }, context): Promise<Answer> => {
    const { text, tag } = await described(mayReadSchema(request), mountOf(context, path))
    const headers = { ETag: tag, 'Cache-Control': 'no-cache' }
    return matchesTag(request.headers.get('if-none-match'), tag)
      ? { status: 304, body: undefined, headers }
      : { status: 200, body: text, headers }
  })
  const routes = new Hono()
  routes.get(path, (context) => show(context))
  refuseOtherMethods(routes, [path], handle)
  return routes
}
