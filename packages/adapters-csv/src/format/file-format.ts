/** @module The format of one file: everything that is needed to read it and to write it back. */

import { storedText } from '../types/column-type.ts'
import { observeColumn } from '../types/infer-column.ts'
import { findDelimiter } from './delimiter.ts'
import type { FoundEncoding } from './encoding.ts'
import { columnNames, numberedNames } from './header.ts'
import { readStart } from './read-records.ts'
import { createRecordScanner } from './scan-records.ts'

export interface FileFormat {
  readonly encoding: FoundEncoding
  readonly delimiter: string
  readonly lineEnd: '\n' | '\r\n' | '\r'
  /** The header as in the file; undefined where there is none. */
  readonly header: string | undefined
  readonly names: readonly string[]
  /** Columns whose values are quoted even where quotes are not necessary. */
  readonly quoted: readonly boolean[]
}

export interface FormatOptions {
  readonly delimiter: string | undefined
  readonly header: boolean | undefined
}

interface SampleRecord {
  readonly cells: readonly string[]
  /** The text as in the file. */
  readonly text: string
}

/** Records that are read to detect the header and the quotes. */
const sampleRecords = 200

/**
 * @returns undefined for a file without a single record.
 * @throws {Error} of the file system.
 */
export function findFormat(path: string, options: FormatOptions): FileFormat | undefined {
  const { encoding, start, isWhole } = readStart(path)
  const usual = path.toLowerCase().endsWith('.tsv') ? '\t' : undefined
  const delimiter = options.delimiter ?? usual ?? findDelimiter(start, isWhole)
  const records: SampleRecord[] = []
  const scanner = createRecordScanner(delimiter, {
    record: (cells, _line, text, from, to) => {
      if (records.length < sampleRecords) records.push({ cells, text: text.slice(from, to) })
    },
    fault: () => undefined,
  })
  scanner.push(start)
  scanner.end()
  const [first, ...others] = records
  if (first === undefined) return undefined
  const hasHeader = options.header ?? looksLikeHeader(first, others)
  return {
    encoding,
    delimiter,
    lineEnd: (/\r\n|\r|\n/.exec(start)?.[0] as FileFormat['lineEnd'] | undefined) ?? '\n',
    header: hasHeader ? first.text : undefined,
    names: hasHeader ? columnNames(first.cells) : numberedNames(first.cells.length),
    quoted: quotedColumns(hasHeader ? others : records, delimiter, first.cells.length),
  }
}

/**
 * The first record is not a header when its values have the types of the columns below, and these are not all texts.
 */
function looksLikeHeader(first: SampleRecord, others: readonly SampleRecord[]): boolean {
  if (others.length === 0) return true
  const typed = first.cells.flatMap((cell, index) => {
    const observer = observeColumn()
    for (const { cells } of others) observer.see(cells[index] ?? '')
    const { type } = observer.result()
    return type.kind === 'text' ? [] : [{ cell, type: { ...type, digits: undefined } }]
  })
  const isData = ({ cell, type }: (typeof typed)[number]) =>
    cell === '' || storedText(cell, type) !== undefined
  return typed.length === 0 || !typed.every(isData) || typed.every(({ cell }) => cell === '')
}

function quotedColumns(
  records: readonly SampleRecord[],
  delimiter: string,
  count: number,
): readonly boolean[] {
  const quoted = Array.from({ length: count }, () => records.length > 0)
  for (const record of records) {
    const marks = quoteMarks(record, delimiter)
    for (let index = 0; index < count; index += 1) {
      if (marks[index] !== true && record.cells[index] !== '') quoted[index] = false
    }
  }
  return quoted
}

function quoteMarks({ cells, text }: SampleRecord, delimiter: string): readonly boolean[] {
  let position = 0
  return cells.map((cell) => {
    const isQuoted = text[position] === '"'
    const inner = isQuoted ? cell.replaceAll('"', '""').length + 2 : cell.length
    position += inner + delimiter.length
    return isQuoted
  })
}
