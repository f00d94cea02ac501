/** @module The text that PostgreSQL prints for a checked value. */
import { type Oid, oids } from '../oids.ts'
import type { TypeTable } from '../type-table.ts'
import { boundsText } from './array-bounds.ts'
import { arrayText } from './array-text.ts'
import { bytesText } from './bytes-input.ts'
import { floatText } from './float-text.ts'
import type { InputArray, InputValue } from './input-value.ts'

/** Inside arrays booleans are `t` and `f`, elsewhere `true` and `false`: `bool` reads both. */
export function inputText(types: TypeTable, oid: Oid, value: Exclude<InputValue, null>): string {
  switch (typeof value) {
    case 'string':
      return value
    case 'boolean':
    case 'bigint':
      return String(value)
    case 'number':
      return floatText(value, types.baseTypeOid(oid) === oids.float4 ? 'float4' : 'float8')
    default:
      return value instanceof Uint8Array ? bytesText(value) : textOfArray(types, value)
  }
}

function textOfArray(types: TypeTable, array: InputArray): string {
  const { elementOid, dimensions, lowerBounds = [], elements } = array
  const texts = elements.map((element) => {
    if (element === null) return null
    if (typeof element === 'boolean') return element ? 't' : 'f'
    return inputText(types, elementOid, element)
  })
  const delimiter = types.typeByOid(elementOid)?.delimiter ?? ','
  return boundsText(dimensions, lowerBounds) + arrayText(dimensions, texts, delimiter)
}
