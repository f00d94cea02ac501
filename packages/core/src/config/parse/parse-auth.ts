import { z } from 'zod'
import type { Faults } from '../../foundation/faults.ts'
import { isPlainObject } from '../../foundation/plain-object.ts'
import { type DescribedOption, describeOptions } from '../describe/describe-options.ts'
import type { EmailConfig, PasswordConfig, ResolveSession } from '../options/auth-config.ts'
import type { AuthSettings, IssuerSettings, Rate } from '../settings/auth-settings.ts'
import { checked } from './config-issues.ts'
import { claimPath, duration, secret, urlOf } from './config-values.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const algorithmNames = ['HS256', 'RS256', 'ES256', 'EdDSA'] as const

/** The supported signature algorithms. */
export const algorithm: z.ZodType<string> = z.enum(algorithmNames, {
  error: `expects one of ${algorithmNames.join(', ')}`,
})

const rate: z.ZodType<Rate> = z
  .tuple([z.int().positive().max(1_000_000), duration(1_000, 30 * day)])
  .transform(([limit, periodMs]) => ({ limit, periodMs }))

const userTable = z
  .strictObject({
    table: z.string().regex(/^[a-z][a-z0-9_]*\..+$/, 'expects <connection>.<table>'),
    matchOn: z.strictObject({ column: z.string().min(1), jwtField: z.string().min(1) }).optional(),
    columns: z.array(z.string().min(1)).optional(),
    passwordColumn: z.string().min(1).optional(),
    linkByEmail: z.boolean().default(false),
  })
  .transform(({ table, matchOn, columns = [], passwordColumn, linkByEmail }) => ({
    connection: table.slice(0, table.indexOf('.')),
    table: table.slice(table.indexOf('.') + 1),
    matchOn,
    columns,
    passwordColumn,
    linkByEmail,
  }))

function isFunction(value: unknown): boolean {
  return typeof value === 'function'
}

const issuer = z
  .strictObject({
    issuer: z.string().min(1),
    audience: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]).optional(),
    jwksUri: z.url({ protocol: /^https?$/ }).optional(),
    jwks: z.object({ keys: z.array(z.record(z.string(), z.unknown())).min(1) }).optional(),
    publicKey: z.string().includes('-----BEGIN').optional(),
    secret: secret.optional(),
    algorithms: z.array(algorithm).min(1).optional(),
    tokenTypes: z
      .array(z.string().regex(/^[!-~]+$/))
      .min(1)
      .default(['JWT']),
    roles: z
      .strictObject({
        claim: z.string().min(1).default('roles'),
        default: z.array(z.string().min(1)).default([]),
      })
      .prefault({}),
    linkByEmail: z.boolean().optional(),
  })
  .transform((input, context): IssuerSettings => {
    const sources = [
      input.jwksUri === undefined ? undefined : { from: 'url' as const, url: input.jwksUri },
      input.jwks && { from: 'jwks' as const, keys: input.jwks.keys },
      input.publicKey === undefined
        ? undefined
        : { from: 'publicKey' as const, pem: input.publicKey },
      input.secret === undefined ? undefined : { from: 'secret' as const, secret: input.secret },
    ].filter((source) => source !== undefined)
    const [keys] = sources
    if (keys === undefined || sources.length > 1) {
      context.addIssue({
        code: 'custom',
        message: 'expects exactly one of jwksUri, jwks, publicKey, secret',
      })
      return z.NEVER
    }
    if (keys.from === 'publicKey' && input.algorithms?.length !== 1) {
      context.addIssue({ code: 'custom', message: 'a publicKey needs one algorithm in algorithms' })
      return z.NEVER
    }
    const isForeign = (name: string) => (name === 'HS256') !== (keys.from === 'secret')
    if (input.algorithms?.some(isForeign)) {
      context.addIssue({
        code: 'custom',
        message: 'HS256 goes with a secret, the others with keys',
      })
      return z.NEVER
    }
    return {
      issuer: input.issuer,
      audiences: input.audience === undefined ? [] : [input.audience].flat(),
      keys,
      algorithms: input.algorithms,
      tokenTypes: input.tokenTypes.map((type) => type.toLowerCase().replace(/^application\//, '')),
      rolesClaim: claimPath(input.roles.claim),
      defaultRoles: input.roles.default,
      linkByEmail: input.linkByEmail ?? false,
    }
  })

const template = z.custom<NonNullable<EmailConfig['templates']>['verifyEmail']>(isFunction, {
  error: 'expects a function',
})

const authInput = z
  .strictObject({
    secret: z.union([secret, z.array(secret).min(1)]).optional(),
    userTable: userTable.optional(),
    emailVerification: z.boolean().default(false),
    session: z
      .strictObject({
        expiresIn: duration(1_000, 365 * day).default(day),
        refreshWindow: duration(0, 365 * day).default(12 * hour),
        absolute: duration(1_000, 3_650 * day).optional(),
        maxAge: duration(1_000, 3_650 * day).optional(),
        maxPerUser: z.int().positive().max(10_000).default(100),
        cacheTtl: duration(0, 5_000).default(0),
      })
      .refine(({ absolute, maxAge }) => absolute === undefined || maxAge === undefined, {
        path: ['maxAge'],
        error: 'is another name of absolute: expects one of them',
      })
      .prefault({}),
    password: z
      .strictObject({
        minLength: z.int().min(8).max(128).default(8),
        memoryKib: z.int().min(19_456).max(1_048_576).default(19_456),
        iterations: z.int().min(2).max(100).default(2),
        pepper: secret.optional(),
        isBreached: z
          .custom<NonNullable<PasswordConfig['isBreached']>>(isFunction, {
            error: 'expects a function',
          })
          .optional(),
      })
      .prefault({}),
    signUp: z
      .strictObject({
        enabled: z.boolean().default(true),
        concealExisting: z.boolean().default(false),
        allowUtf8Email: z.boolean().default(false),
      })
      .prefault({}),
    email: z
      .strictObject({
        smtp: z.union([urlOf(/^smtps?$/), z.record(z.string(), z.unknown())]).optional(),
        from: z
          .string()
          .regex(
            /^[^\r\n]*[^\s<@]@[^\s>@]+>?$/,
            'expects an address such as "Shop <no-reply@example.com>"',
          )
          .optional(),
        productName: z.string().min(1).max(100).optional(),
        mailbox: z.boolean().optional(),
        templates: z
          .strictObject({
            verifyEmail: template.optional(),
            resetPassword: template.optional(),
            passwordChanged: template.optional(),
            accountExists: template.optional(),
            invitation: template.optional(),
          })
          .optional(),
      })
      .refine(({ smtp, mailbox }) => smtp === undefined || mailbox !== true, {
        path: ['mailbox'],
        error: 'shows mails that are not sent: expects no smtp beside it',
      })
      .prefault({}),
    urls: z
      .strictObject({
        reset: z.url({ protocol: /^https?$/ }).optional(),
        verify: z.url({ protocol: /^https?$/ }).optional(),
        invite: z.url({ protocol: /^https?$/ }).optional(),
      })
      .prefault({}),
    throttle: z
      .union([
        z.literal(false),
        z
          .strictObject({
            signInPerIp: rate.default({ limit: 60, periodMs: 5 * minute }),
            signInFailuresPerAccountAndIp: rate.default({ limit: 10, periodMs: 15 * minute }),
            signInFailuresPerAccount: rate.default({ limit: 50, periodMs: hour }),
            signUpPerIp: rate.default({ limit: 20, periodMs: 10 * minute }),
            forgotPasswordPerEmail: rate.default({ limit: 3, periodMs: 15 * minute }),
            forgotPasswordPerIp: rate.default({ limit: 20, periodMs: 15 * minute }),
            tokenFailuresPerIp: rate.default({ limit: 20, periodMs: 15 * minute }),
          })
          .prefault({}),
      ])
      .prefault({}),
    roles: z
      .strictObject({
        default: z.array(z.string().min(1)).default(['user']),
        claim: z.string().min(1).default('roles'),
        inToken: z.boolean().default(false),
      })
      .prefault({}),
    issuers: z.array(issuer).default([]),
    resolveSession: z
      .custom<ResolveSession>(isFunction, { error: 'expects a function' })
      .optional(),
  })
  .refine((auth) => !auth.signUp.concealExisting || auth.emailVerification, {
    path: ['signUp', 'concealExisting'],
    error: 'needs emailVerification',
  })
  .refine((auth) => auth.userTable?.linkByEmail !== true || auth.emailVerification, {
    path: ['userTable', 'linkByEmail'],
    error: 'needs emailVerification',
  })

/** All options of the built-in provider. */
export function authOptions(): readonly DescribedOption[] {
  return describeOptions(authInput, 'auth')
}

/** Options of the built-in provider. @returns undefined in open mode, or when there are faults. */
export function parseAuth(input: unknown, faults: Faults): AuthSettings | undefined {
  if (input === undefined) return undefined
  if (!isPlainObject(input)) {
    faults.add('auth', 'expects options, or a provider with authenticate()')
    return undefined
  }
  const parsed = checked(authInput, input, 'auth', faults)
  if (parsed === undefined) return undefined
  const { session, password, urls, roles, throttle, email } = parsed
  return {
    secrets: parsed.secret === undefined ? [] : [parsed.secret].flat(),
    userTable: parsed.userTable,
    emailVerification: parsed.emailVerification,
    session: {
      expiresInMs: session.expiresIn,
      refreshWindowMs: session.refreshWindow,
      absoluteMs: session.absolute ?? session.maxAge ?? 30 * day,
      maxPerUser: session.maxPerUser,
      cacheTtlMs: session.cacheTtl,
    },
    password: { ...password, pepper: password.pepper, isBreached: password.isBreached },
    signUp: parsed.signUp,
    email: email as EmailConfig,
    urls: { reset: urls.reset, verify: urls.verify, invite: urls.invite },
    throttle: throttle === false ? undefined : throttle,
    roles: { default: roles.default, claim: claimPath(roles.claim), inToken: roles.inToken },
    issuers: parsed.issuers,
    resolveSession: parsed.resolveSession,
  }
}
