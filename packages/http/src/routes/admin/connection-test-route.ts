/** @module Tries a connection before it is saved, and lists what depends on it. */

import type { FoundSchema } from '@engine/contract/admin-api'
import { GatewayError } from '@engine/core'
import { documentOf, restoreSecrets } from '@engine/core/server'
import { z } from 'zod'
import { newestOf } from '../../interactive/configuration-changes.ts'
import type { AdminOptions } from './admin-options.ts'
import {
  type AddRoutes,
  json,
  notFound,
  pathParameter,
  readBody,
  readQuery,
  recordedChange,
} from './admin-route.ts'
import { requireChangeable, withDetails } from './config-request.ts'
import { dependantsOf } from './connection-dependants.ts'

const testInput = z.strictObject({ connection: z.unknown().optional() })

export function addConnectionTestRoute(add: AddRoutes, options: AdminOptions): void {
  add('/admin/api/config/connections/:name/dependants', {
    GET: async (call, context) => {
      readQuery(call, z.strictObject({}))
      const config = options.config()
      const document = documentOf(config)
      const name = pathParameter(context, 'name')
      if (!Object.hasOwn(config.connections, name)) throw notFound('connection')
      return json(dependantsOf(document, name, config))
    },
  })
  add('/admin/api/config/connections/:name/test', {
    POST: withDetails(async (call, context) => {
      const { configurations, testConnection } = requireChangeable(options)
      readQuery(call, z.strictObject({}))
      const { connection: given } = await readBody(call, testInput)
      const name = pathParameter(context, 'name')
      const { document: stored } = await newestOf(configurations)
      const known = stored.connections as Readonly<Record<string, unknown>> | undefined
      const value = given ?? (known && Object.hasOwn(known, name) ? known[name] : undefined)
      if (value === undefined) throw notFound('connection')
      const { document, faults } = restoreSecrets({ connections: { [name]: value } }, stored)
      if (faults.length > 0) {
        throw new GatewayError('invalidValue', 'The connection is not complete.', {
          details: { faults },
        })
      }
      const connections = document.connections as Readonly<Record<string, unknown>>
      return recordedChange(options, call, 'connection-tested', async () => {
        const result = await tried(() => testConnection(name, connections[name]))
        const { isUp, durationMs, error } = result
        const schemas = isUp ? await schemasOf(connections[name], result.kind, options) : undefined
        const found = { ...result, schemas: schemas ?? null }
        return { result: json(found), facts: { connection: name, isUp, durationMs, error } }
      })
    }),
  })
}

/** @returns undefined for a database without schemas. */
async function schemasOf(
  connection: unknown,
  kind: string,
  { findSchemas }: AdminOptions,
): Promise<readonly FoundSchema[] | undefined> {
  if (kind !== 'postgres' || findSchemas === undefined) return undefined
  const isObject = typeof connection === 'object' && connection !== null
  const url = isObject ? (connection as { readonly url?: unknown }).url : connection
  return typeof url === 'string' ? await findSchemas(url) : undefined
}

/** @throws {GatewayError} `invalidValue` (422) for what is no connection. */
async function tried<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof GatewayError) || error.problem !== 'invalidConfiguration') throw error
    throw new GatewayError('invalidValue', error.message, { details: error.details ?? {} })
  }
}
