import { schemaIncompleteHeader } from '@engine/contract'
import { type Engine, GatewayError } from '@engine/core'
import { secretMatcher } from '@engine/core/server'
import { Hono } from 'hono'
import type { Admission } from '../admission/admission.ts'
import { bearerToken } from '../admission/bearer-token.ts'
import { unauthorized } from '../admission/unauthorized.ts'
import type { Answer } from '../response/answer.ts'
import { entityTag, matchesTag } from '../response/entity-tag.ts'
import type { Call, RouteHandler } from '../route-handler.ts'
import { otherMethods } from './other-methods.ts'

/**
 * `GET /schema`: the structure of all tables, for clients with the endpoint's token or the master key; for all clients
 * where no token is configured.
 */
export function schemaRoutes(
  engine: Engine,
  { admitClient }: Pick<Admission, 'admitClient'>,
  handle: RouteHandler,
): Hono {
  const { schemaEndpoint, masterKey } = engine.settings
  const { enabled, token: expected } = schemaEndpoint
  const isToken = secretMatcher(expected)
  const isMasterKey = secretMatcher(masterKey)
  const current = createBody(engine)

  const enter = async (call: Call): Promise<void> => {
    if (!enabled) {
      throw new GatewayError('notFound', 'There is nothing at /schema: schemaEndpoint is off.', {
        publicMessage: 'There is nothing at /schema.',
      })
    }
    await admitClient(call)
    if (expected === undefined) return
    const token = bearerToken(call.request)
    if (token === undefined) throw unauthorized('The token of /schema is required.')
    if (!isToken(token) && !isMasterKey(token)) {
      throw unauthorized('The bearer token is not the one of /schema.')
    }
  }
  const schema = handle(async (call): Promise<Answer> => {
    await enter(call)
    const { text, tag, unreached } = await current()
    const headers = {
      ETag: tag,
      'Cache-Control': 'no-cache',
      ...(unreached === '' ? {} : { [schemaIncompleteHeader]: unreached }),
    }
    return matchesTag(call.request.headers.get('if-none-match'), tag)
      ? { status: 304, body: undefined, headers }
      : { status: 200, body: text, headers }
  })
  const wrongMethod = handle(async (call): Promise<Answer> => {
    await enter(call)
    call.responseHeaders['Allow'] = 'GET, HEAD'
    throw new GatewayError('methodNotAllowed', 'Use GET for /schema.')
  })
  const routes = new Hono()
  routes.get('/schema', (context) => schema(context))
  routes.on(otherMethods(['GET']), '/schema', (context) => wrongMethod(context))
  return routes
}

interface Body {
  readonly text: string
  readonly tag: string
  /** Names of connections, in the form of the header. */
  readonly unreached: string
}

/** Cached: written once for each description. */
function createBody(engine: Engine): () => Promise<Body> {
  let known: { readonly description: object; readonly body: Body } | undefined
  return async () => {
    const description = await engine.describe()
    if (known?.description !== description) {
      const text = JSON.stringify(description.document)
      const unreached = description.unreached.join(', ')
      known = { description, body: { text, unreached, tag: entityTag(text, unreached) } }
    }
    return known.body
  }
}
