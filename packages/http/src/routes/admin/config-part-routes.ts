/** @module Parts of the configuration, and entries of those parts that are by name. */
import { type DocumentPart, documentParts, patchDocument } from '@engine/core/server'
import type { Context } from 'hono'
import { z } from 'zod'
import type { AdminOptions } from './admin-options.ts'
import { type AddRoutes, notFound, pathParameter, readQuery } from './admin-route.ts'
import {
  answerChange,
  readDocument,
  requireChangeable,
  shown,
  shownDocument,
  withDetails,
} from './config-request.ts'
import { removeConnection } from './connection-dependants.ts'

const nothing = z.strictObject({})

/** Parts with entries by name. */
const named = ['connections', 'permissions', 'actions'] as const

export function addPartRoutes(add: AddRoutes, options: AdminOptions): void {
  for (const part of documentParts) addPart(add, options, part)
  for (const part of named) addNamed(add, options, part)
}

function addPart(add: AddRoutes, options: AdminOptions, part: DocumentPart): void {
  const action = `config-${kebab(part)}-changed`
  add(`/admin/api/config/${part}`, {
    GET: async (call) => {
      readQuery(call, nothing)
      const { revision, document } = await shownDocument(options)
      return shown(document[part] ?? null, revision)
    },
    PUT: withDetails(async (call) => {
      requireChangeable(options)
      const value = await readDocument(call)
      return answerChange(options, call, action, ({ changes }, change) =>
        changes.write({
          ...change,
          change: ({ [part]: _, ...others }) =>
            value === null ? others : { ...others, [part]: value },
        }),
      )
    }),
    PATCH: withDetails(async (call) => {
      requireChangeable(options)
      const value = await readDocument(call)
      return answerChange(options, call, action, ({ changes }, change) =>
        changes.write({
          ...change,
          change: (document) => patchDocument(document, { [part]: value }),
        }),
      )
    }),
  })
}

function addNamed(add: AddRoutes, options: AdminOptions, part: (typeof named)[number]): void {
  const action = `config-${part}-changed`
  const kind = part.slice(0, -1)
  const nameOf = (context: Context) => pathParameter(context, 'name')
  const entryOf = (value: unknown, name: string): unknown => {
    const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    if (!isThere) throw notFound(kind)
    return Reflect.get(value, name)
  }
  add(`/admin/api/config/${part}/:name`, {
    GET: async (call, context) => {
      readQuery(call, nothing)
      const { revision, document } = await shownDocument(options)
      return shown(entryOf(document[part], nameOf(context)), revision)
    },
    PUT: withDetails(async (call, context) => {
      requireChangeable(options)
      const entry = await readDocument(call)
      const name = nameOf(context)
      return answerChange(options, call, action, ({ changes }, change) =>
        changes.write({
          ...change,
          change: (document) => patchDocument(document, { [part]: { [name]: entry } }),
        }),
      )
    }),
    DELETE: withDetails(async (call, context) => {
      const name = nameOf(context)
      const withDependants = new URL(call.request.url).searchParams.get('withDependants') === 'true'
      return answerChange(
        options,
        call,
        action,
        ({ changes }, change) =>
          changes.write({
            ...change,
            change: (document) => {
              entryOf(document[part], name)
              return part === 'connections'
                ? removeConnection(document, name, options.config(), withDependants)
                : patchDocument(document, { [part]: { [name]: null } })
            },
          }),
        part === 'connections' ? { withDependants: z.enum(['true', 'false']).optional() } : {},
      )
    }),
  })
}

function kebab(part: string): string {
  return part.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
