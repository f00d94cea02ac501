/** @module The statement of an attempt. */
import type { Attempt } from './construct.ts'
import type { RowSet } from './sample-values.ts'

export interface TriedStatement {
  readonly sql: string
  readonly isOrdered: boolean
  readonly isWrite: boolean
}

/** `lower(a.c_text)`: `select lower(a.c_text) as v0 from main.samples a where a.id in (1, 2) order by a.id` */
export function statementOf(
  attempt: Exclude<Attempt, { kind: 'impossible' | 'question' }>,
  rows: RowSet,
): TriedStatement {
  if (attempt.kind === 'expression') {
    return { sql: selectOf([attempt], rows), isOrdered: attempt.over === 'row', isWrite: false }
  }
  const sql = attempt.sql.replaceAll('{rows}', rows)
  return attempt.kind === 'write'
    ? { sql, isOrdered: false, isWrite: true }
    : { sql, isOrdered: attempt.isOrdered, isWrite: false }
}

export type Expression = Extract<Attempt, { kind: 'expression' }>

/**
 * One statement of expressions over the same rows: a column each.
 *
 * @param expressions with the same `over` and `aliases`
 */
export function selectOf(expressions: readonly Expression[], rows: RowSet): string {
  const { over, aliases } = expressions[0] ?? { over: 'row', aliases: [] }
  const names = [...new Set(['a', ...aliases])].sort()
  const from = names.map((alias) => `main.samples ${alias}`).join(' cross join ')
  const where = names.map((alias) => `${alias}.id in (${rows})`).join(' and ')
  const order = over === 'row' ? ` order by ${names.map((alias) => `${alias}.id`).join(', ')}` : ''
  const items = expressions.map(({ sql }, index) => `${sql} as v${index}`)
  return `select ${items.join(', ')} from ${from} where ${where}${order}`
}
