/** @module The caller as which a statement is explained or simulated. */

import { admin, anonymous, type Caller, GatewayError } from '@engine/core'
import type { AuthProvider } from '@engine/core/server'
import { z } from 'zod'
import type { Call } from '../../route-handler.ts'

interface Described {
  readonly id?: string | undefined
  readonly roles: readonly string[]
  readonly fields: Readonly<Record<string, unknown>>
}

const described: z.ZodType<Described> = z.strictObject({
  id: z.string().max(191).optional(),
  roles: z.array(z.string().max(100)).max(100).default([]),
  fields: z.record(z.string(), z.unknown()).default({}),
})

/** `as`: a name or a description; `token`: the token of a caller. One of the two. */
export const subjectInput: {
  readonly as: z.ZodOptional<z.ZodType<'admin' | 'anonymous' | Described>>
  readonly token: z.ZodOptional<z.ZodString>
} = {
  as: z.union([z.enum(['admin', 'anonymous']), described]).optional(),
  token: z.string().min(1).max(8_192).optional(),
}

type SubjectInput = z.infer<z.ZodObject<typeof subjectInput>>

/**
 * A token is processed like the tokens of requests, including roles and fields of the user's row.
 *
 * @throws {GatewayError} `invalidInput` (400); errors of the provider.
 */
export async function callerOf(
  { as, token }: SubjectInput,
  provider: AuthProvider | undefined,
  { client }: Call,
): Promise<Caller> {
  if ((as === undefined) === (token === undefined)) {
    throw new GatewayError('invalidInput', 'Say as whom: either "as" or "token".')
  }
  if (token !== undefined) {
    if (provider === undefined) return anonymous
    return (await provider.authenticate(token, client)).caller
  }
  if (as === 'admin') return admin
  if (as === 'anonymous' || as === undefined) return anonymous
  const { id, roles, fields } = as
  return {
    kind: 'user',
    id: id ?? '',
    roles,
    fields: id === undefined ? fields : { ...fields, id },
  }
}

/** The facts about it for the audit. */
export function subjectFacts({ kind, roles }: Caller): Readonly<Record<string, unknown>> {
  return { kind, roles }
}
