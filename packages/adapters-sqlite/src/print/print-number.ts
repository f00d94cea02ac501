/** @module Range checks that SQLite does not make. */
import type { Sql } from '@engine/core/print'
import { call } from './print-context.ts'
import type { TypeClass } from './type-class.ts'

/** Raises 22003 where the 64-bit result does not fit the type, or overflowed 64 bits and became a REAL. */
export function checkedInteger(value: Sql, typeClass: TypeClass): Sql {
  switch (typeClass) {
    case 'int2':
      return call('int2', value)
    case 'int4':
      return call('int4', value)
    default:
      return call('int8', value)
  }
}
