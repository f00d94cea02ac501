/** @module Sums of integers: health checks send them. */
import { GatewayError } from '@engine/core'
import { type Oid, oids } from '@engine/core/values'
import { beyondBuiltin, type Evaluated } from './evaluated.ts'

const operations: Readonly<Record<string, (left: bigint, right: bigint) => bigint>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
}

const bits: ReadonlyMap<Oid, number> = new Map([
  [oids.int2, 16],
  [oids.int4, 32],
  [oids.int8, 64],
])

/** Undefined for any other operator. */
export function arithmetic(
  operator: string,
  left: Evaluated,
  right: Evaluated,
): Evaluated | undefined {
  const compute = operations[operator]
  if (compute === undefined) return undefined
  const width = Math.max(widthOf(left), widthOf(right))
  const oid = [...bits].find(([, each]) => each === width)?.[0] ?? oids.int8
  return {
    oid,
    typmod: -1,
    cellOf: (row) => {
      const [first, second] = [left.cellOf(row), right.cellOf(row)]
      if (first === null || second === null) return null
      const result = compute(BigInt(first), BigInt(second))
      if (BigInt.asIntN(width, result) === result) return String(result)
      throw new GatewayError('dataError', 'integer out of range', { sqlState: '22003' })
    },
  }
}

function widthOf({ oid }: Evaluated): number {
  const width = bits.get(oid)
  if (width === undefined) throw beyondBuiltin('a sum of this type')
  return width
}
