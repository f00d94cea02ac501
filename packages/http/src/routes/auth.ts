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
  admission: Pick<Admission, 'admitClient'>,
  maxBodyBytes: number,
): Hono {
  const table = new AccountRoutes(handle, admission, maxBodyBytes)
  addEntrances(table, auth)
  addMails(table, auth)
  addSessions(table, auth, maxBodyBytes)
  table.add('GET', '/auth/.well-known/jwks.json', () =>
    jsonAnswer(JSON.stringify(auth.jwks()), { headers: jwksHeaders }),
  )
  return table.routes
}

/** Routes of accounts: each refuses the methods that it does not have. */
class AccountRoutes {
  readonly routes: Hono = new Hono()
  readonly #handle: RouteHandler
  readonly #admitClient: Admission['admitClient']
  readonly #maxBodyBytes: number

  constructor(
    handle: RouteHandler,
    { admitClient }: Pick<Admission, 'admitClient'>,
    maxBodyBytes: number,
  ) {
    this.#handle = handle
    this.#admitClient = admitClient
    this.#maxBodyBytes = maxBodyBytes
  }

  /** A route without a token: a body, an answer. */
  post(path: string, answer: (body: unknown, client: ClientInfo) => Promise<Answer>): void {
    const route: Route = async ({ request, client }) => {
      const body = await readAuthBody(request, this.#maxBodyBytes)
      return beforeDeadline(deadlines.accounts, answer(body, client))
    }
    this.add('POST', path, unstored(route))
  }

  /** A route with a token. */
  withToken(
    method: Method,
    path: string,
    answer: (call: TokenCall, parameter: string) => Promise<Answer>,
  ): void {
    const route: Route = async (call, context) => {
      await this.#admitClient(call)
      const { request, client } = call
      const token = bearerToken(request)
      const answered = answer({ request, token, client }, context.req.param('id') ?? '')
      return beforeDeadline(deadlines.accounts, answered)
    }
    this.add(method, path, unstored(route))
  }

  add(method: Method, path: string, route: Route): void {
    const handled = this.#handle(route)
    this.routes.on(method, path, (context) => handled(context))
    const refused = this.#handle(otherMethods(method === 'GET' ? ['GET', 'HEAD'] : [method]))
    this.routes.all(path, (context) => refused(context))
  }
}

type Method = 'GET' | 'POST' | 'DELETE'

function otherMethods(allowed: readonly string[]): Route {
  return unstored(({ request, responseHeaders }) => {
    responseHeaders['Allow'] = allowed.join(', ')
    throw new GatewayError(
      'methodNotAllowed',
      `Use ${allowed.join(' or ')} for ${new URL(request.url).pathname}.`,
    )
  })
}

/** Routes that open a session. */
function addEntrances(table: AccountRoutes, auth: Auth): void {
  table.post('/auth/sign-up', async (body, client) => created(await auth.signUp(body, client)))
  table.post('/auth/sign-in', async (body, client) => ok(await auth.signIn(body, client)))
  table.post('/auth/invitation', async (body, client) => {
    const answer = await auth.showInvitation(body, client)
    return jsonAnswer(JSON.stringify(answer))
  })
  table.post('/auth/accept-invitation', async (body, client) =>
    ok(await auth.acceptInvitation(body, client)),
  )
}

/** Routes that send a mail, and those that its link leads to. */
function addMails(table: AccountRoutes, auth: Auth): void {
  table.post('/auth/forgot-password', async (body, client) => {
    await auth.forgotPassword(body, client)
    return done('If an account exists for this e-mail address, a reset link is sent to it.')
  })
  table.post('/auth/reset-password', async (body, client) => {
    await auth.resetPassword(body, client)
    return done('The password was changed. Please sign in with the new password.')
  })
  table.post('/auth/verify-email', async (body, client) => {
    await auth.verifyEmail(body, client)
    return done('The e-mail address is verified.')
  })
  table.post('/auth/resend-verification', async (body, client) => {
    await auth.resendVerification(body, client)
    return done(
      'If an account with this e-mail address waits to be verified, a verification link is sent to it.',
    )
  })
}

/** Routes of a user who is signed in. */
function addSessions(table: AccountRoutes, auth: Auth, maxBodyBytes: number): void {
  table.withToken('POST', '/auth/sign-out', async ({ token, client }) => {
    await auth.signOut(token, client)
    return done()
  })
  table.withToken('GET', '/auth/session', async ({ token, client }) =>
    ok(await auth.session(token, client)),
  )
  table.withToken('POST', '/auth/change-password', async ({ request, token, client }) => {
    if (token === undefined) throw unauthorized('A bearer token is required.')
    await auth.changePassword(token, await readAuthBody(request, maxBodyBytes), client)
    return done('The password was changed. Other sessions were ended.')
  })
  table.withToken('GET', '/auth/sessions', async ({ token, client }) => {
    const body: SessionsResponse = { sessions: await auth.listSessions(token, client) }
    return jsonAnswer(JSON.stringify(body))
  })
  table.withToken('DELETE', '/auth/sessions/:id', async ({ token, client }, id) => {
    await auth.endSession(token, id, client)
    return done()
  })
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
