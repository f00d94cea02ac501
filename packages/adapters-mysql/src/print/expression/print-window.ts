/** @module Window functions; the list after OVER is in `window-definition.ts`. */
import { boundToLevel, type Sql, sql } from '@engine/core/print'
import type { WindowCall } from '@engine/core/tree'
import { nullSql, type PrintContext, print, refuse } from '../print-context.ts'
import { aggregateCall } from './comparison/aggregate-call.ts'
import { pickedValue, positiveCount } from './comparison/window-count.ts'
import { printWindowDefinition } from './comparison/window-definition.ts'
import { printAggregate } from './print-aggregate.ts'

export function printWindow(expression: WindowCall, context: PrintContext): Sql {
  const { function: called, args, position } = expression
  if (called.kind === 'aggregate') return printAggregate(expression, context)
  const make = aggregateCall(expression, context)
  const [argument, count, otherwise] = args
  switch (called.name) {
    case 'row_number':
      return make('row_number')
    case 'rank':
      return make('rank')
    case 'dense_rank':
      return make('dense_rank')
    case 'percent_rank': {
      // The server's own has ten digits only.
      const total = countOfPartition(expression, context)
      return sql`case when ${total} > 1 then cast(${make('rank')} - 1 as double) / (${total} - 1) else 0e0 end`
    }
    case 'cume_dist': {
      const upToPeers = printWindowDefinition({ ...expression, frame: peers }, context)
      return sql`(cast(count(*) over ${upToPeers} as double) / ${countOfPartition(expression, context)})`
    }
    case 'ntile': {
      const buckets = argument && positiveCount(argument, '22014', context)
      return buckets === undefined ? nullSql : make('ntile', buckets)
    }
    case 'lag':
    case 'lead':
    case 'first_value':
    case 'last_value':
    case 'nth_value':
      return pickedValue(
        called.name,
        argument === undefined ? nullSql : print(argument, context),
        count,
        otherwise === undefined ? undefined : print(otherwise, context),
        make,
        context,
      )
    default:
      return refuse(`the window function ${called.name}`, position)
  }
}

const peers = {
  mode: 'range',
  start: { kind: 'unboundedPreceding' },
  end: { kind: 'currentRow' },
  exclude: 'none',
} as const

const wholePartition = {
  mode: 'rows',
  start: { kind: 'unboundedPreceding' },
  end: { kind: 'unboundedFollowing' },
  exclude: 'none',
} as const

/** Sorted like the window itself: beside other windows, a window without keys makes MariaDB sort theirs the wrong way. */
function countOfPartition(expression: WindowCall, context: PrintContext): Sql {
  const count = { ...expression.function, name: 'count' }
  const whole: WindowCall = { ...expression, function: count, frame: wholePartition }
  return boundToLevel(sql`count(*) over ${printWindowDefinition(whole, context)}`)
}
