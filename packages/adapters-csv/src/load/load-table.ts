/** @module One file → one table. Runs in a thread of its own; every step is synchronous. */
import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { type FileFormat, findFormat } from '../format/file-format.ts'
import type { ColumnType } from '../types/column-type.ts'
import { namedType } from '../types/named-type.ts'
import { createKey, keyCandidates } from './find-key.ts'
import { LoadError } from './load-error.ts'
import type { FileSignature, LoadedTable, LoadJob } from './load-job.ts'
import {
  createTable,
  type DeclaredColumn,
  dropTable,
  rowNumberName,
  watchChanges,
} from './make-table.ts'
import { readTable } from './read-table.ts'
import { type SurveyedColumn, surveyFile, surveyStart } from './survey.ts'

/**
 * Infers the types of the columns from all values. The beginning of the file gives a first guess; where the guess was
 * wrong, the file is read a second time.
 *
 * @param database contains no table of the name.
 * @param signature the current one of the file.
 * @throws {LoadError} for a row that cannot be read, unless such rows are skipped; for options that do not fit the
 * file.
 * @throws {Error} of the file system or of SQLite.
 */
export function loadTable(
  database: DatabaseSync,
  job: LoadJob,
  signature: FileSignature,
  onProgress: (bytes: number, totalBytes: number) => void,
): LoadedTable {
  const { path } = job
  const found = findFormat(path, job)
  if (found === undefined) throw new LoadError(`${path} is empty: it has not even a header`)
  verifyNames(job, found)
  const totalBytes = statSync(path).size
  const progress = (bytes: number): void => onProgress(bytes, totalBytes)
  database.exec('begin')
  try {
    const loaded = load(database, job, found, progress)
    database.exec('commit')
    return { ...loaded, signature }
  } catch (error) {
    database.exec('rollback')
    throw error
  }
}

function verifyNames({ path, types, key }: LoadJob, { names }: FileFormat): void {
  for (const name of [...Object.keys(types), ...(key ?? [])]) {
    if (!names.includes(name)) throw new LoadError(`${path} has no column "${name}"`)
  }
}

function load(
  database: DatabaseSync,
  job: LoadJob,
  found: FileFormat,
  onProgress: (bytes: number) => void,
): LoadedRows {
  const attempt = (format: FileFormat): LoadedRows => {
    const surveyed = surveyStart(job.path, format)
    const guess = { job, format, surveyed, isGuess: true, onProgress }
    return tryLoad(database, guess) ?? loadSurveyed(database, job, format, onProgress)
  }
  try {
    return attempt(found)
  } catch (error) {
    const { encoding, markLength } = found.encoding
    // A later part of the file is not valid UTF-8.
    if (!(error instanceof TypeError) || encoding !== 'utf-8') throw error
    if (markLength > 0) throw new LoadError(`${job.path} is not the UTF-8 that it says it is`)
    dropTable(database, job.table)
    return attempt({ ...found, encoding: { encoding: 'windows-1252', markLength: 0 } })
  }
}

type LoadedRows = Omit<LoadedTable, 'signature'>

/** The second time, no type is guessed. */
function loadSurveyed(
  database: DatabaseSync,
  job: LoadJob,
  format: FileFormat,
  onProgress: (bytes: number) => void,
): LoadedRows {
  const surveyed = surveyFile(job.path, format, onProgress)
  const loaded = tryLoad(database, { job, format, surveyed, isGuess: false, onProgress })
  if (loaded === undefined) throw new Error(`${job.path}: no value can contradict its own type`)
  return loaded
}

interface Attempt {
  readonly job: LoadJob
  readonly format: FileFormat
  readonly surveyed: readonly SurveyedColumn[]
  readonly isGuess: boolean
  readonly onProgress: (bytes: number) => void
}

/** Undefined when the guess was wrong: then no table is created. */
function tryLoad(
  database: DatabaseSync,
  { job, format, surveyed, isGuess, onProgress }: Attempt,
): LoadedRows | undefined {
  const columns = declaredColumns(job, surveyed)
  createTable(database, job, columns)
  const reading = readTable(database, { job, format, columns, isGuess, onProgress })
  if (reading === undefined) {
    dropTable(database, job.table)
    return undefined
  }
  const key = createKey(database, job, keysOf(job, surveyed))
  if (job.keepsText) watchChanges(database, job.table, requiredRowNumber(job, columns))
  const { table, path } = job
  const declared = new Map(columns.map((column) => [column.name, column]))
  const shown = surveyed.map(({ name, type, spelling }) => ({
    name,
    type: declared.get(name)?.type ?? type,
    isInferred: declared.get(name)?.isKept !== true,
    spelling,
  }))
  return { table, path, format, columns: shown, key, ...reading }
}

function requiredRowNumber({ path }: LoadJob, columns: readonly DeclaredColumn[]): string {
  const name = rowNumberName(columns)
  if (name !== undefined) return name
  throw new LoadError(`${path} has columns rowid, _rowid_ and oid: it can only be read`)
}

/** The options for a column take precedence over its values. */
function declaredColumns(
  job: LoadJob,
  columns: readonly SurveyedColumn[],
): readonly DeclaredColumn[] {
  const { types, path, infersTypes } = job
  const keyColumns = (job.key === undefined ? candidatesOf(job, columns) : [job.key]).flat()
  return columns.map(({ name, type, hasNull, hasValue }) => {
    const said = Object.hasOwn(types, name) ? types[name] : undefined
    const wanted = said ?? (infersTypes ? undefined : 'text')
    const isKept = wanted !== undefined
    const isNotNull = keyColumns.includes(name) && !hasNull
    return {
      name,
      type: isKept ? wantedType(path, name, wanted) : type,
      isNotNull,
      isKept,
      isAlwaysNull: !hasValue,
    }
  })
}

function wantedType(path: string, column: string, name: string): ColumnType {
  const type = namedType(name)
  if (type === undefined) throw new LoadError(`${path}: "${name}" is no type for "${column}"`)
  return type
}

function candidatesOf(
  { table, infersTypes }: LoadJob,
  columns: readonly SurveyedColumn[],
): readonly (readonly string[])[] {
  return infersTypes ? keyCandidates(table, columns) : []
}

function keysOf(job: LoadJob, columns: readonly SurveyedColumn[]): readonly (readonly string[])[] {
  const { key, path } = job
  if (key === undefined) return candidatesOf(job, columns)
  const empty = columns.find(({ name, hasNull }) => hasNull && key.includes(name))
  if (empty !== undefined) {
    throw new LoadError(`${path}: "${empty.name}" is empty in some row, it is no key`)
  }
  return [key]
}
