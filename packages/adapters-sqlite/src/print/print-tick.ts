import { integer, type Sql, sql } from '@engine/core/print'
import { sampledRows, scanDivisor, scannedRows } from '../functions/sampled-rows.ts'

/**
 * How often a loop checks whether it must stop. `sampled`: for one of `sampledRows`, where no row takes long: a call of JavaScript
 * costs more than such a row. `scanned`: the same, in a statement that reads each row of a table once.
 */
export type Ticks = 'none' | 'each' | 'sampled' | 'scanned'

/** `tick(column)` refers to the loop's own row, so that SQLite cannot take it out of the loop. */
export function printTick(column: Sql, ticks: Ticks): Sql | undefined {
  switch (ticks) {
    case 'none':
      return undefined
    case 'each':
      return sql`tick(${column})`
    case 'sampled':
    case 'scanned':
      return sql`(random() & ${integer(sampledRows - 1)} or tick_sample(${column}))`
  }
}

/**
 * In a scan the rowid tells whether to check, which costs less than `random()`. In a loop that comes back to the same rows, they
 * could all be rows without a check.
 */
export function printRowidTick(rowid: Sql, ticks: Ticks): Sql | undefined {
  if (ticks !== 'scanned') return printTick(rowid, ticks)
  const remainder = sql`${rowid} % ${integer(scanDivisor)}`
  return sql`((${remainder}) & ${integer(scannedRows - 1)} or tick_scan(${rowid}))`
}
