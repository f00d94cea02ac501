/** @module Typed operator and function calls for policies: the same as binding a client's text, without the text. */

import type { SqlType } from '../../sql-types/sql-type.ts'
import type { TypeSystem } from '../../sql-types/system/type-system.ts'
import type { Cast, Expression, OperatorCall } from './expression.ts'

/** An expression, or the reason why there is none. */
export type Made = Expression | { readonly error: string }

/** @throws {Error} if there is none: the caller has checked before that the call exists. */
export function made(expression: Made): Expression {
  if ('error' in expression) throw new Error(expression.error)
  return expression
}

/** An operator between two operands. */
export type BinaryCall = OperatorCall & { readonly left: Expression }

/** `left <name> right` with PostgreSQL's implicit casts, or the reason why there is no such operator. */
export function operatorCall(
  types: TypeSystem,
  name: string,
  left: Expression,
  right: Expression,
): BinaryCall | { readonly error: string } {
  const resolved = types.resolveOperator(name, left.type.oid, right.type.oid)
  if (!resolved.ok) return { error: resolved.message }
  return {
    kind: 'operator',
    operator: resolved.operator,
    left: implicitCast(types, left, resolved.leftOid ?? left.type.oid),
    right: implicitCast(types, right, resolved.rightOid),
    type: { oid: resolved.resultOid, typmod: -1 },
  }
}

/** `name(args)` with PostgreSQL's implicit casts, or the reason why there is no such function. */
export function functionCall(types: TypeSystem, name: string, args: readonly Expression[]): Made {
  const resolved = types.resolveFunction(
    name,
    args.map((arg) => arg.type.oid),
  )
  if (!resolved.ok) return { error: resolved.message }
  if (resolved.kind === 'cast') return { error: `${name} is a cast` }
  return {
    kind: 'call',
    function: resolved.function,
    args: args.map((arg, i) => implicitCast(types, arg, resolved.argumentOids[i] ?? arg.type.oid)),
    type: { oid: resolved.resultOid, typmod: -1 },
  }
}

/** `expression` as a value of type `oid`; unchanged when it already is one. */
export function implicitCast(types: TypeSystem, expression: Expression, oid: number): Expression {
  const coercion = types.coercion(expression.type.oid, oid, 'implicit')
  if (coercion === undefined || coercion.kind === 'none') return expression
  const methods: Readonly<Record<string, Cast['method']>> = {
    relabel: 'binary',
    domain: 'binary',
    cast: 'function',
    inout: 'inout',
    unknownLiteral: 'inout',
    arrayCast: 'array',
  }
  const type: SqlType = { oid, typmod: -1 }
  return {
    kind: 'cast',
    operand: expression,
    method: methods[coercion.kind] ?? 'inout',
    isExplicit: false,
    type,
  }
}
