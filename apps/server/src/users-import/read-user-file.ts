/** @module Files of users, line by line: NDJSON, or CSV with a header. */
import { type FileHandle, open } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import type { ImportLine } from '@engine/auth'
import { type CsvError, parse } from 'csv-parse'
import { wrongArgument } from '../command-line/outcome.ts'

/** Of one record, in characters. */
const maxRecordLength = 64 * 1024

/**
 * By the ending of its name: `.csv`, or `.ndjson`, `.jsonl`, `.json`. Lines are counted from 1. Never holds the whole file.
 *
 * @throws {GatewayError} `invalidConfiguration` for another ending, and for what cannot be opened.
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
    // What is wrong would repeat a part of the line, and a hash may be in it.
    return { line, error: 'The line is not JSON.' }
  }
}

interface CsvRecord {
  readonly record: Readonly<Record<string, string>>
  readonly info: { readonly lines: number }
}

/** Records that are broken are told in front of the next one that is not. */
async function* readCsv(file: FileHandle): AsyncGenerator<ImportLine> {
  const broken: ImportLine[] = []
  const parser = parse({
    bom: true,
    columns: true,
    info: true,
    max_record_size: maxRecordLength,
    skip_records_with_error: true,
    on_skip: (error) => {
      if (error !== undefined) broken.push(brokenRecord(error))
      return undefined
    },
  })
  // What ends the one ends the other; what went wrong is thrown below.
  pipeline(file.createReadStream(), parser, () => undefined)
  for await (const { record, info } of parser as AsyncIterable<CsvRecord>) {
    yield* broken.splice(0)
    yield { line: info.lines, record: typedRecord(record) }
  }
  yield* broken
}

/** Without the text, which may hold a hash. */
function brokenRecord(error: CsvError): ImportLine {
  const { lines = 0 } = error as CsvError & { readonly lines?: number }
  return { line: lines, error: `The record is no CSV of the header's columns (${error.code}).` }
}

/** Cells are texts: empty ones are missing, truth values and lists are spelled. */
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
