import { oids } from '@engine/core/catalog'
import { parameter, type Sql } from '@engine/core/print'
import type { Expression } from '@engine/core/tree'

/** A text known when printing, as a bound value. */
export function constantText(value: string): Sql {
  return parameter({ from: 'constant', value, type: { oid: oids.text, typmod: -1 } })
}

/** The text of a constant; undefined for any other expression. */
export function constantOf(expression: Expression | undefined): string | undefined {
  const value = expression?.kind === 'constant' ? expression.value : undefined
  return typeof value === 'string' ? value : undefined
}
