/** @module What metrics, log and tracing are told about a request: nothing that a client can make up at will. */
import type { Context } from 'hono'
import { routePath } from 'hono/route'
import type { RequestHook } from './route-handler.ts'

/** The route as it is declared, `/auth/sessions/:id`; `unmatched` where there is none. One of few texts. */
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

/** The method, or `OTHER`. One of few texts. */
export function methodOf({ req }: Context): string {
  return methods.has(req.method) ? req.method : 'OTHER'
}

/** The first is around all others. @returns undefined for none: nothing is then in the way of a request. */
export function composeHooks(all: readonly (RequestHook | undefined)[]): RequestHook | undefined {
  const present = all.filter((hook) => hook !== undefined)
  return present.length === 0
    ? undefined
    : present.reduceRight(
        (inner, outer) => (call, context, answer) =>
          outer(call, context, () => inner(call, context, answer)),
      )
}
