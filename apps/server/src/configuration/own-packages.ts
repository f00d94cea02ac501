/** @module Lets configuration files import the packages that the server includes, wherever the files are. */
import {
  type ResolveFnOutput,
  type ResolveHookContext,
  type ResolveHookSync,
  registerHooks,
} from 'node:module'

let isRegistered = false

/**
 * From now on a package `@engine/…` that is not installed where it is imported is the server's own. One that is installed there
 * has priority.
 */
export function offerOwnPackages(): void {
  if (isRegistered) return
  isRegistered = true
  registerHooks({
    resolve: (specifier, context, nextResolve) => {
      if (!specifier.startsWith('@engine/')) return nextResolve(specifier, context)
      try {
        return nextResolve(specifier, context)
      } catch (error) {
        const own = isMissing(error) ? tryOwn(specifier, context, nextResolve) : undefined
        // The error names the file that imports it.
        if (own === undefined) throw error
        return own
      }
    },
  })
}

function tryOwn(
  specifier: string,
  context: ResolveHookContext,
  nextResolve: Parameters<ResolveHookSync>[2],
): ResolveFnOutput | undefined {
  try {
    return nextResolve(specifier, { ...context, parentURL: import.meta.url })
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND'
}
