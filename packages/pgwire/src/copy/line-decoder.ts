/** @module COPY … FROM STDIN in the formats of lines: text and csv. */

import { chosenColumns } from './chosen-columns.ts'
import type { CopyDecoder, CopyDecoderOptions, CopyRow } from './copy-codec.ts'
import { badCopyFormat, badEncoding, copyContext } from './copy-error.ts'
import { readFieldsOf } from './line-fields.ts'
import { type CopyLine, createLineSplitter } from './line-splitter.ts'
import { createUtf8Reader, encodedReader, type TextPiece } from './text-reader.ts'

export function createLineDecoder(options: CopyDecoderOptions): CopyDecoder {
  const { copy, columns } = options
  const table = options.table.name
  const isCsv = copy.format === 'csv'
  const isForcedNull = chosenColumns('FORCE_NULL', copy.forceNull, columns, options.table)
  const isNeverNull = chosenColumns('FORCE_NOT_NULL', copy.forceNotNull, columns, options.table)
  const splitter = createLineSplitter({
    isCsv,
    quote: copy.quote,
    escape: copy.escape,
    table,
    maxLength: options.maxRowSize,
  })
  const reader =
    options.encoding === undefined ? createUtf8Reader() : encodedReader(options.encoding)
  let current: CopyLine = { number: 1, text: '' }
  let isHeaderAwaited = copy.header !== 'none'

  const fail = (message: string, column?: string) =>
    badCopyFormat(
      message,
      copyContext(table, current.number, column, column === undefined ? current.text : undefined),
    )
  const readFields = readFieldsOf(copy, {
    format: fail,
    encoding: (message) =>
      badEncoding(
        { message, sqlState: '22021' },
        copyContext(table, current.number, undefined, current.text),
      ),
  })

  const checkHeader = () => {
    if (copy.header !== 'match') return
    const names = readFields(current.text)
    if (names.length !== columns.length) {
      throw fail(
        `wrong number of fields in header line: got ${names.length}, expected ${columns.length}`,
      )
    }
    for (const [index, name] of names.entries()) {
      if (name === columns[index]) continue
      const found = name === null ? `null value ("${copy.nullText}")` : `"${name}"`
      throw fail(
        `column name mismatch in header line field ${index + 1}: got ${found}, expected "${columns[index]}"`,
      )
    }
  }
  const readRow = (): CopyRow => {
    const fields = columns.length === 0 && current.text === '' ? [] : readFields(current.text)
    if (fields.length > columns.length) throw fail('extra data after last expected column')
    if (fields.length < columns.length) {
      throw fail(`missing data for column "${columns[fields.length]}"`)
    }
    if (!isCsv) return { line: current.number, cells: fields, text: current.text }
    const cells = fields.map((field, index) => {
      if (field === null) return isNeverNull[index] === true ? copy.nullText : null
      return isForcedNull[index] === true && field === copy.nullText ? null : field
    })
    return { line: current.number, cells, text: current.text }
  }
  const rowsOf = ({ text, problem }: TextPiece, isLast: boolean): readonly CopyRow[] => {
    const rows: CopyRow[] = []
    splitter.push(text, isLast && problem === undefined, (line) => {
      current = line
      if (isHeaderAwaited) {
        isHeaderAwaited = false
        checkHeader()
      } else rows.push(readRow())
    })
    if (problem !== undefined) throw badEncoding(problem, copyContext(table, splitter.line()))
    if (isLast && isHeaderAwaited) checkHeader()
    return rows
  }
  return {
    push: (chunk) => (splitter.isOver() ? [] : rowsOf(reader.push(chunk), false)),
    end: () => (splitter.isOver() ? [] : rowsOf(reader.end(), true)),
  }
}
