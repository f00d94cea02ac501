/**
 * @module Functions of sequences. `nextval()` is the one function that changes the database. The binder makes their calls; resolution
 * never finds them.
 */
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

/** The number that the transaction drew last from a sequence. Its argument is that of `nextValue`. */
export const currentValue: PgFunction = {
  ...nextValue,
  oid: 1575,
  name: 'currval',
  signature: 'currval(regclass)',
}

/** Sets the number that was drawn last, for callers without any restriction. */
export const setValue: PgFunction = {
  ...nextValue,
  oid: 1576,
  name: 'setval',
  argumentOids: [oids.regclass, oids.int8],
  signature: 'setval(regclass,int8)',
}

/** Sets the number that was drawn last, or is drawn next. */
export const setValueCalled: PgFunction = {
  ...setValue,
  oid: 1765,
  argumentOids: [oids.regclass, oids.int8, oids.bool],
  signature: 'setval(regclass,int8,bool)',
}

/** The number that the transaction drew last from any sequence, triggers included. */
export const lastValue: PgFunction = {
  ...nextValue,
  oid: 2559,
  name: 'lastval',
  argumentOids: [],
  signature: 'lastval()',
}

/** A call that names a sequence, or reads what was drawn from one. */
function isSequenceCall(expression: Expression): expression is FunctionCall {
  return isNextValue(expression) || isDrawnValue(expression)
}

/** Does it read a number that was drawn before? */
function isDrawnValue(expression: Expression): expression is FunctionCall {
  if (expression.kind !== 'call') return false
  return expression.function === currentValue || expression.function === lastValue
}

/** Does it change a sequence? */
function isNextValue(expression: Expression): expression is FunctionCall {
  return expression.kind === 'call' && (expression.function === nextValue || isSetting(expression))
}

export function isSetting({ function: called }: FunctionCall): boolean {
  return called === setValue || called === setValueCalled
}

/** Every call of nextval() and setval() in a statement, in subqueries too. */
export function nextValuesOf(statement: BoundStatement): readonly FunctionCall[] {
  return callsOf(statement, isNextValue)
}

/** Every call of currval() and lastval(). */
export function drawnValuesOf(statement: BoundStatement): readonly FunctionCall[] {
  return callsOf(statement, isDrawnValue)
}

/** Every call of a function of sequences. */
export function sequenceCallsOf(statement: BoundStatement): readonly FunctionCall[] {
  return callsOf(statement, isSequenceCall)
}

function callsOf(
  statement: BoundStatement,
  isWanted: (expression: Expression) => expression is FunctionCall,
): readonly FunctionCall[] {
  const found: FunctionCall[] = []
  visitStatement(statement, { expression: (part) => void (isWanted(part) && found.push(part)) })
  return found
}

/** Calls of nextval() and setval() in an expression, and whether it contains a query. */
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
