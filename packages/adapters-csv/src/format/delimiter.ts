/** @module Detects the delimiter between the values of a file. */
import { createRecordScanner } from './scan-records.ts'

const candidates = [',', ';', '\t', '|'] as const

/** Number of records that are read. */
const sampleRecords = 50

/**
 * The delimiter with which the first records have the same number of values, and more than one; of several such
 * delimiters, the one with most values. A comma where none fits.
 *
 * @param start the beginning of the file.
 * @param isWhole no text follows: the last line is complete.
 */
export function findDelimiter(start: string, isWhole: boolean): string {
  let best: { readonly delimiter: string; readonly score: number } = { delimiter: ',', score: 0 }
  for (const delimiter of candidates) {
    const score = scoreOf(widths(start, delimiter, isWhole))
    if (score > best.score) best = { delimiter, score }
  }
  return best.delimiter
}

function widths(start: string, delimiter: string, isWhole: boolean): readonly number[] {
  const found: number[] = []
  const scanner = createRecordScanner(delimiter, {
    record: (cells) => void found.push(cells.length),
    fault: () => void found.push(0),
  })
  scanner.push(start)
  if (isWhole) scanner.end()
  return found.slice(0, sampleRecords)
}

/** Values per record, where most records have as many as the first. */
function scoreOf([first = 1, ...others]: readonly number[]): number {
  if (first < 2) return 0
  const agreeing = others.filter((width) => width === first).length
  return (first - 1) * ((agreeing + 1) / (others.length + 1)) ** 4
}
