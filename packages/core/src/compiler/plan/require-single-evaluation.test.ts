import { expect, test } from 'vitest'
import type { CompiledStatement, PlanStep } from './plan.ts'
import { requireSingleEvaluation } from './require-single-evaluation.ts'

function compiled(isWrite: boolean, ...calls: readonly (readonly number[])[]): CompiledStatement {
  const steps = calls.map(
    (volatileCalls): PlanStep => ({
      sql: '',
      parameters: [],
      yields: 'nothing',
      checkColumn: undefined,
      visibleColumn: undefined,
      volatileCalls,
    }),
  )
  return { steps, needsTransaction: true, isWrite, columns: [], hints: undefined }
}

const refusal = expect.objectContaining({ problem: 'unsupported', sqlState: '0A000', position: 7 })

test('a volatile call in two steps of a write is refused', () => {
  expect(() => requireSingleEvaluation(compiled(true, [7], [9, 7]))).toThrow(refusal)
})

test('a volatile call that stands twice in one step of a write is refused', () => {
  expect(() => requireSingleEvaluation(compiled(true, [7, 7]))).toThrow(refusal)
})

test('several volatile calls, each evaluated once, are not', () => {
  requireSingleEvaluation(compiled(true, [7, 8], [], [9]))
})

test('a read may evaluate one as often as it likes: it stores nothing', () => {
  requireSingleEvaluation(compiled(false, [7, 7]))
})
