import {
  type Cells,
  createTypeSystem,
  type Execution,
  explainingStep,
  oids,
  type PlanLineOptions,
  type ResultSet,
} from '@engine/core/adapter'
import { nativeStatement } from './native-statement.ts'

const types = createTypeSystem()
const typeOids = { text: oids.text, json: oids.json, xml: oids.xml, yaml: oids.text } as const
const usual: PlanLineOptions = { format: 'text', isVerbose: false, hasCosts: true }

/** EXPLAIN of every step, without ANALYZE: the statement does not run. */
export async function planLines(
  execution: Execution,
  execute: (execution: Execution) => Promise<ResultSet>,
  { format, isVerbose, hasCosts }: PlanLineOptions = usual,
): Promise<readonly (readonly string[])[]> {
  const plans: (readonly string[])[] = []
  const columns = [{ name: 'QUERY PLAN', type: { oid: typeOids[format], typmod: -1 } }]
  const keyword = `explain (verbose ${isVerbose}, costs ${hasCosts}, format ${format})`
  for (const [i, step] of execution.statement.steps.entries()) {
    const steps = [explainingStep(step, keyword)]
    const { rows } = await execute({
      ...execution,
      statement: {
        ...nativeStatement({ steps, columns, isWrite: false }, types),
        timeZone: execution.statement.timeZone,
      },
      rowShape: 'cells',
      values: [execution.values[i] ?? []],
    })
    const lines = JSON.parse(`[${Buffer.from(rows).toString()}]`) as readonly Cells[]
    plans.push(lines.map(([line]) => line ?? ''))
  }
  return plans
}
