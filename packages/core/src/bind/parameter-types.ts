import type { GatewayError } from '../errors.ts'
import type { SqlType } from '../sql-types/sql-type.ts'
import type { TypeSystem } from '../sql-types/type-system.ts'
import { bindError } from './bind-error.ts'
import type { ParameterTypes } from './context.ts'

/** Discovers the types of `$1 ... $n` of one statement, as PostgreSQL's PREPARE without a type list does. */
export function createParameterTypes(types: TypeSystem): ParameterTypes {
  const found = new Map<number, SqlType>()
  return {
    typeOf: (index) => found.get(index),
    fix: (index, type, position) => {
      const earlier = found.get(index)
      if (earlier === undefined) {
        found.set(index, type)
        return
      }
      if (earlier.oid === type.oid) return
      const pair = `${types.formatType(earlier.oid)} versus ${types.formatType(type.oid)}`
      throw bindError(`inconsistent types deduced for parameter $${index + 1}: ${pair}`, {
        sqlState: '42P08',
        position,
      })
    },
    finish: (count) =>
      Array.from({ length: count }, (_, index) => {
        const type = found.get(index)
        if (type === undefined) throw undeterminedParameter(index, undefined)
        return type
      }),
  }
}

/** For a parameter that nothing gives a type. */
export function undeterminedParameter(index: number, position: number | undefined): GatewayError {
  return bindError(`could not determine data type of parameter $${index + 1}`, {
    sqlState: '42P18',
    position,
  })
}
