import { simplest } from '../grammar/literals.ts'
import type { GeneratedStatement } from '../grammar/statement.ts'
import { minimise } from '../tree/minimise.ts'
import { smallerTrees } from '../tree/smaller-trees.ts'

/** Returns the smallest statement found that `isInteresting` still accepts. */
export async function minimiseStatement(
  statement: GeneratedStatement,
  isInteresting: (statement: GeneratedStatement) => Promise<boolean>,
): Promise<GeneratedStatement> {
  const tree = await minimise(
    statement.tree,
    (current) => smallerTrees(current, simplest),
    (candidate) => isInteresting({ ...statement, tree: candidate }),
  )
  return { ...statement, tree }
}
