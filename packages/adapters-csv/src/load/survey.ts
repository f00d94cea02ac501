/** @module Infers the type and the spelling of each column from the values of a file. */
import type { FileFormat } from '../format/file-format.ts'
import { readRecords, readStart } from '../format/read-records.ts'
import { createRecordScanner, type RecordHandler } from '../format/scan-records.ts'
import { type ColumnObserver, type ObservedColumn, observeColumn } from '../types/infer-column.ts'
import type { Spelling } from './load-job.ts'

export interface SurveyedColumn extends ObservedColumn {
  readonly name: string
  readonly spelling: Spelling
}

/** From the beginning of the file: the probable types of the columns. */
export function surveyStart(path: string, format: FileFormat): readonly SurveyedColumn[] {
  const { start, isWhole } = readStart(path)
  const survey = createSurvey(format)
  const scanner = createRecordScanner(format.delimiter, survey)
  scanner.push(start)
  if (isWhole) scanner.end()
  return survey.columns()
}

/** From the whole file. Rows that cannot be read are ignored. */
export function surveyFile(
  path: string,
  format: FileFormat,
  onProgress: (bytes: number) => void,
): readonly SurveyedColumn[] {
  const survey = createSurvey(format)
  readRecords(path, format.encoding, format.delimiter, survey, onProgress)
  return survey.columns()
}

interface Survey extends RecordHandler {
  columns(): readonly SurveyedColumn[]
}

/** The spelling of values is determined from this number of rows. */
const spellingRows = 10_000

function createSurvey({ names, header }: FileFormat): Survey {
  const observers: readonly ColumnObserver[] = names.map(() => observeColumn())
  const spellings = names.map(() => ({ true: '', false: '', separator: '' }))
  let isHeader = header !== undefined
  let rowCount = 0
  const see = (cells: readonly string[]): void => {
    for (let index = 0; index < observers.length; index += 1) {
      observers[index]?.see(cells[index] ?? '')
    }
    rowCount += 1
    if (rowCount > spellingRows) return
    for (const [index, spelling] of spellings.entries()) noteSpelling(spelling, cells[index] ?? '')
  }
  return {
    record: (cells) => {
      if (!isHeader && cells.length === names.length) see(cells)
      isHeader = false
    },
    fault: () => undefined,
    columns: () =>
      names.flatMap((name, index) => {
        const observed = observers[index]?.result()
        const spelling = spellings[index]
        if (observed === undefined || spelling === undefined) return []
        return [{ name, ...observed, spelling: withDefaults(spelling) }]
      }),
  }
}

interface MutableSpelling {
  true: string
  false: string
  separator: string
}

function noteSpelling(spelling: MutableSpelling, cell: string): void {
  if (cell.length > 40) return
  if (spelling.true === '' && /^true$/i.test(cell)) spelling.true = cell
  else if (spelling.false === '' && /^false$/i.test(cell)) spelling.false = cell
  else if (spelling.separator === '' && /^\d{4}-\d\d-\d\d[ T]\d/.test(cell)) {
    spelling.separator = cell[10] ?? ''
  }
}

function withDefaults(spelling: MutableSpelling): Spelling {
  return {
    true: spelling.true || 'true',
    false: spelling.false || 'false',
    separator: spelling.separator || ' ',
  }
}
