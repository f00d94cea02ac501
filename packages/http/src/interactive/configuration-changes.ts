/** @module Changes of a stored configuration: checked, written as a revision, and in use when the answer is sent. */
import type { ChangeResult } from '@engine/contract/admin-api'
import { type Config, GatewayError } from '@engine/core'
import {
  type ConfigurationDocument,
  type ConfigurationStore,
  changesBetween,
  documentFaults,
  type Fault,
  orderedDocument,
  type Revision,
  restoreSecrets,
  type Settings,
  shownChanges,
  withDocument,
  withoutChanges,
} from '@engine/core/server'
import type { ConfigurationFollower } from './configuration-follower.ts'

export interface ConfigurationChange {
  /** The revision that the author has seen; undefined: whichever is the newest. */
  readonly expected: number | undefined
  /** The new document; `***` in it keeps the stored secret. */
  readonly change: (document: ConfigurationDocument) => ConfigurationDocument
  readonly note: string | null
  /** Who changes it, as they say. */
  readonly author: string
  /** `admin`: the pages or a script. `cli`: the command line. */
  readonly via: 'admin' | 'cli'
  /** Only check it, and return what it would change. */
  readonly isDryRun: boolean
  /** Faults of the configuration that would be served, besides those that it always has. */
  readonly check?: (settings: Settings) => readonly Fault[]
}

export interface ConfigurationChanges {
  /**
   * @throws {GatewayError} `conflict` with `details.revision` and `details.changes`, the changes that the author has not seen;
   *   `invalidValue` with `details.faults`.
   */
  write(change: ConfigurationChange): Promise<ChangeResult>
  /**
   * Takes the changes of one revision back, and keeps those made after it.
   *
   * @throws {GatewayError} as `write`; `conflict` with `details.paths` that were changed again; `notFound`.
   */
  undo(revision: number, change: Omit<ConfigurationChange, 'change'>): Promise<ChangeResult>
}

export interface ChangesOptions {
  /** The configuration in code. */
  readonly code: () => Config
  readonly configurations: ConfigurationStore
  readonly follower: ConfigurationFollower
  /**
   * Opens a configuration without using it.
   *
   * @param check is called before anything is opened.
   * @throws {GatewayError} `invalidConfiguration`; errors of `check`.
   */
  readonly tryOut: (config: Config, check: (settings: Settings) => void) => Promise<void>
}

export function createConfigurationChanges(options: ChangesOptions): ConfigurationChanges {
  const { code, configurations, follower, tryOut } = options

  const unseen = async (expected: number): Promise<GatewayError> => {
    const newest = await newestOf(configurations)
    const seen = await configurations.revision(expected)
    const { revision, author, at, note } = newest
    const changes = seen && shownChanges(seen.document, newest.document)
    return new GatewayError('conflict', `The configuration is at revision ${revision} by now.`, {
      details: { revision, author, at, note, changes: changes ?? null },
    })
  }
  const checked = async (
    base: Revision,
    { change, check }: Pick<ConfigurationChange, 'change' | 'check'>,
  ): Promise<ConfigurationDocument> => {
    const restored = restoreSecrets(change(base.document), base.document)
    const faults = [...restored.faults, ...documentFaults(restored.document, code())]
    if (faults.length > 0) throw refused(faults)
    const document = orderedDocument(restored.document)
    const config = withDocument(code(), document)
    try {
      await tryOut(config, (settings) => {
        const own = check?.(settings) ?? []
        if (own.length > 0) throw refused(own)
      })
    } catch (error) {
      throw error instanceof GatewayError ? asRefusal(error) : error
    }
    return document
  }
  const write = async (change: ConfigurationChange): Promise<ChangeResult> => {
    const base = await newestOf(configurations)
    const { expected, note, author, via, isDryRun } = change
    if (expected !== undefined && expected !== base.revision) throw await unseen(expected)
    const document = await checked(base, change)
    const changes = shownChanges(base.document, document)
    if (isDryRun || changes.length === 0) return { revision: base.revision, changes }
    try {
      await configurations.add({ base, document, author, via, note })
    } catch (error) {
      const isConflict = error instanceof GatewayError && error.problem === 'conflict'
      throw isConflict ? await unseen(base.revision) : error
    }
    // It is written: where this node cannot apply it, its status says so.
    await isUpToDate(follower)
    return { revision: base.revision + 1, changes }
  }
  return {
    write,
    undo: async (number, change) => {
      const [revision, before] = await Promise.all([
        configurations.revision(number),
        configurations.revision(number - 1),
      ])
      if (revision === undefined || before === undefined) {
        throw new GatewayError('notFound', `There is no change ${number} to take back.`)
      }
      const made = changesBetween(before.document, revision.document)
      const taken = (document: ConfigurationDocument) => {
        const { document: result, conflicts } = withoutChanges(document, made)
        if (conflicts.length === 0) return result
        throw new GatewayError('conflict', `Changed again since: ${conflicts.join(', ')}.`, {
          details: { paths: conflicts },
        })
      }
      return write({ ...change, change: taken })
    },
  }
}

/** @throws {GatewayError} `unavailable` where there is none any more. */
export async function newestOf(
  configurations: Pick<ConfigurationStore, 'newest'>,
): Promise<Revision> {
  const newest = await configurations.newest()
  if (newest !== undefined) return newest
  throw new GatewayError('unavailable', 'The service database has no configuration any more.')
}

/** Does this node use the newest configuration? Waits until it does, or fails to. */
export async function isUpToDate({
  upToDate,
}: Pick<ConfigurationFollower, 'upToDate'>): Promise<boolean> {
  try {
    await upToDate()
    return true
  } catch {
    return false
  }
}

/** The configuration has these faults; their paths are those of a configuration file. */
function refused(faults: readonly Fault[]): GatewayError {
  const lines = faults.map(({ path, message }) => `${path}: ${message}`)
  return new GatewayError('invalidValue', lines.join('\n'), { details: { faults } })
}

/** A fault of the configuration, as one of the request. */
export function asRefusal(error: GatewayError): GatewayError {
  if (error.problem !== 'invalidConfiguration') return error
  const faults = error.details?.['faults']
  return refused(
    Array.isArray(faults) ? faults : [{ path: 'configuration', message: error.message }],
  )
}
