/** @module Audit, network security and operation, checked section by section. */
import { z } from 'zod'
import type { Faults } from '../../foundation/faults.ts'
import { type DescribedOption, describeOptions } from '../describe/describe-options.ts'
import { type OptionDefault, optionDefaults } from '../describe/option-defaults.ts'
import type { MetricsConfig } from '../options/operations-config.ts'
import type {
  AuditSettings,
  SchemaEndpointSettings,
  SecuritySettings,
} from '../settings/operations-settings.ts'
import type { Settings } from '../settings/settings.ts'
import { checked } from './config-issues.ts'
import { cidr, duration, headerSecret } from './config-values.ts'

const day = 86_400_000

const port = z.int().min(0).max(65_535)

const auditInput = z
  .strictObject({
    enabled: z.boolean().default(false),
    logQuery: z.boolean().default(true),
    logParams: z.boolean().default(false),
    logDuration: z.boolean().default(true),
    logUser: z.boolean().default(true),
    logDenied: z.boolean().default(true),
    logAdminActions: z.boolean().default(true),
    retention: duration(1_000, 36_500 * day).prefault('90d'),
    piiRedaction: z.boolean().default(true),
    logSink: z.boolean().default(false),
  })
  .prefault({})

/** The options of `audit`, with defaults for missing ones. */
export function parseAudit(input: unknown, faults: Faults): AuditSettings | undefined {
  const parsed = checked(auditInput, input, 'audit', faults)
  if (parsed === undefined) return undefined
  const { retention, ...rest } = parsed
  return { ...rest, retentionMs: retention }
}

const headerValue = z.string().regex(/^[ -~]*$/, 'expects printable ASCII characters')

/** Headers that describe an answer or decide who may read it: options cannot change them. */
const ownHeaders =
  /^(access-control-.*|allow|cache-control|connection|content-(type|length|encoding|range)|date|etag|keep-alive|location|ratelimit.*|retry-after|set-cookie|te|trailer|transfer-encoding|upgrade|vary|www-authenticate|x-request-id)$/i

const headerName = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'is no header name')
  .refine((name) => !ownHeaders.test(name), { error: 'is a header that the server sets itself' })

/** The origin of an app may have a scheme of its own, such as `capacitor://localhost`; there are no patterns. */
function isOrigin(text: string): boolean {
  if (text === '*') return true
  if (!URL.canParse(text)) return false
  const { protocol, host } = new URL(text)
  return host !== '' && !host.includes('*') && text === `${protocol}//${host}`
}

/** Allows only the admin UI's own content. */
const strictPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

const securityInput = z
  .strictObject({
    cors: z
      .strictObject({
        origin: z
          .array(
            z
              .string()
              .refine(isOrigin, { error: 'expects an origin such as "https://app.example.com"' }),
          )
          .min(1),
        credentials: z.boolean().default(false),
        maxAge: z.int().nonnegative().default(600),
      })
      .refine((cors) => !(cors.credentials && cors.origin.includes('*')), {
        path: ['credentials'],
        error: 'not together with the origin *',
      })
      .refine((cors) => cors.origin.length === 1 || !cors.origin.includes('*'), {
        path: ['origin'],
        error: '* stands alone',
      })
      .optional(),
    csp: headerValue.min(1).default(strictPolicy),
    adminIpAllowlist: z.array(cidr).default(['127.0.0.0/8', '::1/128']),
    trustProxy: z.union([z.array(cidr), z.int().min(0).max(16)]).default([]),
    headers: z.record(headerName, headerValue).default({}),
  })
  .prefault({})

/** The options of `security`, with defaults for missing ones. */
export function parseSecurity(input: unknown, faults: Faults): SecuritySettings | undefined {
  const parsed = checked(securityInput, input, 'security', faults)
  if (parsed === undefined) return undefined
  const { cors, ...rest } = parsed
  return {
    ...rest,
    cors: cors && {
      origins: cors.origin,
      credentials: cors.credentials,
      maxAgeSeconds: cors.maxAge,
    },
  }
}

const schemaEndpointInput = z
  .union([
    z.boolean(),
    z.strictObject({ enabled: z.boolean().default(false), token: headerSecretLike().optional() }),
  ])
  .default(false)

/** The SPEC sets no minimum length for this secret; it must still be valid in a header. */
function headerSecretLike(): z.ZodType<string> {
  return z.string().regex(/^[!-~]([ -~]*[!-~])?$/, 'expects printable ASCII characters')
}

/** The options of `schemaEndpoint`. */
export function parseSchemaEndpoint(
  input: unknown,
  faults: Faults,
): SchemaEndpointSettings | undefined {
  const parsed = checked(schemaEndpointInput, input, 'schemaEndpoint', faults)
  if (parsed === undefined) return undefined
  if (typeof parsed === 'boolean') return { enabled: parsed, token: undefined }
  return { enabled: parsed.enabled, token: parsed.token }
}

/** All options of audit, security and the schema endpoint. */
export function operationOptions(): readonly DescribedOption[] {
  return [
    ...describeOptions(auditInput, 'audit'),
    ...describeOptions(securityInput, 'security'),
    ...describeOptions(schemaEndpointInput, 'schemaEndpoint'),
  ]
}

/** The same options with their defaults, as a configuration file has them. */
export function operationDefaults(): readonly OptionDefault[] {
  return [
    ...optionDefaults(securityInput, 'security'),
    ...optionDefaults(auditInput, 'audit'),
    ...optionDefaults(schemaEndpointInput, 'schemaEndpoint'),
  ]
}

/** The port of health and metrics, separate from the public one. */
export const internalInput: z.ZodType<NonNullable<Settings['internal']>> = z.strictObject({
  port,
  host: z.string().min(1).default('127.0.0.1'),
})

export const metricsInput: z.ZodType<MetricsConfig> = z.strictObject({
  enabled: z.boolean().optional(),
}) as z.ZodType<MetricsConfig>

export const logInput: z.ZodType<Settings['log']> = z
  .strictObject({
    level: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
    requests: z.boolean().default(false),
  })
  .prefault({})

export const masterKeyInput: z.ZodType<string> = headerSecret
