/** @module The schemas of the OpenAPI document of `/admin/api`. */
import { documentParts } from '@engine/core/server'
import type { Json } from './components.ts'

export const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })

export const anything: Json = {}

export const text: Json = { type: 'string' }
const numberOrNull: Json = { type: ['integer', 'null'] }
const textOrNull: Json = { type: ['string', 'null'] }
const names: Json = { type: 'array', items: text }
const flagOrNull: Json = { type: ['boolean', 'null'] }

const object = (properties: Readonly<Record<string, Json>>): Json => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})

const summary = {
  revision: { type: 'integer' },
  at: { type: 'string', format: 'date-time' },
  author: text,
  via: text,
  note: textOrNull,
  changes: { type: 'array', items: reference('Change') },
} as const

export const schemas: Json = {
  ConfigurationDocument: {
    type: 'object',
    description: 'Options in the form of a configuration file; `actions` holds { enabled, roles }.',
    properties: Object.fromEntries(documentParts.map((part) => [part, anything])),
    additionalProperties: false,
  },
  Change: {
    type: 'object',
    properties: { path: text, before: anything, after: anything, isSecret: { const: true } },
    required: ['path'],
  },
  ChangeResult: {
    type: 'object',
    properties: { revision: summary.revision, changes: summary.changes, isDryRun: { const: true } },
    required: ['revision', 'changes'],
  },
  Revision: object({ ...summary, document: reference('ConfigurationDocument') }),
  Revisions: object({ revisions: { type: 'array', items: object(summary) }, next: numberOrNull }),
  ConnectionTest: object({
    isUp: { type: 'boolean' },
    kind: text,
    version: textOrNull,
    user: textOrNull,
    isSuperuser: flagOrNull,
    tables: numberOrNull,
    canRead: flagOrNull,
    canWrite: flagOrNull,
    isEncrypted: flagOrNull,
    durationMs: { type: 'integer' },
    error: {
      oneOf: [{ type: 'null' }, object({ code: text, message: text, hint: text })],
    },
    schemas: {
      oneOf: [
        { type: 'null' },
        { type: 'array', items: object({ name: text, tables: { type: 'integer' } }) },
      ],
    },
  }),
  SettingsInForce: object({
    options: {
      type: 'array',
      items: object({
        path: text,
        value: anything,
        source: { enum: ['stored', 'code', 'built-in'] },
        code: anything,
        builtIn: anything,
        isFixed: { type: 'boolean' },
      }),
    },
    actions: {
      type: 'array',
      items: object({
        name: text,
        description: textOrNull,
        isEnabled: { type: 'boolean' },
        roles: names,
        source: { enum: ['stored', 'code'] },
        codeRoles: names,
      }),
    },
  }),
  Differences: object({ changes: summary.changes }),
  WireConnections: object({
    isServed: { type: 'boolean' },
    connections: {
      type: 'array',
      items: object({
        id: { type: 'integer', description: 'As pg_backend_pid() answers it.' },
        caller: text,
        roles: names,
        credentialId: textOrNull,
        ip: textOrNull,
        isEncrypted: { type: 'boolean' },
        applicationName: text,
        state: { enum: ['idle', 'active', 'idleInTransaction'] },
        since: { type: 'string', format: 'date-time' },
        startedAt: { type: 'string', format: 'date-time' },
        statement: textOrNull,
        correlationId: text,
      }),
    },
  }),
  Error: {
    type: 'object',
    properties: {
      error: text,
      message: text,
      correlation_id: text,
      details: {
        type: 'object',
        description:
          '422: `faults` with `path` and `message`. 409: `revision` and `changes` of others, `dependants`, or `paths`.',
      },
    },
    required: ['error', 'message', 'correlation_id'],
  },
}
