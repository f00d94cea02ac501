/** @module Variances and standard deviations. */
import type { Sql } from '@engine/core/print'
import { print } from '../print-context.ts'
import { isFloat, isInteger } from '../type-class.ts'
import type { Part } from './aggregate-part.ts'

/** Statistics of numerics and floats. */
export function variance(part: Part, name: string): Sql | undefined {
  const { argument, typeClass, make, context } = part
  const value = print(argument, context)
  if (isFloat(typeClass)) {
    switch (name) {
      case 'variance':
      case 'var_samp':
        return make('float_var_samp', value)
      case 'var_pop':
        return make('float_var_pop', value)
      case 'stddev':
      case 'stddev_samp':
        return make('float_stddev_samp', value)
      case 'stddev_pop':
        return make('float_stddev_pop', value)
      default:
        return undefined
    }
  }
  if (typeClass !== 'numeric' && !isInteger(typeClass)) return undefined
  switch (name) {
    case 'variance':
    case 'var_samp':
      return make('dec_var_samp', value)
    case 'var_pop':
      return make('dec_var_pop', value)
    case 'stddev':
    case 'stddev_samp':
      return make('dec_stddev_samp', value)
    case 'stddev_pop':
      return make('dec_stddev_pop', value)
    default:
      return undefined
  }
}
