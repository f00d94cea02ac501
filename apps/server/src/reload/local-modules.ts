/** @module Loads a module again together with the files that it imports by path: Node keeps each URL for ever. */
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

/** The query of a URL that makes a module, and what it imports, a new one. */
const again = 'again'

/** Files of each module that was loaded, by its URL without a query: itself, and what it imports by path. */
const filesOf = new Map<string, Set<string>>()

let isRegistered = false

/**
 * From now on notes the files that a module imports by path, and theirs; packages are left out. They are loaded again with the
 * module when its URL has another query `again`.
 *
 * @returns their paths, which grow while the module is loaded.
 */
export function trackImports(url: string): ReadonlySet<string> {
  register()
  const { href } = bare(url)
  const known = filesOf.get(href)
  if (known !== undefined) return known
  const files = new Set([fileURLToPath(href)])
  filesOf.set(href, files)
  return files
}

function register(): void {
  if (isRegistered) return
  isRegistered = true
  registerHooks({
    resolve: (specifier, context, nextResolve) => {
      const found = nextResolve(specifier, context)
      const { parentURL } = context
      if (parentURL === undefined || !isPath(specifier) || !found.url.startsWith('file:')) {
        return found
      }
      const parent = bare(parentURL)
      if (!parent.href.startsWith('file:')) return found
      const url = new URL(found.url)
      for (const files of filesOf.values()) {
        if (files.has(fileURLToPath(parent.href))) files.add(fileURLToPath(url))
      }
      if (parent.version === null) return found
      url.searchParams.set(again, parent.version)
      return { ...found, url: url.href }
    },
  })
}

/** Names of packages are no paths. */
function isPath(specifier: string): boolean {
  return /^(\.{0,2}\/|file:)/.test(specifier)
}

function bare(url: string): { readonly href: string; readonly version: string | null } {
  if (!url.startsWith('file:')) return { href: url, version: null }
  const parsed = new URL(url)
  const version = parsed.searchParams.get(again)
  parsed.search = ''
  return { href: parsed.href, version }
}
