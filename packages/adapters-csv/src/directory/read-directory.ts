/** @module Finds the files of a directory that are tables. */
import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { signatureIfThere } from '../load/file-signature.ts'
import type { FileSignature } from '../load/load-job.ts'
import { isInternalName } from '../load/make-table.ts'

export interface CsvFile {
  readonly table: string
  readonly path: string
  readonly signature: FileSignature
}

export interface DirectoryContent {
  readonly files: readonly CsvFile[]
  /** Files that cannot be tables, with the reasons. */
  readonly refused: readonly RefusedFile[]
}

export interface RefusedFile {
  readonly table: string
  readonly path: string
  readonly reason: string
}

/**
 * Returns every `*.csv` and `*.tsv` whose name does not begin with a dot.
 *
 * @throws {Error} of the file system: the directory does not exist.
 */
export function readDirectory(directory: string): DirectoryContent {
  const files: CsvFile[] = []
  const refused: RefusedFile[] = []
  const taken = new Map<string, string>()
  // Its error names the path from the root: a relative one depends on the working directory.
  for (const name of readdirSync(resolve(directory)).toSorted()) {
    const table = /^([^.].*)\.(?:csv|tsv)$/i.exec(name)?.[1]
    const path = join(directory, name)
    if (table === undefined) continue
    const signature = lookAt(path)
    if (signature === undefined) continue
    if (signature instanceof Error) {
      refused.push({ table, path, reason: signature.message })
      continue
    }
    const reason = whyNoTable(table, taken.get(table.toLowerCase()))
    if (reason !== undefined) {
      refused.push({ table, path, reason })
      continue
    }
    taken.set(table.toLowerCase(), path)
    files.push({ table, path, signature })
  }
  return { files, refused }
}

/** Maximum length of a name in PostgreSQL, in bytes of UTF-8. */
const longestName = 63

function whyNoTable(table: string, other: string | undefined): string | undefined {
  if (other !== undefined) return `its table is called as that of ${other}`
  if (isInternalName(table)) return 'the name of a table does not begin with ~'
  if (/^sqlite_/i.test(table)) return 'the name of a table does not begin with sqlite_'
  return Buffer.byteLength(table) > longestName
    ? `its name has more than ${longestName} bytes`
    : undefined
}

/**
 * Undefined for something that is not a file, or no longer exists; an error for a circular link, or one into a
 * forbidden directory.
 */
function lookAt(path: string): FileSignature | Error | undefined {
  try {
    const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true
    return isFile ? signatureIfThere(path) : undefined
  } catch (error) {
    if (error instanceof Error) return error
    throw error
  }
}
