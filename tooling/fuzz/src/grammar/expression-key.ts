/** @module Values that are equal but have different texts, and their replacement where only one of them is returned. */
import { group, plain, type Tree } from '../tree/tree.ts'
import type { Leaf } from './grammar.ts'
import { isKeyType, type TypeName } from './types.ts'

/** An expression whose equal values have the same text: 1.0 and 1.00 do not, nor do 30 days and a month. */
export function keyed(tree: Tree, type: TypeName): Tree {
  const e = group(`e:${type}`)
  switch (type) {
    case 'numeric':
      return e`round(${tree}, 2)`
    case 'float8':
      return e`(${tree} + 0::float8)`
    case 'interval':
      return e`justify_interval(${tree})`
    default:
      return tree
  }
}

/** Leaves as sort keys for which no two different rows are equal. */
export function exactKeys(leaves: readonly Leaf[]): readonly Tree[] {
  return leaves.map(({ tree, type }) => (isExact(type) ? tree : plain`(${tree})::text`))
}

function isExact(type: TypeName): boolean {
  return isKeyType(type) && type !== 'numeric' && type !== 'float8' && type !== 'interval'
}
