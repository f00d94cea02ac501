/** @module The tables of a directory: keeps them up to date with its files. */
import { join } from 'node:path'
import { GatewayError, type Log } from '@engine/core/adapter'
import type { FileSignature, LoadedTable, LoaderMessage, LoadJob } from '../load/load-job.ts'
import { runLoader } from '../load/run-loader.ts'
import type { CsvOptions } from '../options.ts'
import { removeAbandonedFiles } from '../write-back/new-file.ts'
import { finishAbandonedWriting } from '../write-back/writing-lock.ts'
import { createFailures } from './failures.ts'
import { type CsvFile, readDirectory } from './read-directory.ts'

export interface CsvTables {
  /** Loaded tables by name. */
  readonly loaded: ReadonlyMap<string, LoadedTable>
  /** True after every file was loaded once. */
  readonly isReady: () => boolean
  /**
   * Updates the tables from the files. Calls that wait for a run share it.
   *
   * @throws {GatewayError} `unavailable` when the directory cannot be read.
   */
  synchronize(): Promise<void>
  /** This process has written the file of a table. */
  written(table: string, signature: FileSignature): void
  /** Resolves when no file is being loaded. */
  settled(): Promise<void>
}

export interface CsvTablesOptions {
  readonly name: string
  readonly options: CsvOptions
  /** Path of the database that serves the tables. */
  readonly tempDirectory: string
  readonly database: string
  readonly log: Log
}

export function createTables({
  name,
  options,
  tempDirectory,
  database,
  log,
}: CsvTablesOptions): CsvTables {
  const loaded = new Map<string, LoadedTable>()
  const failures = createFailures(() => performance.now())
  const reported = new Set<string>()
  let isReady = false
  let running: Promise<void> | undefined
  let waiting: Promise<void> | undefined
  let runs = 0

  const note = (message: LoaderMessage): void => {
    switch (message.kind) {
      case 'loaded': {
        const { table, path, rowCount, skippedCount, firstFault } = message.loaded
        loaded.set(table, message.loaded)
        failures.forget(table)
        log.info({ connection: name, table, path, rowCount, skippedCount }, 'file loaded')
        if (skippedCount > 0) {
          log.warn({ connection: name, table, skippedCount, firstFault }, 'rows were skipped')
        }
        return
      }
      case 'failed': {
        const { table, path, reason } = message.failure
        if (!failures.note(message.failure)) return
        log.error({ connection: name, table, path, reason }, 'file cannot be loaded')
        return
      }
      case 'changed': {
        const { table, path } = message
        log.debug({ connection: name, table, path }, 'file changed while it was read')
        return
      }
      case 'progress': {
        const { table, bytes, totalBytes } = message
        log.info({ connection: name, table, bytes, totalBytes }, 'loading')
        return
      }
      case 'done':
    }
  }

  const run = async (): Promise<void> => {
    if (!isReady && options.writable === true) clearUp(name, options.directory, log)
    const { files, refused } = contentOf(name, options.directory)
    for (const { path, reason } of refused) {
      if (reported.has(path)) continue
      reported.add(path)
      log.error({ connection: name, path, reason }, 'file cannot be a table')
    }
    // A table whose file can no longer be read keeps its content.
    const present = new Set([...files, ...refused].map(({ table }) => table))
    const dropped = [...loaded.keys()].filter((table) => !present.has(table))
    const changed = files.filter(
      ({ table, signature }) =>
        loaded.get(table)?.signature !== signature && failures.isWorthTrying(table, signature),
    )
    if (isReady && dropped.length === 0 && changed.length === 0) return
    runs += 1
    const staging = join(tempDirectory, `staging-${runs}.db`)
    const jobs = changed.map((file) => jobOf(file, options))
    await runLoader({ database, staging, dropped, jobs }, note)
    for (const table of dropped) {
      loaded.delete(table)
      log.info({ connection: name, table }, 'file is gone')
    }
    isReady = true
  }

  const begin = (): Promise<void> => {
    waiting = undefined
    running = run().finally(() => {
      running = undefined
    })
    return running
  }

  return {
    loaded,
    isReady: () => isReady,
    synchronize: () => {
      if (running === undefined) return begin()
      waiting ??= running.then(begin, begin)
      return waiting
    },
    written: (table, signature) => {
      const known = loaded.get(table)
      if (known !== undefined) loaded.set(table, { ...known, signature })
    },
    settled: async () => {
      await Promise.allSettled([running, waiting])
    },
  }
}

/** Removes files that killed writers left. */
function clearUp(name: string, directory: string, log: Log): void {
  try {
    finishAbandonedWriting(directory)
    removeAbandonedFiles(directory)
  } catch (err) {
    log.warn({ connection: name, err }, 'what a killed writer left stays')
  }
}

function contentOf(name: string, directory: string): ReturnType<typeof readDirectory> {
  try {
    return readDirectory(directory)
  } catch (cause) {
    const message = `The directory of connection "${name}" cannot be read.`
    throw new GatewayError('unavailable', message, { cause, sqlState: '58030' })
  }
}

function jobOf(
  { table, path }: CsvFile,
  { tables = {}, writable, onError, types = 'inferred' }: CsvOptions,
): LoadJob {
  const options = Object.hasOwn(tables, table) ? tables[table] : undefined
  const key = options?.key
  return {
    table,
    path,
    delimiter: options?.delimiter,
    header: options?.header,
    types: options?.types ?? {},
    infersTypes: types === 'inferred',
    key: typeof key === 'string' ? [key] : key,
    skipsFaults: onError === 'skip',
    keepsText: writable === true,
  }
}
