/** @module The parts of the OpenAPI document that operations refer to. */
import { z } from 'zod'
import * as wire from './wire-schemas.ts'

export type Json = Readonly<Record<string, unknown>>

/** The shapes that have a name in the document. */
export type SchemaName =
  | 'Error'
  | 'DataRequest'
  | 'DataResponse'
  | 'BatchRequest'
  | 'BatchResponse'
  | 'User'
  | 'Session'
  | 'SessionResponse'
  | 'CurrentSessionResponse'
  | 'SessionsResponse'
  | 'SuccessResponse'
  | 'InvitationResponse'
  | 'SignUpRequest'
  | 'SignInRequest'
  | 'EmailRequest'
  | 'TokenRequest'
  | 'ResetPasswordRequest'
  | 'AcceptInvitationRequest'
  | 'ChangePasswordRequest'
  | 'SchemaResponse'
  | 'HealthResponse'

const schemas: Readonly<Record<SchemaName, z.ZodType>> = {
  Error: wire.errorBody,
  DataRequest: wire.dataRequest,
  DataResponse: wire.dataResponse,
  BatchRequest: wire.batchRequest,
  BatchResponse: wire.batchResponse,
  User: wire.user,
  Session: wire.session,
  SessionResponse: wire.sessionResponse,
  CurrentSessionResponse: wire.currentSessionResponse,
  SessionsResponse: wire.sessionsResponse,
  SuccessResponse: wire.successResponse,
  InvitationResponse: wire.invitationResponse,
  SignUpRequest: wire.signUpRequest,
  SignInRequest: wire.signInRequest,
  EmailRequest: wire.emailRequest,
  TokenRequest: wire.tokenRequest,
  ResetPasswordRequest: wire.resetPasswordRequest,
  AcceptInvitationRequest: wire.acceptInvitationRequest,
  ChangePasswordRequest: wire.changePasswordRequest,
  SchemaResponse: wire.schemaResponse,
  HealthResponse: wire.healthResponse,
}

/** A schema in the document, which describes a body. */
export function refTo(name: SchemaName): Json {
  return { $ref: `#/components/schemas/${name}` }
}

/** Statuses of error answers. */
export type ErrorStatus =
  | 400
  | 401
  | 403
  | 404
  | 405
  | 408
  | 409
  | 413
  | 415
  | 422
  | 429
  | 500
  | 503

const errors: Readonly<Record<ErrorStatus, string>> = {
  400: 'The body or the statement is wrong.',
  401: 'A valid bearer token is required.',
  403: 'The caller may not do that.',
  404: 'There is no such thing.',
  405: 'Another method is needed: see Allow.',
  408: 'The time limit was reached; what ran was stopped.',
  409: 'The value is taken, or another row refers to it.',
  413: 'The body is too large.',
  415: 'The body must be application/json, and not compressed.',
  422: 'What is written is not allowed to be so.',
  429: 'Too many requests: see Retry-After.',
  500: 'A fault of the server.',
  503: 'A database cannot be reached, or too many requests wait: see Retry-After.',
}

const header = (description: string): Json => ({ description, schema: { type: 'string' } })

/** The statuses of an operation, in the form of its `responses`. */
export function errorResponses(statuses: readonly ErrorStatus[]): Json {
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/Error${status}` }]),
  )
}

/** The `components` of the document. */
export function components(): Json {
  return {
    schemas: Object.fromEntries(
      Object.entries(schemas).map(([name, schema]) => [name, jsonSchemaOf(schema)]),
    ),
    responses: Object.fromEntries(
      Object.entries(errors).map(([status, description]) => [
        `Error${status}`,
        {
          description,
          headers: {
            'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
            ...(status === '429' || status === '503'
              ? { 'Retry-After': { $ref: '#/components/headers/Retry-After' } }
              : {}),
          },
          content: { 'application/json': { schema: refTo('Error') } },
        },
      ]),
    ),
    headers: {
      'X-Request-Id': header(
        'Under which the request is logged; the one that was sent, if it is sane.',
      ),
      'Retry-After': header('Seconds.'),
      'X-Rows-Truncated': header('true where limits.maxRows cut the answer.'),
      ETag: header('Changes with the answer.'),
    },
    securitySchemes: {
      bearer: {
        type: 'http',
        scheme: 'bearer',
        description:
          'A session token, a token of an accepted issuer, an API key (ek_…) or the master key.',
      },
      schemaToken: {
        type: 'http',
        scheme: 'bearer',
        description: 'schemaEndpoint.token, or the master key.',
      },
    },
  }
}

function jsonSchemaOf(schema: z.ZodType): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'input',
    unrepresentable: 'any',
  })
  return rest
}
