/** @module Files of users, line by line: NDJSON, or CSV with a header. */
import { type FileHandle, open } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import type { ImportLine } from '@engine/auth'
import { type CsvError, parse } from 'csv-parse'
import { wrongArgument } from '../command-line/outcome.ts'

/** Maximum characters of one record. */
const maxRecordLength = 64 * 1024

/**
 * By the extension of its name: `.csv`, or `.ndjson`, `.jsonl`, `.json`. Lines are counted from 1. Never holds the
 * whole file in memory.
 *
 * @throws {GatewayError} `invalidConfiguration` for another extension, and for a file that cannot be opened.
 */
export async function readUserFile(path: string): Promise<AsyncIterable<ImportLine>> {
  const read = readerFor(path)
  try {
    return read(await open(path))
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException
    throw wrongArgument(`Cannot read ${path}: ${code}`)
  }
}

function readerFor(path: string): (file: FileHandle) => AsyncIterable<ImportLine> {
  if (/\.csv$/i.test(path)) return readCsv
  if (/\.(ndjson|jsonl|json)$/i.test(path)) return readNdjson
  throw wrongArgument('The file must end in .csv or .ndjson')
}

async function* readNdjson(file: FileHandle): AsyncGenerator<ImportLine> {
  let line = 0
  for await (const text of file.readLines({ encoding: 'utf8' })) {
    line++
    const json = line === 1 ? text.replace(/^\ufeff/, '') : text
    if (json.trim() !== '') yield parseLine(line, json)
  }
}

function parseLine(line: number, json: string): ImportLine {
  if (json.length > maxRecordLength) return { line, error: 'The line is too long.' }
  try {
    return { line, record: JSON.parse(json) }
  } catch {
    // The error message would contain a part of the line, which may include a hash.
    return { line, error: 'The line is not JSON.' }
  }
}

interface CsvRecord {
  readonly record: Readonly<Record<string, string>>
  readonly info: { readonly lines: number }
}

/**
 * Records with too many or too few cells are reported. After any other error the start of the next record is not known.
 */
async function* readCsv(file: FileHandle): AsyncGenerator<ImportLine> {
  const broken: ImportLine[] = []
  // The parser is ahead of its reader.
  let end: { readonly line: number; readonly error: string } | undefined
  const parser = parse({
    bom: true,
    columns: true,
    info: true,
    max_record_size: maxRecordLength,
    skip_records_with_error: true,
    on_skip: (error) => {
      // Without the text, which may contain a hash.
      const { lines: line = 0, code = '' } = error as CsvFault
      if (code.includes('INCONSISTENT')) {
        broken.push({ line, error: 'The record has another number of cells than the header.' })
      } else {
        end ??= { line, error: `The file is no CSV from here on (${code}).` }
      }
      return undefined
    },
  })
  // An error of one stream ends the other; the error is thrown below.
  pipeline(file.createReadStream(), parser, () => undefined)
  for await (const { record, info } of parser as AsyncIterable<CsvRecord>) {
    if (end !== undefined && info.lines >= end.line) break
    yield* takeBefore(broken, info.lines)
    yield { line: info.lines, record: typedRecord(record) }
  }
  yield* takeBefore(broken, end?.line ?? Number.POSITIVE_INFINITY)
  if (end !== undefined) yield end
}

function takeBefore(lines: ImportLine[], last: number): readonly ImportLine[] {
  const later = lines.findIndex(({ line }) => line >= last)
  return lines.splice(0, later === -1 ? lines.length : later)
}

interface CsvFault extends Partial<CsvError> {
  readonly lines?: number
}

/** Cells are texts: empty ones are missing, booleans and lists are spelled as text. */
function typedRecord(cells: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> {
  const entries = Object.entries(cells).flatMap(([name, text]): [string, unknown][] => {
    if (name === 'passwordHash') return [[name, text === '' ? null : text]]
    return text === '' ? [] : [[name, typedCell(name, text)]]
  })
  return Object.fromEntries(entries)
}

const truthValues: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

function typedCell(name: string, text: string): unknown {
  if (name === 'roles') return text.split(',').map((role) => role.trim())
  return name === 'emailVerified' ? (truthValues.get(text.toLowerCase()) ?? text) : text
}
