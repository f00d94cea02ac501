/** @module A catalog for tests, and the warnings that it logged. */
import type { Log } from '@engine/core'
import {
  createPgliteCatalog,
  type PgliteCatalogOptions,
} from '../../src/catalog/pglite/pglite-catalog.ts'
import type { WireCatalog } from '../../src/catalog/wire-catalog.ts'

export interface Complaint {
  readonly facts: object
  readonly message: string
}

export interface OpenCatalog {
  readonly catalog: WireCatalog
  /** The warnings that were logged. */
  readonly complaints: readonly Complaint[]
}

export function openCatalog(options: Partial<PgliteCatalogOptions> = {}): OpenCatalog {
  const complaints: Complaint[] = []
  const complain = (facts: object, message: string) => void complaints.push({ facts, message })
  const log: Log = {
    debug: () => undefined,
    info: complain,
    warn: complain,
    error: complain,
  }
  const packageUrl = import.meta.resolve('@electric-sql/pglite')
  return {
    catalog: createPgliteCatalog({ packageUrl, log, clock: Date.now, ...options }),
    complaints,
  }
}
