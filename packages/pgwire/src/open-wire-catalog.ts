/** @module Chooses the catalog that answers queries about system catalogs. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Log } from '@engine/core'
import { createBuiltinCatalog } from './catalog/builtin/builtin-catalog.ts'
import { createPgliteCatalog } from './catalog/pglite/pglite-catalog.ts'
import type { WireCatalog } from './catalog/wire-catalog.ts'

export interface WireCatalogOptions {
  /** The setting `pgWire.catalog`. */
  readonly kind: 'pglite' | 'builtin'
  /** The directory of the application: optional packages are looked up there. */
  readonly directory: string
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** Nothing is started yet. Without `@electric-sql/pglite` the built-in catalog serves, and the log says so. */
export async function openWireCatalog(options: WireCatalogOptions): Promise<WireCatalog> {
  const { kind, directory, log, clock } = options
  if (kind === 'builtin') return createBuiltinCatalog({ clock })
  const packageUrl = findPglite(directory)
  if (packageUrl !== undefined) return createPgliteCatalog({ packageUrl, log, clock })
  log.warn(
    { package: packageName },
    'the embedded PostgreSQL is not installed: only a few questions about system catalogs can be answered',
  )
  return createBuiltinCatalog({ clock })
}

const packageName = '@electric-sql/pglite'

/** A package installed by the application takes precedence over one that is installed beside this package. */
function findPglite(directory: string): string | undefined {
  for (const from of [join(directory, 'package.json'), import.meta.url]) {
    try {
      return pathToFileURL(createRequire(from).resolve(packageName)).href
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    }
  }
  return undefined
}
