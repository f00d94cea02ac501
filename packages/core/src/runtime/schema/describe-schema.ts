/** @module The document of `GET /schema`, built on each request. Start at `createSchemaSource`. */
import type { SchemaDocument } from '@engine/contract'
import type { Catalog } from '../../compiler/catalog/catalog.ts'
import { databaseOf } from '../../compiler/catalog/shared-database.ts'
import type { ActionDefinition } from '../../config/options/action.ts'
import type { Log } from '../../foundation/log.ts'
import { describeActions } from './describe-actions.ts'
import { describeCatalog } from './describe-catalog.ts'

/** The structure of all databases, as far as it is known. */
export interface SchemaDescription {
  readonly document: SchemaDocument
  /** Connections whose database was never reached: the document contains no tables of theirs. */
  readonly unreached: readonly string[]
}

export interface SchemaSourceOptions {
  readonly actions: ReadonlyMap<string, ActionDefinition>
  /** Updates the catalog from the databases that answer. Does not throw. */
  readonly readAgain: () => Promise<void>
  readonly catalog: () => Catalog
  /** Addresses of the tables that permissions name. */
  readonly named: ReadonlySet<string>
  /** Was the catalog of this database ever read? See `databaseOf`. */
  readonly isKnown: (connection: string) => boolean
  readonly log: Log
}

/** Returns the current structure of the databases. Describes it once for each catalog; actions never change. */
export function createSchemaSource(options: SchemaSourceOptions): () => Promise<SchemaDescription> {
  const { actions, log, isKnown } = options
  let described: Promise<Pick<SchemaDocument, 'actions'>> | undefined
  let known: { readonly catalog: Catalog; readonly description: SchemaDescription } | undefined
  return async () => {
    described ??= describedActions(actions, log)
    const [rest] = await Promise.all([described, options.readAgain()])
    const catalog = options.catalog()
    if (known?.catalog === catalog) return known.description
    const description = {
      document: { connections: describeCatalog(catalog, options.named), ...rest },
      unreached: [...catalog.connections.values()]
        .filter((connection) => !isKnown(databaseOf(connection).name))
        .map(({ name }) => name)
        .sort(),
    }
    known = { catalog, description }
    return description
  }
}

async function describedActions(
  actions: ReadonlyMap<string, ActionDefinition>,
  log: Log,
): Promise<Pick<SchemaDocument, 'actions'>> {
  return actions.size === 0 ? {} : { actions: await describeActions(actions, log) }
}
