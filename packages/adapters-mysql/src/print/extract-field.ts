/** @module Fields of dates and times, for extract() and date_part(). */

import { oids, type SqlType } from '@engine/core/catalog'
import type { Expression } from '@engine/core/tree'

/** The field's name in lower case; undefined where it is not constant. */
export function fieldOf(expression: Expression | undefined): string | undefined {
  const value = expression?.kind === 'constant' ? expression.value : undefined
  return typeof value === 'string' ? value.toLowerCase() : undefined
}

/** The digits after the point in the result of extract() for this type; undefined where they vary. */
export function fieldScale(field: Expression, source: SqlType): number | undefined {
  switch (fieldOf(field)) {
    case undefined:
    case 'julian':
      return undefined
    case 'second':
    case 'seconds':
    case 'sec':
    case 'secs':
    case 's':
      return source.oid === oids.date ? 0 : 6
    case 'millisecond':
    case 'milliseconds':
    case 'msec':
    case 'msecs':
    case 'ms':
    case 'msecond':
    case 'mseconds':
    case 'mil':
    case 'mils':
      return source.oid === oids.date ? 0 : 3
    case 'epoch':
      return source.oid === oids.date ? 0 : 6
    default:
      return 0
  }
}
