/** @module The whole configuration: read, change, export, import. */
import { patchDocument, redactConfig } from '@engine/core/server'
import { z } from 'zod'
import { adminDocument } from '../../openapi/admin-document.ts'
import { mountOf } from '../../request/base-path.ts'
import type { AdminOptions } from './admin-options.ts'
import { type AddRoutes, readQuery } from './admin-route.ts'
import {
  answerChange,
  readDocument,
  requireChangeable,
  requireObject,
  shown,
  shownDocument,
  withDetails,
} from './config-request.ts'

/** OpenAPI; not part of the public document: without the master key, nobody knows these paths. */
const documentPath = '/admin/api/openapi.json'

const nothing = z.strictObject({})

export function addDocumentRoutes(add: AddRoutes, options: AdminOptions): void {
  add('/admin/api/config', {
    GET: async (call) => {
      readQuery(call, nothing)
      const all = redactConfig(options.config()) as Readonly<Record<string, unknown>>
      if (options.configuration === undefined) return shown(all, undefined)
      const { revision, document } = await shownDocument(options)
      const { actions: _, ...parts } = document
      return shown({ ...all, ...parts }, revision)
    },
    PATCH: withDetails(async (call) => {
      requireChangeable(options)
      const patch = requireObject(await readDocument(call))
      return answerChange(options, call, 'config-changed', ({ changes }, change) =>
        changes.write({ ...change, change: (document) => patchDocument(document, patch) }),
      )
    }),
  })
  add(documentPath, {
    GET: async (call, context) => {
      readQuery(call, nothing)
      return shown(adminDocument(mountOf(context, documentPath)), undefined)
    },
  })
  add('/admin/api/config/export', {
    GET: async (call) => {
      readQuery(call, nothing)
      const { revision, document } = await shownDocument(options)
      return shown(document, revision)
    },
  })
  add('/admin/api/config/import', {
    POST: withDetails(async (call) => {
      requireChangeable(options)
      const document = requireObject(await readDocument(call))
      return answerChange(options, call, 'config-imported', ({ changes }, change) =>
        changes.write({ ...change, change: () => document }),
      )
    }),
  })
}
