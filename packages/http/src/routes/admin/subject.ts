/** @module The caller as which an administrator runs, explains and simulates statements. */

import { admin, anonymous, type Caller, GatewayError } from '@engine/core'
import {
  type CredentialOwner,
  type ImpersonatedCaller,
  isEntryId,
  recordDenial,
} from '@engine/core/server'
import { z } from 'zod'
import type { Call } from '../../route-handler.ts'
import type { AdminOptions } from './admin-options.ts'
import { adminOrigin, notFound } from './admin-route.ts'
import { ownerIn } from './recorded-owner.ts'

const id = z
  .string()
  .min(1)
  .max(191)
  .refine((text) => text.isWellFormed() && !text.includes('\0'), { error: 'is no id' })

const values = z.record(z.string(), z.unknown())

const described = z.strictObject({
  id: z.string().max(191).optional(),
  roles: z.array(z.string().max(100)).max(100).default([]),
  fields: values.default({}),
})

/** Whom an administrator names. */
type As =
  | 'admin'
  | 'anonymous'
  | { readonly user: string; readonly claims?: Values | undefined }
  | { readonly apiKey: string }
  | { readonly entry: string }
  | { readonly id?: string | undefined; readonly roles: readonly string[]; readonly fields: Values }

type Values = Readonly<Record<string, unknown>>

const asInput: z.ZodType<As> = z.union([
  z.enum(['admin', 'anonymous']),
  z.strictObject({ user: id, claims: values.optional() }),
  z.strictObject({ apiKey: id }),
  z.strictObject({ entry: z.string().refine(isEntryId, { error: 'expects the id of an entry' }) }),
  described,
])

/** `as`: a name, a user, an API key, the caller of an audit entry, or a description; `token`: the token of a caller. One of the two. */
export const subjectInput: {
  readonly as: z.ZodOptional<z.ZodType<As>>
  readonly token: z.ZodOptional<z.ZodString>
} = {
  as: asInput.optional(),
  token: z.string().min(1).max(8_192).optional(),
}

type SubjectInput = z.infer<z.ZodObject<typeof subjectInput>>

export interface Subject {
  readonly caller: Caller
  /** Its fields and roles depend on the claims of a token, and these are not known. */
  readonly mayLackClaims: boolean
  /** What the audit says about it. */
  readonly facts: Readonly<Record<string, unknown>>
}

type Provider = Pick<AdminOptions, 'provider' | 'audit'>

/**
 * Finds the caller as the provider does for a credential: with the state of the account, the row of the user table and
 * `resolveSession`. A description is taken as it is.
 *
 * @throws {GatewayError} `invalidInput` (400), `notFound` (404); errors of the provider, with `details.subject`: the refusal is that of
 *   the subject, and recorded as the administrator's.
 */
export async function subjectOf(
  { as, token }: SubjectInput,
  options: Provider,
  call: Call,
): Promise<Subject> {
  if ((as === undefined) === (token === undefined)) {
    throw new GatewayError('invalidInput', 'Say as whom: either "as" or "token".')
  }
  if (token !== undefined) {
    const authenticated = () => options.provider?.authenticate(token, call.client)
    const found = await orRefused(options, call, undefined, async () => authenticated())
    return subject(found?.caller ?? anonymous, { by: 'token' })
  }
  if (as === undefined || typeof as === 'string') return subject(as === 'admin' ? admin : anonymous)
  if ('entry' in as) return recordedSubject(as.entry, options, call)
  if ('user' in as) {
    return owned({ kind: 'user', id: as.user, claims: as.claims }, options, call, { by: 'user' })
  }
  if ('apiKey' in as) {
    return owned({ kind: 'apiKey', id: as.apiKey }, options, call, { by: 'apiKey' })
  }
  const { id: described = '', roles, fields } = as
  const known = described === '' ? fields : { ...fields, id: described }
  return subject({ kind: 'user', id: described, roles, fields: known }, { by: 'description' })
}

/** How the administrator named the caller. */
interface Naming {
  readonly by?: 'user' | 'apiKey' | 'entry' | 'token' | 'description'
  readonly entry?: string
}

function subject(caller: Caller, naming: Naming = {}, mayLackClaims = false): Subject {
  return { caller, mayLackClaims, facts: { ...asFacts(caller), ...naming } }
}

/** What is said about a caller. */
export function asFacts(caller: Caller): ImpersonatedCaller {
  const { kind, roles } = caller
  return kind === 'user' ? { kind, id: caller.id, roles } : { kind, roles }
}

async function owned(
  owner: CredentialOwner,
  options: Provider,
  call: Call,
  naming: Naming,
): Promise<Subject> {
  const impersonate = options.provider?.impersonate?.bind(options.provider)
  if (impersonate === undefined) {
    throw new GatewayError(
      'invalidInput',
      'as: callers are known by their credentials alone here. Send a token instead.',
    )
  }
  const refused = { kind: 'user', id: owner.id, roles: [] } as const
  const found = await orRefused(options, call, refused, () => impersonate(owner))
  return subject(found.caller, naming, found.mayLackClaims)
}

/** The caller that the owner of the recorded credential is now. */
async function recordedSubject(id: string, options: Provider, call: Call): Promise<Subject> {
  const entry = await options.audit.find(id)
  if (entry === undefined) throw notFound('entry of the audit')
  const naming = { by: 'entry', entry: id } as const
  const owner = ownerIn(entry)
  if (owner === undefined) throw notFound('caller: the entry does not name one')
  if (owner.kind === 'admin') {
    throw new GatewayError('invalidInput', 'as: full rights are asked for by name: send "admin".')
  }
  if (owner.kind === 'anonymous') return subject(anonymous, naming)
  const { apiKey, user } = owner
  if (apiKey !== undefined) {
    try {
      return await owned({ kind: 'apiKey', id: apiKey }, options, call, naming)
    } catch (error) {
      // Then it is the id of a session.
      const isKey = !(error instanceof GatewayError && error.problem === 'notFound')
      if (isKey || user === undefined) throw error
    }
  }
  if (user === undefined) throw notFound('caller: the entry does not name one')
  return owned({ kind: 'user', ...user }, options, call, naming)
}

/** Runs a step that can refuse the subject as it would refuse the owner's request. */
async function orRefused<Result>(
  { audit }: Provider,
  call: Call,
  as: ImpersonatedCaller | undefined,
  step: () => Promise<Result>,
): Promise<Result> {
  try {
    return await step()
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    const { problem, message, sqlState } = error
    const refusal = new GatewayError(problem, message, {
      cause: error,
      details: { ...error.details, subject: as?.id ?? 'token' },
      ...(sqlState === undefined ? {} : { sqlState }),
    })
    const origin = { ...adminOrigin(call), as }
    if (audit.isEnabled) await recordDenial(audit, refusal, { origin })
    throw refusal
  }
}
