/** @module Hooks around requests, and the labels for metrics, log and tracing: clients cannot choose them freely. */
import type { Context } from 'hono'
import { routePath } from 'hono/route'
import type { RequestHook } from '../response/answer-calls.ts'

/** Returns the declared route, `/auth/sessions/:id`, or `unmatched`. The set of values is small. */
export function routeOf(context: Context): string {
  return routePath(context) || 'unmatched'
}

const methods: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
])

/** Returns the method, or `OTHER` for an unknown one. The set of values is small. */
export function methodOf({ req }: Context): string {
  return methods.has(req.method) ? req.method : 'OTHER'
}

/** Composes hooks; the first is the outermost. @returns undefined for no hooks, so that requests run without the overhead. */
export function composeHooks(all: readonly (RequestHook | undefined)[]): RequestHook | undefined {
  const present = all.filter((hook) => hook !== undefined)
  return present.length === 0
    ? undefined
    : present.reduceRight((inner, outer) => (call, place) => {
        const outerEnded = outer(call, place)
        const innerEnded = inner(call, place)
        return (status) => {
          innerEnded(status)
          outerEnded(status)
        }
      })
}
