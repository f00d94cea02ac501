import { forEachToken } from './tokens.ts'

/** The characters of operators; a comment begins with two of them. */
const operatorRun = /[~!@#^&|`?+\-*/%<>=]+/y

/** Shorter runs take no noticeable time, however many there are. */
const longRun = /[~!@#^&|`?+\-*/%<>=]{32}/

/**
 * How many characters PostgreSQL's scanner reads and returns to its input. Wherever an operator or a comment begins it reads to
 * the end of the run of operator characters, and may keep one or two of them only: in `/*` and `+-` by the thousand that is a
 * quarter of an hour.
 *
 * @see `xcstart` and `operator` in scan.l of PostgreSQL
 */
export function scannerWork(sql: string): number {
  if (!longRun.test(sql)) return 0
  let work = 0
  let runEnd = 0
  let gapStart = 0
  const count = (at: number) => {
    if (at >= runEnd) {
      operatorRun.lastIndex = at
      runEnd = operatorRun.test(sql) ? operatorRun.lastIndex : at
    }
    work += runEnd - at
  }
  /** White space and comments lie between tokens; comments may be nested. */
  const countComments = (from: number, to: number) => {
    for (let at = sql.indexOf('/*', from); at >= 0 && at < to; at = sql.indexOf('/*', at + 2)) {
      count(at)
    }
  }
  forEachToken(sql, (kind, start, end) => {
    countComments(gapStart, start)
    if (kind === 'operator') count(start)
    gapStart = end
  })
  countComments(gapStart, sql.length)
  return work
}
