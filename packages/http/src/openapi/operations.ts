/** @module The routes as OpenAPI operations. */
import type { ActionDescription } from '@engine/contract'
import {
  type ErrorStatus,
  errorResponses,
  type Json,
  refTo,
  type SchemaName,
} from './components.ts'

/** One route and method. */
interface Operation {
  readonly id: string
  readonly tag: 'data' | 'auth' | 'actions' | 'schema' | 'operation'
  readonly summary: string
  readonly description?: string
  readonly body?: Json
  readonly isBodyOptional?: boolean
  readonly status?: number
  readonly answer: Json | undefined
  readonly answerHeaders?: readonly string[]
  readonly errors: readonly ErrorStatus[]
  readonly security?: 'bearer' | 'schemaToken'
  readonly parameters?: readonly Json[]
}

/** Errors of every route that reads a body. */
const bodyErrors: readonly ErrorStatus[] = [400, 413, 415, 429, 500, 503]

/** Errors of every route that runs statements. */
const statementErrors: readonly ErrorStatus[] = [
  400, 401, 403, 404, 408, 409, 413, 415, 422, 429, 500, 503,
]

export function dataPaths(security: 'bearer' | undefined): Json {
  const shared = { tag: 'data', errors: statementErrors, ...secured(security) } as const
  return {
    '/data': {
      post: operation({
        ...shared,
        id: 'data',
        summary: 'Runs one statement, under the permissions of the caller.',
        body: refTo('DataRequest'),
        answer: refTo('DataResponse'),
        answerHeaders: ['X-Rows-Truncated'],
      }),
    },
    '/data/batch': {
      post: operation({
        ...shared,
        id: 'dataBatch',
        summary:
          'Runs several statements on one connection in one transaction: all of them or none.',
        body: refTo('BatchRequest'),
        answer: refTo('BatchResponse'),
      }),
    },
  }
}

/** A route of `/auth` without a token. */
function open(id: string, summary: string, body: SchemaName, more: Partial<Operation> = {}): Json {
  const answer = refTo('SuccessResponse')
  return operation({
    id,
    tag: 'auth',
    summary,
    body: refTo(body),
    answer,
    errors: bodyErrors,
    ...more,
  })
}

/** 409: it does not fit any more, or is for a new account and the address has one. */
const invitationErrors: readonly ErrorStatus[] = [...bodyErrors, 409]

/** A route of `/auth` with a token. */
function own(id: string, summary: string, more: Partial<Operation> = {}): Json {
  const answer = refTo('SuccessResponse')
  const errors: readonly ErrorStatus[] = [401, 429, 500, 503]
  return operation({ id, tag: 'auth', summary, answer, errors, security: 'bearer', ...more })
}

export function authPaths(): Json {
  return {
    '/auth/sign-up': {
      post: open('signUp', 'Creates an account and a session.', 'SignUpRequest', {
        status: 201,
        answer: refTo('SessionResponse'),
        errors: [400, 403, 409, 413, 415, 429, 500, 503],
      }),
    },
    '/auth/sign-in': {
      post: open('signIn', 'Opens a session.', 'SignInRequest', {
        answer: refTo('SessionResponse'),
        errors: [400, 401, 403, 413, 415, 429, 500, 503],
      }),
    },
    '/auth/sign-out': { post: own('signOut', 'Ends the session of the token.') },
    '/auth/session': {
      get: own('session', 'The session and its user; a fresh token inside the refresh window.', {
        answer: refTo('CurrentSessionResponse'),
      }),
    },
    '/auth/forgot-password': {
      post: open('forgotPassword', 'Sends a reset link, if there is an account.', 'EmailRequest'),
    },
    '/auth/reset-password': {
      post: open(
        'resetPassword',
        'Sets a new password by the token of a mail.',
        'ResetPasswordRequest',
      ),
    },
    '/auth/verify-email': {
      post: open('verifyEmail', 'Verifies an address by the token of a mail.', 'TokenRequest'),
    },
    '/auth/resend-verification': {
      post: open('resendVerification', 'Sends the verification mail again.', 'EmailRequest'),
    },
    '/auth/invitation': {
      post: open('invitation', 'Whom the token of an invitation invites.', 'TokenRequest', {
        answer: refTo('InvitationResponse'),
        errors: invitationErrors,
      }),
    },
    '/auth/accept-invitation': {
      post: open(
        'acceptInvitation',
        'Sets the password of an invited user, and creates a session.',
        'AcceptInvitationRequest',
        { answer: refTo('SessionResponse'), errors: invitationErrors },
      ),
    },
    '/auth/change-password': {
      post: own('changePassword', 'Sets a new password and ends other sessions.', {
        body: refTo('ChangePasswordRequest'),
        errors: [400, 401, 413, 415, 429, 500, 503],
      }),
    },
    '/auth/sessions': {
      get: own('sessions', 'The sessions of the caller.', { answer: refTo('SessionsResponse') }),
    },
    '/auth/sessions/{id}': {
      delete: own('endSession', 'Ends one session of the caller, or all others.', {
        errors: [401, 404, 429, 500, 503],
        parameters: [pathParameter('id', 'Of a session, or `others`.')],
      }),
    },
    '/auth/.well-known/jwks.json': {
      get: operation({
        id: 'jwks',
        tag: 'auth',
        summary: 'Public keys of the tokens; none where they are signed with a secret.',
        answer: { type: 'object', required: ['keys'], properties: { keys: { type: 'array' } } },
        errors: [500],
      }),
    },
  }
}

/** @param actions undefined where they are secret: then one path describes them all. */
export function actionPaths(
  actions: Readonly<Record<string, ActionDescription>> | undefined,
  security: 'bearer' | undefined,
): Json {
  const shared = { tag: 'actions', errors: statementErrors, ...secured(security) } as const
  if (actions === undefined) {
    return {
      '/actions/{name}': {
        post: operation({
          ...shared,
          id: 'action',
          summary: 'Runs an action; the body is its input.',
          parameters: [pathParameter('name', 'Of the action.')],
          body: {},
          isBodyOptional: true,
          answer: {},
        }),
      },
    }
  }
  return Object.fromEntries(
    Object.entries(actions).map(([name, { input, output }]) => [
      `/actions/${encodeURIComponent(name)}`,
      {
        post: operation({
          ...shared,
          id: `action_${name}`,
          summary: `Runs the action ${name}.`,
          body: embedded(input, `${name}:input`),
          isBodyOptional: true,
          answer: output === undefined ? {} : embedded(output, `${name}:output`),
        }),
      },
    ]),
  )
}

export function schemaPaths(security: 'schemaToken' | undefined): Json {
  const get = operation({
    id: 'schema',
    tag: 'schema',
    summary: 'Connections, tables, relations and actions: structure, never data.',
    answer: refTo('SchemaResponse'),
    answerHeaders: ['ETag'],
    errors: security === undefined ? [429, 500, 503] : [401, 429, 500, 503],
    parameters: [headerParameter('If-None-Match', 'The ETag of an answer that is known.')],
    ...secured(security),
  })
  const unchanged = { ...answered(304, undefined, ['ETag']), description: 'It is still the same.' }
  return { '/schema': { get: { ...get, responses: { ...get.responses, 304: unchanged } } } }
}

export function operationPaths(): Json {
  const health = (id: string, summary: string, errors: readonly ErrorStatus[]) =>
    operation({ id, tag: 'operation', summary, answer: refTo('HealthResponse'), errors })
  return {
    '/health/live': { get: health('live', 'The process runs.', []) },
    '/health/ready': {
      get: {
        ...health('ready', 'Requests are taken, and databases answer.', []),
        responses: {
          200: answered(200, refTo('HealthResponse'), []),
          503: answered(503, refTo('HealthResponse'), []),
        },
      },
    },
  }
}

function operation(definition: Operation): Json & { readonly responses: Json } {
  const { id, tag, summary, description, body, answer, errors, security, parameters } = definition
  const { status = 200, isBodyOptional = false, answerHeaders = [] } = definition
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(parameters === undefined ? {} : { parameters }),
    security: security === undefined ? [] : [{ [security]: [] }],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: !isBodyOptional,
            content: { 'application/json': { schema: body } },
          },
        }),
    responses: { [status]: answered(status, answer, answerHeaders), ...errorResponses(errors) },
  }
}

function answered(status: number, schema: Json | undefined, headers: readonly string[]): Json {
  const names = ['X-Request-Id', ...headers]
  return {
    description: status >= 500 ? 'Not now.' : 'Done.',
    headers: Object.fromEntries(
      names.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
    ),
    ...(schema === undefined ? {} : { content: { 'application/json': { schema } } }),
  }
}

function pathParameter(name: string, description: string): Json {
  return { name, in: 'path', required: true, description, schema: { type: 'string' } }
}

function headerParameter(name: string, description: string): Json {
  return { name, in: 'header', description, schema: { type: 'string' } }
}

function secured<Scheme>(security: Scheme | undefined): { readonly security?: Scheme } {
  return security === undefined ? {} : { security }
}

/** A schema that refers to parts of itself still does: it gets its own name as the base of these references. */
function embedded(schema: Json, name: string): Json {
  const { $schema: _, ...rest } = schema
  const isSelfReferring = JSON.stringify(rest).includes('"$ref"')
  return isSelfReferring ? { $id: `urn:engine:action:${encodeURIComponent(name)}`, ...rest } : rest
}
