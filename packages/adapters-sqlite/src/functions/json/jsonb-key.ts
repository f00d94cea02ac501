/** @module jsonb values as bytes whose order is PostgreSQL's, the same for 1.0 and 1.00. */
import { readDecimal } from '../decimal/decimal.ts'
import { decimalKey } from '../decimal/decimal-key.ts'
import { sqlError } from '../register/sql-error.ts'
import { canonical, nodeOf } from './json-text.ts'

/** Kinds in the order in which they sort inside an array or object. */
const ranks = { null: 1, string: 2, number: 3, boolean: 4, array: 5, object: 6 } as const

/** A scalar counts as an array of one item, which comes before a real one. */
export function jsonbKey(text: string): Uint8Array {
  const document = canonical(text)
  const node = nodeOf(document)
  if (node.kind === 'object') return Buffer.concat(partsOf(document))
  const isArray = node.kind === 'array'
  const size = isArray ? node.items.length : 1
  const items = isArray ? node.items.flatMap(partsOf) : partsOf(document)
  return Buffer.concat([
    Buffer.from([0]),
    countBytes(size),
    Buffer.from([isArray ? 1 : 0]),
    ...items,
  ])
}

/** Each part marks its own end, so that parts can be concatenated. */
function partsOf(text: string): readonly Buffer[] {
  const node = nodeOf(text)
  const rank = Buffer.from([ranks[node.kind]])
  switch (node.kind) {
    case 'null':
      return [rank]
    case 'boolean':
      return [rank, Buffer.from([node.text === 'true' ? 1 : 0])]
    case 'number': {
      const value = readDecimal(node.text)
      if (value === undefined) throw sqlError('22P02', 'a stored JSON number cannot be read')
      return [rank, textBytes(decimalKey(value))]
    }
    case 'string':
      return [rank, textBytes(String(JSON.parse(node.text)))]
    case 'array':
      return [rank, countBytes(node.items.length), ...node.items.flatMap(partsOf)]
    case 'object': {
      const members = [...node.members].flatMap(([key, value]) => [
        textBytes(key),
        ...partsOf(value),
      ])
      return [rank, countBytes(node.members.size), ...members]
    }
  }
}

/** No text in jsonb has a zero byte. */
function textBytes(text: string): Buffer {
  return Buffer.from(`${text}\0`)
}

function countBytes(count: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(count)
  return bytes
}
