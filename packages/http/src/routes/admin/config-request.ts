/** @module Common parts of the routes for the configuration: revisions in headers, dry runs, errors with their details. */
import type { ErrorBody } from '@engine/contract'
import type { ChangeResult } from '@engine/contract/admin-api'
import { GatewayError } from '@engine/core'
import {
  type ConfigurationDocument,
  documentOf,
  type Fault,
  isOpenMode,
  maskSecrets,
  type Settings,
} from '@engine/core/server'
import { z } from 'zod'
import { isAllowedAddress } from '../../administrators/admin-access.ts'
import type { AdminConfiguration } from '../../interactive/admin-configuration.ts'
import type { ConfigurationChange } from '../../interactive/configuration-changes.ts'
import { newestOf } from '../../interactive/configuration-changes.ts'
import { readJson } from '../../request/read-body.ts'
import type { Call } from '../../route-handler.ts'
import type { AdminOptions } from './admin-options.ts'
import {
  type AdminRoute,
  type AnswerOf,
  jsonText,
  readQuery,
  recordedChange,
} from './admin-route.ts'

/** Maximum bytes of a configuration. */
const maxBytes = 4 * 1_024 * 1_024

export async function readDocument({ request }: Call): Promise<unknown> {
  return readJson(request, maxBytes)
}

/** @throws {GatewayError} `invalidValue` when a body is not an object. */
export function requireObject(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>
  }
  throw new GatewayError('invalidInput', 'The body: expects an object')
}

/** The document as it may be shown, with the number of its revision; undefined where code defines it. */
export async function shownDocument(options: AdminOptions): Promise<{
  readonly revision: number | undefined
  readonly document: ConfigurationDocument
}> {
  const { configuration, config } = options
  if (configuration === undefined) {
    return { revision: undefined, document: maskSecrets(documentOf(config())) }
  }
  const { revision, document } = await newestOf(configuration.configurations)
  return { revision, document: maskSecrets(document) }
}

export function shown<Value>(value: Value, revision: number | undefined): AnswerOf<Value> {
  const headers = revision === undefined ? {} : { ETag: `"${revision}"` }
  return jsonText(JSON.stringify(value), { headers })
}

/**
 * Answers errors with their details, also in production: only administrators get here. An error of a statement has `position`, the
 * character of its text, from 1 on.
 */
export function withDetails<Value>(route: AdminRoute<Value>): AdminRoute<Value> {
  return async (call, context) => {
    try {
      return await route(call, context)
    } catch (error) {
      if (!(error instanceof GatewayError) || error.status >= 500) throw error
      const { code, message, status } = error
      const position = error.position === undefined ? {} : { position: error.position }
      const details = { ...error.details, ...position }
      if (Object.keys(details).length === 0) throw error
      const body: ErrorBody = {
        error: code,
        message,
        correlation_id: call.correlationId,
        details,
      }
      return jsonText(JSON.stringify(body), { status })
    }
  }
}

/** @throws {GatewayError} `conflict` (409) where code defines the configuration, or it is read-only. */
export function requireChangeable({ configuration }: AdminOptions): AdminConfiguration {
  if (configuration === undefined) {
    throw new GatewayError('conflict', 'The configuration is defined in code.')
  }
  if (configuration.isReadOnly) {
    throw new GatewayError('conflict', 'The configuration is read-only: admin.readOnly is set.')
  }
  return configuration
}

/** Who changes, as they say: the master key is the same for all. */
const authorName = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u, 'expects printable characters')

const changeQuery = {
  author: authorName.default('admin'),
  via: z.enum(['admin', 'cli']).default('admin'),
  note: z.string().min(1).max(2_000).optional(),
  dryRun: z.enum(['true', 'false']).default('false'),
}

/** Names of the query string that a route has besides those of every change. */
export type MoreQuery = Readonly<Record<string, z.ZodType>>

/**
 * The revision that a change starts from, of `If-Match: "7"`; undefined for `*`.
 *
 * @throws {GatewayError} `preconditionRequired` (428) without the header, `invalidInput` (400) for any other text.
 */
function expectedRevision({ request }: Call): number | undefined {
  const header = request.headers.get('if-match')?.trim()
  if (header === undefined || header === '') {
    throw new GatewayError(
      'preconditionRequired',
      'Send If-Match with the ETag of the configuration that you have seen, or *.',
    )
  }
  if (header === '*') return undefined
  const number = /^(?:W\/)?"(\d{1,15})"$/.exec(header)?.[1]
  if (number === undefined) throw new GatewayError('invalidInput', 'If-Match: expects one ETag')
  return Number(number)
}

/** Makes a change, by `make`, and records it; a dry run changes and records nothing. */
export async function answerChange(
  options: AdminOptions,
  call: Call,
  action: string,
  make: (
    configuration: AdminConfiguration,
    change: Omit<ConfigurationChange, 'change'>,
  ) => Promise<ChangeResult>,
  more: MoreQuery = {},
): Promise<AnswerOf<ChangeResult>> {
  const configuration = requireChangeable(options)
  const query = readQuery(call, z.strictObject({ ...changeQuery, ...more })) as {
    readonly note?: string
    readonly author: string
    readonly via: 'admin' | 'cli'
    readonly dryRun: 'true' | 'false'
  }
  const isDryRun = query.dryRun === 'true'
  const change = {
    expected: expectedRevision(call),
    note: query.note ?? null,
    author: query.author,
    via: query.via,
    isDryRun,
    check: (settings: Settings) => lockouts(options, call, settings),
  }
  if (isDryRun) {
    const { revision, changes } = await make(configuration, change)
    return shown({ revision, changes, isDryRun: true }, revision)
  }
  return recordedChange(options, call, action, async () => {
    const { revision, changes } = await make(configuration, change)
    const said = {
      ...(change.author === 'admin' ? {} : { author: change.author }),
      ...(change.note === null ? {} : { note: change.note }),
    }
    const facts = { revision, ...said, changes }
    return { result: shown({ revision, changes }, revision), facts }
  })
}

/** Changes that an administrator cannot take back over HTTP, or that give everyone all rights. */
function lockouts(
  { engine }: AdminOptions,
  { client: { ip } }: Call,
  settings: Settings,
): readonly Fault[] {
  const faults: Fault[] = []
  if (!isAllowedAddress(settings.security, ip)) {
    faults.push({
      path: 'security.adminIpAllowlist',
      message: `does not contain ${ip}, from where this request comes: it would be the last one`,
    })
  }
  if (isOpenMode(settings) && !engine.isOpen && !settings.open) {
    faults.push({
      path: 'permissions',
      message: 'without auth, no permissions at all would give everyone all rights',
    })
  }
  return faults
}
