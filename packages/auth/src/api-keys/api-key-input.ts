import { GatewayError } from '@engine/core'
import { z } from 'zod'
import type { ApiKeyInput } from '../auth.ts'

/** The checked parts of a new key. */
export interface CheckedApiKeyInput {
  readonly name: string
  readonly roles: readonly string[]
  readonly fields: Readonly<Record<string, unknown>>
  readonly userId: string | undefined
  readonly expiresAtMs: number | undefined
}

const plainText = z
  .string()
  .refine((text) => text.isWellFormed() && !text.includes('\0'), { error: 'expects plain text' })

/** Maximum bytes of all `$user` fields as JSON. */
const maxFieldBytes = 4_096

const input = z.strictObject({
  name: plainText.min(1).max(200),
  roles: z.array(plainText.min(1).max(100)).max(100),
  fields: z
    .record(z.string().max(100), z.unknown())
    .refine((fields) => Buffer.byteLength(JSON.stringify(fields)) <= maxFieldBytes, {
      error: `expects at most ${maxFieldBytes} bytes of JSON`,
    })
    .default({}),
  userId: plainText.min(1).max(191).optional(),
  expiresAt: z.iso.datetime({ offset: true }).optional(),
})

/** @throws {GatewayError} `invalidInput` (400). */
export function checkApiKeyInput(value: ApiKeyInput, nowMs: number): CheckedApiKeyInput {
  const parsed = input.safeParse(value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const path = issue?.path.join('.') ?? ''
    throw new GatewayError('invalidInput', `${path || 'The API key'}: ${issue?.message}`)
  }
  const { name, roles, fields, userId, expiresAt } = parsed.data
  const expiresAtMs = expiresAt === undefined ? undefined : Date.parse(expiresAt)
  if (expiresAtMs !== undefined && expiresAtMs <= nowMs) {
    throw new GatewayError('invalidInput', 'expiresAt: expects a time to come')
  }
  return { name, roles: [...new Set(roles)], fields, userId, expiresAtMs }
}
