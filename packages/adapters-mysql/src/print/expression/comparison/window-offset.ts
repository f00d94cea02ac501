import { type Sql, sql } from '@engine/core/adapter'
import { refuse } from '../../print-context.ts'
import type { AggregateCall } from './aggregate-call.ts'

/** Window functions that return a value of another row. `rest`: the offset or position, if there is one. */
export function offsetCall(
  make: AggregateCall,
  name: 'lag' | 'lead' | 'first_value' | 'last_value' | 'nth_value',
  value: Sql,
  rest: readonly Sql[],
  position: number | undefined,
): Sql {
  const [offset, otherwise] = rest
  if (otherwise !== undefined) return refuse(`${name} with a default`, position)
  switch (name) {
    case 'first_value':
    case 'last_value':
      return make(name, value)
    case 'nth_value':
      return make(name, value, offset ?? sql`1`)
    default:
      return offset === undefined ? make(name, value) : make(name, value, offset)
  }
}
