import { type CompiledStatement, type PlanStep, sqlOf } from '@engine/core/adapter'
import { createTypeSystem } from '@engine/core/catalog'
import { type CellKind, cellKindOf, parameterKindOf } from '@engine/core/values'
import type { Program, ProgramStep } from './program.ts'
import { withRowSizeGuard } from './row-size-guard.ts'

/** SQLite has no types of its own: only PostgreSQL's built-in types occur. */
const types = createTypeSystem()

let lastId = 0

const programs = new WeakMap<CompiledStatement, Program>()

/** The program of a compiled statement; made once. */
export function programOf(statement: CompiledStatement): Program {
  const known = programs.get(statement)
  if (known !== undefined) return known
  const program = makeProgram(statement)
  programs.set(statement, program)
  return program
}

function makeProgram(statement: CompiledStatement): Program {
  const { steps, columns, isWrite, needsTransaction, hints } = statement
  const cells = columns.map(({ type }) => cellKindOf(type, types))
  // A LIMIT of its own keeps the order of the rows inside another query.
  const isGuarded = !isWrite && hints?.['limited'] === true
  const exactSql = hints?.['exactSql'] as string | undefined
  lastId += 1
  return {
    id: lastId,
    steps: steps.map((step) => programStep(step, isGuarded ? cells : [], exactSql)),
    columns: columns.map(({ name }, index) => ({ name, cell: cells[index] ?? { kind: 'text' } })),
    isWrite,
    needsTransaction: needsTransaction || isWrite || steps.length > 1,
    isBounded: hints?.['bounded'] === true,
    isStored: hints?.['stored'] === true,
    isSimple: hints?.['bounded'] === true || hints?.['simple'] === true,
  }
}

function programStep(
  step: PlanStep,
  cells: readonly CellKind[],
  exactSql: string | undefined,
): ProgramStep {
  const { yields, checkColumn, visibleColumn } = step
  const sql = sqlOf(step)
  const parameters = step.parameters.map((source) => parameterKindOf(source, types))
  const placeholder = parameters.length + 1
  const hasExtra = checkColumn !== undefined || visibleColumn !== undefined
  const guard = (text: string) =>
    yields === 'result' && !hasExtra ? withRowSizeGuard(text, cells, placeholder) : undefined
  const guarded = guard(sql)
  return {
    sql: guarded ?? sql,
    exactSql: exactSql === undefined ? undefined : (guard(exactSql) ?? exactSql),
    parameters,
    sizePlaceholder: guarded === undefined ? undefined : placeholder,
    yields,
    checkColumn,
    visibleColumn,
  }
}
