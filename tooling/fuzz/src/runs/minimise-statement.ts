import { simplest } from '../grammar/literals.ts'
import type { GeneratedStatement } from '../grammar/statement.ts'
import { minimise } from '../tree/minimise.ts'
import { smallerTrees } from '../tree/smaller-trees.ts'

/** The smallest statement found that still shows what `isInteresting` looks for. */
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
