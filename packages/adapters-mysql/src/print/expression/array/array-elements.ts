import { oids, type SqlType } from '@engine/core/catalog'
import type { Constant, Expression } from '@engine/core/tree'
import type { PrintContext } from '../../print-context.ts'

/** The elements of an array constructor or constant, one expression each; undefined for any other array. */
export function elementsOf(
  array: Expression,
  context: PrintContext,
): readonly Expression[] | undefined {
  if (array.kind === 'array') return array.elements
  if (array.kind !== 'constant' || array.value === null || typeof array.value === 'string') {
    return undefined
  }
  const oid = context.types.elementTypeOid(array.type.oid) ?? oids.text
  const type: SqlType = { oid, typmod: -1 }
  if (array.value.some((each) => each !== null && typeof each !== 'string')) return undefined
  return array.value.map((value): Constant => ({ kind: 'constant', value, type }))
}
