import { integer, type Sql, sql } from '@engine/core/adapter'
import { sampledRows } from '../sampled-rows.ts'

/**
 * How often a loop checks whether it must stop. `sampled`: for one of `sampledRows`, where no row takes long: a call of JavaScript
 * costs more than such a row.
 */
export type Ticks = 'none' | 'each' | 'sampled'

/** `tick(column)` refers to the loop's own row, so that SQLite cannot take it out of the loop. */
export function printTick(column: Sql, ticks: Ticks): Sql | undefined {
  switch (ticks) {
    case 'none':
      return undefined
    case 'each':
      return sql`tick(${column})`
    case 'sampled':
      return sql`(random() & ${integer(sampledRows - 1)} or tick_sample(${column}))`
  }
}
