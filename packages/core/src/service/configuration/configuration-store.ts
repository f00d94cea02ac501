/** @module The configuration in the service database: numbered revisions, of which the newest is in force. */

import type { RevisionSummary, ShownChange } from '@engine/contract/admin-api'
import { GatewayError } from '../../foundation/errors.ts'
import { createSecretBox } from '../../foundation/secret-box.ts'
import type { Store } from '../store/store.ts'
import { isUniqueViolation } from '../store/store-error.ts'
import {
  type ConfigurationRow,
  type ConfigurationTables,
  configurationMigrations,
} from './configuration-tables.ts'
import { type ConfigurationDocument, orderedDocument } from './document.ts'
import { shownChanges } from './document-diff.ts'
import { openSecrets, sealSecrets } from './document-secrets.ts'

/** A stored revision with its document. */
export interface Revision extends RevisionSummary {
  /** With its secrets. */
  readonly document: ConfigurationDocument
}

export interface NewRevision {
  /** The revision that it changes; undefined for the first one. */
  readonly base: Revision | undefined
  readonly document: ConfigurationDocument
  readonly author: string
  readonly via: string
  readonly note: string | null
}

/** Stored revisions of the configuration. */
export interface ConfigurationStore {
  /** The number of the newest revision; undefined where there is none. */
  newestNumber(): Promise<number | undefined>
  newest(): Promise<Revision | undefined>
  revision(number: number): Promise<Revision | undefined>
  /** Newest first. @param before only revisions with smaller numbers. */
  list(options: {
    readonly limit: number
    readonly before?: number | undefined
  }): Promise<readonly RevisionSummary[]>
  /**
   * Writes the next revision, and advances the change counter in the same transaction. Revisions older than the newest 1 000 are
   * deleted.
   *
   * @throws {GatewayError} `conflict` when another revision was written after `base`.
   */
  add(revision: NewRevision): Promise<Revision>
  /**
   * Encrypts the secrets of all revisions with the current master key.
   *
   * @param oldKeys master keys that they may be encrypted with.
   * @returns the number of revisions.
   * @throws {GatewayError} `invalidConfiguration` when a secret was encrypted with none of the keys: then nothing has changed.
   */
  rekey(oldKeys: readonly string[]): Promise<number>
}

export interface ConfigurationStoreOptions {
  readonly store: Store
  readonly masterKey: string
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** For looking only: the table is not made. Default false. */
  readonly isReadOnly?: boolean
}

/** The purpose of the key that is derived from the master key. */
const purpose = 'configuration'

/** The number of revisions that are kept. */
const keptRevisions = 1_000

/**
 * Makes the table.
 *
 * @throws {GatewayError} `invalidConfiguration` when it cannot be made.
 */
export async function openConfigurationStore({
  store,
  masterKey,
  clock,
  isReadOnly = false,
}: ConfigurationStoreOptions): Promise<ConfigurationStore> {
  if (!isReadOnly) {
    await store.countChanges([{ name: 'engine_config' }], configurationMigrations)
  }
  const box = createSecretBox([masterKey], purpose)
  const database = store.withTables<ConfigurationTables>()
  const revisionOf = (row: ConfigurationRow): Revision => ({
    ...summaryOf(row),
    document: openSecrets(documentOf(row), box),
  })
  const rows = () => database.selectFrom('engine_config').selectAll()

  return {
    newestNumber: async () => {
      const row = await database
        .selectFrom('engine_config')
        .select('revision')
        .orderBy('revision', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row?.revision
    },
    newest: async () => {
      const row = await rows().orderBy('revision', 'desc').limit(1).executeTakeFirst()
      return row && revisionOf(row)
    },
    revision: async (number) => {
      const row = await rows().where('revision', '=', number).executeTakeFirst()
      return row && revisionOf(row)
    },
    list: async ({ limit, before }) => {
      const found = await database
        .selectFrom('engine_config')
        .select(['revision', 'at', 'author', 'via', 'note', 'changes'])
        .$if(before !== undefined, (query) => query.where('revision', '<', before ?? 0))
        .orderBy('revision', 'desc')
        .limit(limit)
        .execute()
      return found.map(summaryOf)
    },
    add: async ({ base, document: given, author, via, note }) => {
      const document = orderedDocument(given)
      const number = (base?.revision ?? 0) + 1
      const row: ConfigurationRow = {
        revision: number,
        at: clock(),
        author,
        via,
        note,
        document: JSON.stringify(sealSecrets(document, box)),
        changes: JSON.stringify(base === undefined ? [] : shownChanges(base.document, document)),
      }
      try {
        await store.transaction<ConfigurationTables, void>(async (transaction) => {
          await transaction.insertInto('engine_config').values(row).execute()
          await transaction
            .deleteFrom('engine_config')
            .where('revision', '<=', number - keptRevisions)
            .execute()
        })
      } catch (error) {
        throw isUniqueViolation(error) ? changedMeanwhile(error) : error
      }
      return { ...summaryOf(row), document }
    },
    rekey: (oldKeys) => {
      const anyBox = createSecretBox([masterKey, ...oldKeys], purpose)
      return store.transaction<ConfigurationTables, number>(async (transaction) => {
        const all = await transaction.selectFrom('engine_config').selectAll().execute()
        for (const row of all) {
          const document = openSecrets(documentOf(row), anyBox)
          await transaction
            .updateTable('engine_config')
            .set({ document: JSON.stringify(sealSecrets(document, box)) })
            .where('revision', '=', row.revision)
            .execute()
        }
        return all.length
      })
    },
  }
}

function changedMeanwhile(cause: unknown): GatewayError {
  return new GatewayError('conflict', 'The configuration was changed meanwhile.', { cause })
}

function documentOf({ document }: ConfigurationRow): ConfigurationDocument {
  return JSON.parse(document) as ConfigurationDocument
}

function summaryOf({
  revision,
  at,
  author,
  via,
  note,
  changes,
}: Omit<ConfigurationRow, 'document'>): RevisionSummary {
  return {
    revision,
    at: new Date(at).toISOString(),
    author,
    via,
    note,
    changes: JSON.parse(changes) as readonly ShownChange[],
  }
}
