/** @module `/auth`: reads requests, calls `Auth`, writes answers. `Auth` checks the input. */
import type { Auth } from '@engine/auth'
import type {
  CurrentSessionResponse,
  SessionResponse,
  SessionsResponse,
  SuccessResponse,
} from '@engine/contract'
import { GatewayError } from '@engine/core'
import type { ClientInfo } from '@engine/core/server'
import { Hono } from 'hono'
import type { Admission } from '../admission/admission.ts'
import { readAuthBody } from '../admission/auth-body.ts'
import { bearerToken } from '../admission/bearer-token.ts'
import { unauthorized } from '../admission/unauthorized.ts'
import { beforeDeadline, deadlines } from '../request/deadline.ts'
import { type Answer, jsonAnswer } from '../response/answer.ts'
import type { Route, RouteHandler } from '../route-handler.ts'

/** The facts of a request with a token. */
interface TokenCall {
  readonly request: Request
  /** undefined where there was none; `Auth` then refuses. */
  readonly token: string | undefined
  readonly client: ClientInfo
}

/**
 * Mounted where an auth provider is configured. For `limits.rateLimitPerIP`, routes with a token count like `/data`;
 * the others have their own throttles.
 */
export function authRoutes(
  auth: Auth,
  handle: RouteHandler,
  { admitClient }: Pick<Admission, 'admitClient'>,
  maxBodyBytes: number,
): Hono {
  const routes = new Hono()

  /** A route without a token: a body, an answer. */
  const post = (
    path: string,
    answer: (body: unknown, client: ClientInfo) => Promise<Answer>,
  ): void => {
    const route = handle(
      unstored(async ({ request, client }) => {
        const body = await readAuthBody(request, maxBodyBytes)
        return beforeDeadline(deadlines.accounts, answer(body, client))
      }),
    )
    routes.post(path, (context) => route(context))
    refuseOthers(path, ['POST'])
  }
  /** A route with a token. */
  const withToken = (answer: (call: TokenCall, parameter: string) => Promise<Answer>) =>
    unstored(async (call, context) => {
      await admitClient(call)
      const { request, client } = call
      const token = bearerToken(request)
      const answered = answer({ request, token, client }, context.req.param('id') ?? '')
      return beforeDeadline(deadlines.accounts, answered)
    })
  const refuseOthers = (path: string, allowed: readonly string[]): void => {
    const refuse = handle(
      unstored(({ request, responseHeaders }) => {
        responseHeaders['Allow'] = allowed.join(', ')
        throw new GatewayError(
          'methodNotAllowed',
          `Use ${allowed.join(' or ')} for ${new URL(request.url).pathname}.`,
        )
      }),
    )
    routes.all(path, (context) => refuse(context))
  }

  post('/auth/sign-up', async (body, client) => created(await auth.signUp(body, client)))
  post('/auth/sign-in', async (body, client) => ok(await auth.signIn(body, client)))
  post('/auth/forgot-password', async (body, client) => {
    await auth.forgotPassword(body, client)
    return done('If an account exists for this e-mail address, a reset link is sent to it.')
  })
  post('/auth/reset-password', async (body, client) => {
    await auth.resetPassword(body, client)
    return done('The password was changed. Please sign in with the new password.')
  })
  post('/auth/verify-email', async (body, client) => {
    await auth.verifyEmail(body, client)
    return done('The e-mail address is verified.')
  })
  post('/auth/resend-verification', async (body, client) => {
    await auth.resendVerification(body, client)
    return done(
      'If an account with this e-mail address waits to be verified, a verification link is sent to it.',
    )
  })

  post('/auth/invitation', async (body, client) => {
    const answer = await auth.showInvitation(body, client)
    return jsonAnswer(JSON.stringify(answer))
  })
  post('/auth/accept-invitation', async (body, client) =>
    ok(await auth.acceptInvitation(body, client)),
  )

  const signOut = handle(
    withToken(async ({ token, client }) => {
      await auth.signOut(token, client)
      return done()
    }),
  )
  routes.post('/auth/sign-out', (context) => signOut(context))
  refuseOthers('/auth/sign-out', ['POST'])

  const session = handle(
    withToken(async ({ token, client }) => ok(await auth.session(token, client))),
  )
  routes.get('/auth/session', (context) => session(context))
  refuseOthers('/auth/session', ['GET', 'HEAD'])

  const changePassword = handle(
    withToken(async ({ request, token, client }) => {
      if (token === undefined) throw unauthorized('A bearer token is required.')
      await auth.changePassword(token, await readAuthBody(request, maxBodyBytes), client)
      return done('The password was changed. Other sessions were ended.')
    }),
  )
  routes.post('/auth/change-password', (context) => changePassword(context))
  refuseOthers('/auth/change-password', ['POST'])

  const sessions = handle(
    withToken(async ({ token, client }) => {
      const body: SessionsResponse = { sessions: await auth.listSessions(token, client) }
      return jsonAnswer(JSON.stringify(body))
    }),
  )
  routes.get('/auth/sessions', (context) => sessions(context))
  refuseOthers('/auth/sessions', ['GET', 'HEAD'])

  const endSession = handle(
    withToken(async ({ token, client }, id) => {
      await auth.endSession(token, id, client)
      return done()
    }),
  )
  routes.delete('/auth/sessions/:id', (context) => endSession(context))
  refuseOthers('/auth/sessions/:id', ['DELETE'])

  const jwks = handle(() => jsonAnswer(JSON.stringify(auth.jwks()), { headers: jwksHeaders }))
  routes.get('/auth/.well-known/jwks.json', (context) => jwks(context))
  refuseOthers('/auth/.well-known/jwks.json', ['GET', 'HEAD'])
  return routes
}

/** Public keys change only at a restart; a service that verifies tokens requests the set again for an unknown key. */
const jwksHeaders = { 'Cache-Control': 'public, max-age=300' }

/** No cache may store answers of `/auth`, also not HTTP/1.0 caches (`Cache-Control` is on every answer). */
function unstored(route: Route): Route {
  return (call, context) => {
    call.responseHeaders['Pragma'] = 'no-cache'
    return route(call, context)
  }
}

function ok(body: CurrentSessionResponse): Answer {
  return jsonAnswer(JSON.stringify(body))
}

function created(body: SessionResponse): Answer {
  return jsonAnswer(JSON.stringify(body), { status: 201 })
}

function done(message?: string): Answer {
  const body: SuccessResponse = { success: true, ...(message === undefined ? {} : { message }) }
  return jsonAnswer(JSON.stringify(body))
}
