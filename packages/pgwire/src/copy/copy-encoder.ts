/** @module Rows → data of COPY … TO STDOUT. */
import type { CopyOptions } from '../session/statements/client-statement.ts'
import { createBinaryEncoder } from './binary-encoder.ts'
import { type CopiedTable, chosenColumns } from './chosen-columns.ts'
import { classEscape } from './class-escape.ts'
import type { CopyEncoder } from './copy-codec.ts'

/**
 * @param columns names, in the order of the cells
 * @param table undefined for a query
 * @throws {GatewayError} 42703, 42P10 for a column of FORCE QUOTE that is not copied.
 */
export function createCopyEncoder(
  copy: CopyOptions,
  columns: readonly string[],
  table?: CopiedTable | undefined,
): CopyEncoder {
  switch (copy.format) {
    case 'binary':
      return createBinaryEncoder()
    case 'csv':
      return createCsvEncoder(
        copy,
        columns,
        chosenColumns('FORCE_QUOTE', copy.forceQuote, columns, table),
      )
    case 'text':
      return createTextEncoder(copy, columns)
  }
}

function createTextEncoder(copy: CopyOptions, columns: readonly string[]): CopyEncoder {
  const special = new RegExp(`[\\b\\f\\n\\r\\t\\v\\\\${classEscape(copy.delimiter)}]`)
  const specials = new RegExp(special, 'g')
  const field = (text: string) =>
    special.test(text)
      ? text.replaceAll(specials, (character) => `\\${letters.get(character) ?? character}`)
      : text
  return {
    start: () =>
      copy.header === 'none' ? undefined : `${columns.map(field).join(copy.delimiter)}\n`,
    row: (cells) => {
      let line = ''
      for (let index = 0; index < cells.length; index += 1) {
        const cell = cells[index] ?? null
        if (index > 0) line += copy.delimiter
        line += cell === null ? copy.nullText : field(textOf(cell))
      }
      return `${line}\n`
    },
    end: () => undefined,
  }
}

/** Characters that are escaped as a backslash and a letter: a line feed → `\n`. */
const letters: ReadonlyMap<string, string> = new Map([
  ['\b', 'b'],
  ['\f', 'f'],
  ['\n', 'n'],
  ['\r', 'r'],
  ['\t', 't'],
  ['\v', 'v'],
])

function createCsvEncoder(
  copy: CopyOptions,
  columns: readonly string[],
  forced: readonly boolean[],
): CopyEncoder {
  const { delimiter, quote, nullText } = copy
  const isSingle = columns.length === 1
  const needsQuotes = new RegExp(`[\\n\\r${classEscape(delimiter)}${classEscape(quote)}]`)
  const doubled = new RegExp(`[${classEscape(quote)}${classEscape(copy.escape)}]`, 'g')
  const field = (text: string, isForced: boolean) => {
    // A `\.` alone on its line would end the data.
    const isQuoted =
      isForced || text === nullText || needsQuotes.test(text) || (isSingle && text === '\\.')
    if (!isQuoted) return text
    return quote + text.replaceAll(doubled, (special) => copy.escape + special) + quote
  }
  return {
    start: () =>
      copy.header === 'none'
        ? undefined
        : `${columns.map((name) => field(name, false)).join(delimiter)}\n`,
    row: (cells) => {
      let line = ''
      for (let index = 0; index < cells.length; index += 1) {
        const cell = cells[index] ?? null
        if (index > 0) line += delimiter
        line += cell === null ? nullText : field(textOf(cell), forced[index] === true)
      }
      return `${line}\n`
    },
    end: () => undefined,
  }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

function textOf(cell: string | Uint8Array): string {
  return typeof cell === 'string' ? cell : decoder.decode(cell)
}
