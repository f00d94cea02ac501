import {
  type Cells,
  type CompiledStatement,
  type Execution,
  GatewayError,
  type ResultSet,
} from '@engine/core/adapter'
import { createTypeSystem, oids } from '@engine/core/catalog'
import { explainingStep, type PlanLineOptions } from '@engine/core/driver'
import type { OutputColumn } from '@engine/core/tree'
import { hintsOf, nativeStatement } from './native-statement.ts'

const types = createTypeSystem()
const typeOids = { text: oids.text, json: oids.json, xml: oids.xml, yaml: oids.text } as const
const usual: PlanLineOptions = { format: 'text', isVerbose: false, hasCosts: true }

/** EXPLAIN ANALYZE: the statement runs. */
export function analyzedStatement(
  statement: CompiledStatement,
  options: PlanLineOptions,
): CompiledStatement {
  const [step, another] = statement.steps
  if (step === undefined || another !== undefined) {
    throw new GatewayError(
      'unsupported',
      'EXPLAIN ANALYZE is not supported for a statement that runs in several steps',
      { sqlState: '0A000' },
    )
  }
  const { isWrite, settings } = statement
  const steps = [explainingStep(step, explainKeyword(options))]
  const { belongsToTransaction, noNumbers } = hintsOf(statement)
  const columns = planColumns(options)
  const native = { steps, columns, isWrite, belongsToTransaction, noNumbers }
  return { ...nativeStatement(native, types), settings }
}

function planColumns({ format }: PlanLineOptions): readonly OutputColumn[] {
  return [{ name: 'QUERY PLAN', type: { oid: typeOids[format], typmod: -1 } }]
}

/** `explain (verbose false, costs true, format text, analyze true, buffers true)` */
function explainKeyword(options: PlanLineOptions): string {
  const { format, isVerbose, hasCosts, isAnalyzed = false, named = {} } = options
  const details = planDetails.flatMap((name) =>
    named[name] === undefined ? [] : [`, ${name} ${named[name]}`],
  )
  const analyze = isAnalyzed ? ', analyze true' : ''
  return `explain (verbose ${isVerbose}, costs ${hasCosts}, format ${format}${analyze}${details.join('')})`
}

const planDetails = ['buffers', 'settings', 'summary', 'timing', 'wal'] as const

/** EXPLAIN of every step, without ANALYZE: the statement does not run. */
export async function planLines(
  execution: Execution,
  execute: (execution: Execution) => Promise<ResultSet>,
  options: PlanLineOptions = usual,
): Promise<readonly (readonly string[])[]> {
  const plans: (readonly string[])[] = []
  const columns = planColumns(options)
  const keyword = explainKeyword(options)
  for (const [i, step] of execution.statement.steps.entries()) {
    const steps = [explainingStep(step, keyword)]
    const { rows } = await execute({
      ...execution,
      statement: {
        ...nativeStatement({ steps, columns, isWrite: false }, types),
        settings: execution.statement.settings,
      },
      rowShape: 'cells',
      values: [execution.values[i] ?? []],
    })
    const lines = JSON.parse(`[${Buffer.from(rows).toString()}]`) as readonly Cells[]
    plans.push(lines.map(([line]) => line ?? ''))
  }
  return plans
}
