import type { Query } from './bound-query.ts'
import type { Expression } from './expression.ts'

/** Every expression that can become column `column` of a query. */
export function outputsOf(query: Query, column: number): readonly Expression[] {
  switch (query.kind) {
    case 'select':
      return query.outputs.slice(column, column + 1)
    case 'setOperation':
      return [...outputsOf(query.left, column), ...outputsOf(query.right, column)]
    case 'values':
      return query.rows.flatMap((row) => row.slice(column, column + 1))
  }
}
