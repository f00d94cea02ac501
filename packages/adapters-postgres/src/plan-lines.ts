import {
  createTypeSystem,
  type Execution,
  explainingStep,
  oids,
  type ResultSet,
} from '@engine/core'
import { nativeStatement } from './native-statement.ts'

const types = createTypeSystem()
const columns = [{ name: 'QUERY PLAN', type: { oid: oids.text, typmod: -1 } }]

/** EXPLAIN of every step, without ANALYZE: nothing runs. */
export async function planLines(
  execution: Execution,
  execute: (execution: Execution) => Promise<ResultSet>,
): Promise<readonly (readonly string[])[]> {
  const plans: (readonly string[])[] = []
  for (const [i, step] of execution.statement.steps.entries()) {
    const steps = [explainingStep(step, 'explain')]
    const { rows } = await execute({
      ...execution,
      statement: nativeStatement({ steps, columns, isWrite: false }, types),
      values: [execution.values[i] ?? []],
    })
    const lines = JSON.parse(`[${Buffer.from(rows).toString()}]`) as readonly [line: string][]
    plans.push(lines.map(([line]) => line))
  }
  return plans
}
