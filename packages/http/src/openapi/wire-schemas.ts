/** @module Schemas of requests and answers, for `/openapi.json`. The types come from the contract. */
import { type ErrorCode, errorStatuses, methods } from '@engine/contract'
import { z } from 'zod'

/** `POST /data` checks its body by hand, for speed; a test compares the two. */
export const dataRequest: z.ZodType = z.strictObject({
  sql: z.string().meta({
    description:
      'One PostgreSQL statement with $1, $2 …; tables are "<connection>"."<table>". One trailing semicolon is allowed.',
    examples: ['select "id", "name" from "main"."customers" where "id" = $1'],
  }),
  params: z.array(z.unknown()).meta({ description: 'The first is $1.', examples: [[7]] }),
  method: z.enum(methods).meta({
    description:
      'all, values: rows[i][j] is row i, column j. get: rows is the first row, or null. run: rows is empty. execute: rows[i] is an object by column name.',
  }),
  meta: z.boolean().optional().meta({
    description: 'Adds columns, rowCount and truncated to the answer.',
  }),
})

export const batchRequest: z.ZodType = z.strictObject({
  statements: z.array(dataRequest).min(1).max(100),
})

export const dataResponse: z.ZodType = z.object({
  rows: z.array(z.unknown()).nullable(),
  columns: z.array(z.object({ name: z.string(), type: z.string() })).optional(),
  rowCount: z.int().nonnegative().optional(),
  truncated: z.boolean().optional(),
})

export const batchResponse: z.ZodType = z.object({ results: z.array(dataResponse) })

export const errorBody: z.ZodType = z.object({
  error: z.enum(Object.keys(errorStatuses) as ErrorCode[]),
  message: z.string().meta({ description: 'For people; may change at any time.' }),
  correlation_id: z.string().meta({ description: 'Also in X-Request-Id and in the log.' }),
  details: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({ description: 'In development mode only.' }),
})

const email = z.string().meta({ format: 'email' })
const password = z.string().min(8).meta({ format: 'password' })
const time = z.string().meta({ format: 'date-time' })

export const user: z.ZodType = z.object({
  id: z.string(),
  email,
  name: z.string().meta({ description: 'Empty when none was given.' }),
  emailVerified: z.boolean(),
  createdAt: time,
})

export const session: z.ZodType = z.object({
  token: z.string().meta({ description: 'To be sent as Authorization: Bearer <token>.' }),
  expiresAt: time,
})

export const sessionResponse: z.ZodType = z.object({ user, session })

export const currentSessionResponse: z.ZodType = z.object({
  user: z.object({
    id: z.string(),
    email: email.optional().meta({ description: 'Of a token made elsewhere: where it has one.' }),
    name: z.string().optional(),
    emailVerified: z.boolean(),
    createdAt: time.optional().meta({ description: 'Of an account.' }),
  }),
  session,
})

export const successResponse: z.ZodType = z.object({
  success: z.literal(true),
  message: z.string().optional(),
})

export const invitationResponse: z.ZodType = z.object({
  invitation: z.object({
    email,
    name: z.string().meta({ description: 'Empty when none was given.' }),
    expiresAt: time,
  }),
})

export const sessionsResponse: z.ZodType = z.object({
  sessions: z.array(
    z.object({
      id: z.string(),
      current: z.boolean(),
      createdAt: time,
      lastSeenAt: time,
      expiresAt: time,
      ip: z.string().nullable(),
      userAgent: z.string().nullable(),
    }),
  ),
})

export const signUpRequest: z.ZodType = z.object({ email, password, name: z.string().optional() })
export const signInRequest: z.ZodType = z.object({ email, password: z.string() })
export const emailRequest: z.ZodType = z.object({ email })
export const tokenRequest: z.ZodType = z.object({ token: z.string() })
export const resetPasswordRequest: z.ZodType = z.object({ token: z.string(), password })
export const acceptInvitationRequest: z.ZodType = z.object({
  token: z.string(),
  password,
  name: z.string().optional().meta({ description: 'Instead of the name in the invitation.' }),
})
export const changePasswordRequest: z.ZodType = z.object({
  currentPassword: z.string(),
  newPassword: password,
})

const columnNames = z.union([z.string(), z.array(z.string())])

export const schemaResponse: z.ZodType = z.object({
  connections: z.record(
    z.string(),
    z.object({
      type: z.string().meta({ examples: ['postgres', 'mysql', 'sqlite', 'csv'] }),
      tables: z.record(
        z.string(),
        z.object({
          columns: z.record(
            z.string(),
            z.object({
              type: z.string(),
              nullable: z.boolean(),
              hasDefault: z.boolean(),
              primaryKey: z.boolean(),
              identity: z.enum(['always', 'byDefault']).optional(),
              generated: z.literal(true).optional(),
            }),
          ),
          relationships: z.record(
            z.string(),
            z.object({
              table: z.string(),
              type: z.enum(['one-to-one', 'one-to-many', 'many-to-one', 'many-to-many']),
              from: columnNames,
              to: columnNames,
            }),
          ),
        }),
      ),
    }),
  ),
  actions: z
    .record(
      z.string(),
      z.object({
        input: z.record(z.string(), z.unknown()),
        output: z.record(z.string(), z.unknown()).optional(),
      }),
    )
    .optional(),
})

export const healthResponse: z.ZodType = z.object({
  status: z.enum(['live', 'ready', 'unavailable']),
  connections: z
    .record(z.string(), z.boolean())
    .optional()
    .meta({ description: 'By database, in development mode and on the internal port.' }),
})
