import { oids, parameter, type Sql } from '@engine/core/adapter'

/** A text that the printer knows, as a bound value. */
export function constantText(value: string): Sql {
  return parameter({ from: 'constant', value, type: { oid: oids.text, typmod: -1 } })
}
