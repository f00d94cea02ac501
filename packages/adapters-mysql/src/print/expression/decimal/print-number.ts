/** @module Range checks that the server does not make, without writing the value twice. */
import { type Sql, sql } from '@engine/core/print'
import type { TypeClass } from '../../type-class.ts'

/**
 * Raises 22003 where a 64-bit result does not fit the type: uses sums that overflow 64 bits exactly then, and otherwise return to
 * the value.
 */
export function checkedInteger(value: Sql, typeClass: TypeClass): Sql {
  switch (typeClass) {
    case 'int2':
      return sql`(((${value} + 9223372036854743040) - 9223372036854743040 - 9223372036854743040) + 9223372036854743040)`
    case 'int4':
      return sql`(((${value} + 9223372034707292160) - 9223372034707292160 - 9223372034707292160) + 9223372034707292160)`
    default:
      return value
  }
}

/** A DECIMAL or integer, rounded half away from zero, as a BIGINT; more than 64 bits raise 22003. */
export function wholeOfDecimal(value: Sql): Sql {
  return sql`(round(${value}) div 1)`
}

/**
 * A DOUBLE, rounded half to even, as a BIGINT. Multiplied by 2^961 every double from 2^63 on overflows, which raises 22003; the
 * others are restored exactly.
 */
export function wholeOfDouble(value: Sql): Sql {
  return sql`cast(${value} * 1.94906280228e289 / 1.94906280228e289 as signed)`
}
