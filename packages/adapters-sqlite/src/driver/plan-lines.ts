import type { Execution, ResultSet } from '@engine/core/adapter'
import { oids, type SqlType } from '@engine/core/catalog'
import { explainingStep } from '@engine/core/driver'

const int4: SqlType = { oid: oids.int4, typmod: -1 }
const text: SqlType = { oid: oids.text, typmod: -1 }

/** The columns of EXPLAIN QUERY PLAN. */
const columns = [
  { name: 'id', type: int4 },
  { name: 'parent', type: int4 },
  { name: 'notused', type: int4 },
  { name: 'detail', type: text },
]

type PlanRow = readonly [id: number, parent: number, notUsed: number, detail: string]

/** EXPLAIN QUERY PLAN of every step: nothing runs. Rows that a step would keep for a later one are missing. */
export async function planLines(
  execution: Execution,
  execute: (execution: Execution) => Promise<ResultSet>,
): Promise<readonly (readonly string[])[]> {
  const plans: (readonly string[])[] = []
  for (const [i, step] of execution.statement.steps.entries()) {
    const { rows } = await execute({
      ...execution,
      statement: {
        steps: [explainingStep(step, 'explain query plan')],
        needsTransaction: false,
        isWrite: false,
        columns,
        hints: undefined,
      },
      values: [execution.values[i] ?? []],
    })
    plans.push(treeLines(JSON.parse(`[${Buffer.from(rows).toString()}]`) as readonly PlanRow[]))
  }
  return plans
}

/** Parents come before their children. */
function treeLines(rows: readonly PlanRow[]): readonly string[] {
  const depths = new Map<number, number>()
  return rows.map(([id, parent, , detail]) => {
    const depth = (depths.get(parent) ?? -1) + 1
    depths.set(id, depth)
    return `${'  '.repeat(depth)}${detail}`
  })
}
