/** @module `nextval()`: the one function that changes the database. The binder makes its calls; resolution never finds it. */
import { oids } from '../../sql-types/oids.ts'
import type { PgFunction } from '../../sql-types/pg-type.ts'
import type { BoundStatement } from './bound-query.ts'
import type { Expression, FunctionCall } from './expression.ts'
import { visitExpression, visitStatement } from './visit-query.ts'

/** Its only argument is a constant: the sequence's name in the database, from the catalog. */
export const nextValue: PgFunction = {
  oid: 1574,
  name: 'nextval',
  kind: 'function',
  argumentOids: [oids.regclass],
  defaultCount: 0,
  resultOid: oids.int8,
  returnsSet: false,
  isStrict: true,
  volatility: 'volatile',
  isLeakproof: false,
  canRaise: true,
  isAllowed: true,
  signature: 'nextval(regclass)',
}

export function isNextValue(expression: Expression): expression is FunctionCall {
  return expression.kind === 'call' && expression.function === nextValue
}

/** Every call of nextval() in a statement, in subqueries too. */
export function nextValuesOf(statement: BoundStatement): readonly FunctionCall[] {
  const found: FunctionCall[] = []
  visitStatement(statement, { expression: (part) => void (isNextValue(part) && found.push(part)) })
  return found
}

/** Calls of nextval() in an expression, and whether it contains a query. */
export function nextValuesIn(expression: Expression): {
  readonly calls: number
  readonly hasQuery: boolean
} {
  let calls = 0
  let hasQuery = false
  visitExpression(expression, {
    expression: (part) => {
      if (isNextValue(part)) calls += 1
    },
    query: () => {
      hasQuery = true
    },
  })
  return { calls, hasQuery }
}
