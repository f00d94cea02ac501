/** @module The history of a stored configuration. */
import { maskSecrets } from '@engine/core/server'
import { z } from 'zod'
import type { AdminOptions } from './admin-options.ts'
import { type AddRoutes, notFound, pathParameter, readQuery } from './admin-route.ts'
import { answerChange, shown, withDetails } from './config-request.ts'

const pageInput = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  before: z.coerce.number().int().min(1).optional(),
})

/** @throws {GatewayError} `notFound` for any text but a number. */
function numberOf(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw notFound('revision')
  return Number(text)
}

export function addRevisionRoutes(add: AddRoutes, options: AdminOptions): void {
  const { configuration } = options
  add('/admin/api/config/revisions', {
    GET: async (call) => {
      const { limit, before } = readQuery(call, pageInput)
      if (configuration === undefined) return shown({ revisions: [], next: null }, undefined)
      const { configurations } = configuration
      const revisions = await configurations.list({ limit, before })
      const last = revisions.at(-1)?.revision
      const next = last === undefined || revisions.length < limit || last === 1 ? null : last
      return shown({ revisions, next }, undefined)
    },
  })
  add('/admin/api/config/revisions/:number', {
    GET: async (call, context) => {
      readQuery(call, z.strictObject({}))
      const number = numberOf(pathParameter(context, 'number'))
      const revision = await configuration?.configurations.revision(number)
      if (revision === undefined) throw notFound('revision')
      return shown({ ...revision, document: maskSecrets(revision.document) }, undefined)
    },
  })
  add('/admin/api/config/revisions/:number/undo', {
    POST: withDetails(async (call, context) => {
      const number = numberOf(pathParameter(context, 'number'))
      return answerChange(options, call, 'config-undone', ({ changes }, change) =>
        changes.undo(number, change),
      )
    }),
  })
}
