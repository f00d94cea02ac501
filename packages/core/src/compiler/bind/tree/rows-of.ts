import type { DefaultCell, InsertSource, RepeatedRows } from './bound-query.ts'
import type { Expression } from './expression.ts'
import { mapExpression, type Rewriter } from './map-query.ts'

/** The rows of VALUES in full. */
export function rowsOf(
  source: Extract<InsertSource, { kind: 'values' }> | RepeatedRows,
): readonly (readonly (Expression | DefaultCell)[])[] {
  if (source.kind === 'values') return source.rows
  return source.rows.map(({ shape, shift }) => {
    const shifting: Rewriter = {
      expression: (part) =>
        part.kind === 'parameter' ? { ...part, index: part.index + shift } : part,
    }
    return (source.shapes[shape] ?? []).map((cell) =>
      cell.kind === 'default' ? cell : mapExpression(cell, shifting),
    )
  })
}
