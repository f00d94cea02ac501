/** @module Writes changes to the files before they are committed: an acknowledged change is in its file. */
import { GatewayError, type Log, type Session } from '@engine/core/adapter'
import type { CsvTables } from '../directory/tables.ts'
import type { LoadedTable } from '../load/load-job.ts'
import { type NewFile, writeNewFile } from './new-file.ts'
import { discardFiles, replaceFiles } from './replace-files.ts'
import { tableText } from './table-text.ts'

export interface WriteBack {
  /** Runs a write. Its flushed files count as known when it resolves. */
  around<T>(body: (writes: Writes) => Promise<T>): Promise<T>
}

/** The tables that one transaction writes to. */
export interface Writes {
  /** @throws {GatewayError} `unsupported` when writing the file of the table would lose something. */
  check(table: string): void
  /** The transaction has written to the table: others cannot until it ends. */
  begin(table: string): void
  /** A savepoint was set. */
  mark(savepoint: string): void
  /** The writes after the savepoint were rolled back. */
  returnTo(savepoint: string): void
  /**
   * Writes the files, each completely, and replaces all of them or none.
   *
   * @throws {GatewayError} `conflict` when another process changed a file meanwhile; `unavailable` when it cannot be
   *   written.
   */
  flush(session: Session): Promise<void>
}

/** @param directory the one that contains the files. */
export function createWriteBack(directory: string, tables: CsvTables, log: Log): WriteBack {
  const writable = (table: string): LoadedTable => {
    const loaded = tables.loaded.get(table)
    if (loaded === undefined) throw new GatewayError('staleCatalog', `the file of ${table} is gone`)
    if (loaded.format.encoding.encoding !== 'utf-8') {
      throw cannotWrite(`"${table}" is written in ${loaded.format.encoding.encoding}, not in UTF-8`)
    }
    if (loaded.skippedCount > 0) {
      throw cannotWrite(`rows of "${table}" could not be read, and would be lost`)
    }
    return loaded
  }
  return {
    around: async (body) => {
      let begun: ReadonlyMap<string, LoadedTable> = new Map()
      const marks = new Map<string, typeof begun>()
      let written: readonly WrittenTable[] = []
      const result = await body({
        check: (table) => void writable(table),
        begin: (table) => {
          if (!begun.has(table)) begun = new Map(begun).set(table, writable(table))
        },
        mark: (savepoint) => void marks.set(savepoint, begun),
        returnTo: (savepoint) => {
          begun = marks.get(savepoint) ?? begun
        },
        flush: async (session) => {
          written = await writeFiles(directory, session, [...begun.values()], log)
        },
      })
      for (const { loaded, file } of written) tables.written(loaded.table, file.signature)
      return result
    },
  }
}

interface WrittenTable {
  readonly loaded: LoadedTable
  readonly file: NewFile
}

async function writeFiles(
  directory: string,
  session: Session,
  changed: readonly LoadedTable[],
  log: Log,
): Promise<readonly WrittenTable[]> {
  if (changed.length === 0) return []
  const written: WrittenTable[] = []
  let isReplaced = false
  try {
    for (const loaded of changed) {
      written.push({ loaded, file: await writeNewFile(loaded.path, tableText(session, loaded)) })
    }
    isReplaced = await replaceFiles(
      directory,
      written.map(({ loaded, file }) => ({ path: loaded.path, replaced: loaded.signature, file })),
    )
  } catch (cause) {
    if (cause instanceof GatewayError) throw cause
    log.error({ directory, err: cause }, 'files cannot be written')
    const message = 'The file cannot be written: nothing was changed.'
    throw new GatewayError('unavailable', message, { cause, sqlState: '58030' })
  } finally {
    if (!isReplaced) await discardFiles(written.map(({ file }) => file))
  }
  if (isReplaced) return written
  const message = 'The file was changed by somebody else: nothing was written.'
  throw new GatewayError('conflict', message, { sqlState: '40001' })
}

function cannotWrite(reason: string): GatewayError {
  return new GatewayError('unsupported', `The file cannot be written: ${reason}.`, {
    sqlState: '0A000',
  })
}
