import { simplest } from '../grammar/literals.ts'
import type { GeneratedStatement } from '../grammar/statement.ts'
import { minimise } from '../tree/minimise.ts'
import { smallerTrees } from '../tree/smaller-trees.ts'

/** Returns the smallest batch found that `isInteresting` still accepts. */
export function minimiseBatch(
  batch: readonly GeneratedStatement[],
  isInteresting: (batch: readonly GeneratedStatement[]) => Promise<boolean>,
): Promise<readonly GeneratedStatement[]> {
  return minimise(batch, smallerBatches, isInteresting, 500)
}

function* smallerBatches(
  batch: readonly GeneratedStatement[],
): Generator<readonly GeneratedStatement[]> {
  if (batch.length > 1) for (const i of batch.keys()) yield batch.toSpliced(i, 1)
  for (const [i, statement] of batch.entries()) {
    for (const tree of smallerTrees(statement.tree, simplest)) {
      yield batch.with(i, { ...statement, tree })
    }
  }
}
