/** @module Lets configuration files import the packages that the server includes, wherever the files are. */
import { registerHooks } from 'node:module'

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
        if (!isMissing(error)) throw error
        return nextResolve(specifier, { ...context, parentURL: import.meta.url })
      }
    },
  })
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND'
}
