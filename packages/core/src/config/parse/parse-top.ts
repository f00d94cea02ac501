/** @module The options at the top of a configuration; sections with a file of their own are parsed there. */
import { z } from 'zod'
import type { Faults } from '../../foundation/faults.ts'
import { type DescribedOption, describeOptions } from '../describe/describe-options.ts'
import type { JwtSettings } from '../settings/auth-settings.ts'
import type { Settings } from '../settings/settings.ts'
import { checked } from './config-issues.ts'
import { serverUrl } from './config-values.ts'
import { serviceDatabaseSource } from './connection-source.ts'
import { algorithm } from './parse-auth.ts'
import { internalInput, logInput, masterKeyInput, metricsInput } from './parse-operations.ts'

const topInput = z.strictObject({
  mode: z.enum(['programmatic', 'interactive']).default('programmatic'),
  service_db: serverUrl
    .refine((url) => serviceDatabaseSource(url) !== undefined, {
      error: 'expects the path of a SQLite file, or a URL of SQLite, libSQL, PostgreSQL or MySQL',
    })
    .optional(),
  masterKey: masterKeyInput.optional(),
  admin: z.strictObject({ readOnly: z.boolean().default(false) }).prefault({}),
  connections: z.unknown().optional(),
  defaultConnection: z.string().optional(),
  auth: z.unknown().optional(),
  open: z.boolean().default(false),
  jwt: z
    .strictObject({
      algorithms: z.array(algorithm).min(1).optional(),
      issuer: z.string().min(1).optional(),
      audience: z.string().min(1).optional(),
      clockSkewSeconds: z.number().nonnegative().max(300).optional(),
    })
    .optional(),
  permissions: z.unknown().optional(),
  channels: z.unknown().optional(),
  limits: z.unknown().optional(),
  actions: z.unknown().optional(),
  audit: z.unknown().optional(),
  security: z.unknown().optional(),
  schemaEndpoint: z.unknown().optional(),
  pgWire: z.unknown().optional(),
  internal: internalInput.optional(),
  metrics: metricsInput.optional(),
  log: logInput,
})

/** The options at the top. */
export function topOptions(): readonly DescribedOption[] {
  return describeOptions(topInput, '')
}

/** Top options that need no section of their own. */
export interface TopOptions extends Pick<Settings, 'mode' | 'admin' | 'open' | 'log'> {
  readonly service_db?: string | undefined
  readonly masterKey?: string | undefined
  readonly defaultConnection?: string | undefined
  readonly jwt?:
    | Readonly<Partial<{ [K in keyof JwtSettings]: JwtSettings[K] | undefined }>>
    | undefined
  readonly internal?: Settings['internal']
  readonly metrics?: { readonly enabled?: boolean | undefined } | undefined
}

/** @returns undefined when there are faults. */
export function parseTop(input: unknown, faults: Faults): TopOptions | undefined {
  return checked(topInput, input, '', faults)
}
