import { type Engine, GatewayError } from '@engine/core'
import type { OpenActionAccounts } from '@engine/core/server'
import { Hono } from 'hono'
import type { Admission } from '../admission/admission.ts'
import { readText, requireJsonType } from '../request/read-body.ts'
import { requestOrigin } from '../request/request-origin.ts'
import { parseStrictJson } from '../request/strict-json.ts'
import { jsonAnswer } from '../response/answer.ts'
import type { Call, RouteHandler } from '../route-handler.ts'
import { otherMethods } from './other-methods.ts'

/** `POST /actions/{name}`: checks the caller first, then the action, then its input, the body. */
export function actionRoutes(
  engine: Engine,
  accounts: OpenActionAccounts | undefined,
  { admit }: Pick<Admission, 'admit'>,
  handle: RouteHandler,
): Hono {
  const routes = new Hono()
  const maxBytes = engine.settings.limits.maxRequestBodyBytes
  const run = handle(async (call, context) => {
    const { caller, credentialId } = await admit(call)
    const origin = requestOrigin(call, credentialId)
    const name = context.req.param('name') ?? ''
    const input = await readInput(call, maxBytes)
    const signal = call.signal()
    return jsonAnswer(await engine.callAction({ name, input, signal, origin, accounts }, caller))
  })
  const wrongMethod = handle((call) => {
    call.responseHeaders['Allow'] = 'POST'
    throw new GatewayError('methodNotAllowed', 'Use POST for actions.')
  })
  routes.post('/actions/:name', (context) => run(context))
  routes.on(otherMethods(['POST']), '/actions/:name', (context) => wrongMethod(context))
  return routes
}

/**
 * The JSON value in the body; undefined without a body, for actions without input.
 *
 * @throws {GatewayError} `payloadTooLarge` (413), `unsupportedMediaType` (415), `badRequest` or `invalidInput` (400).
 */
async function readInput({ request }: Call, maxBytes: number): Promise<unknown> {
  const text = await readText(request, maxBytes)
  if (text === '') return undefined
  requireJsonType(request)
  return parseStrictJson(text)
}
