/** @module The type of a value while it is named: see `let-binding.ts`. */

import type { Sql } from '@engine/core/print'
import type { Expression } from '@engine/core/tree'
import { classOfType, type PrintContext, print, refuse } from '../../print-context.ts'
import { canBind } from './can-bind.ts'
import { letValues } from './let-binding.ts'
import type { NamedKind, NamedValue } from './named-value.ts'

/** Not for numerics, which have several values: see `decimal-operands.ts`. */
export function namedValue(expression: Expression, context: PrintContext): NamedValue {
  return { value: print(expression, context), kind: kindOf(expression, context) }
}

function kindOf(expression: Expression, context: PrintContext): NamedKind {
  switch (classOfType(expression.type, context)) {
    case 'bool':
    case 'int2':
    case 'int4':
    case 'int8':
      return 'integer'
    case 'float4':
      return 'float'
    case 'float8':
      return 'double'
    case 'date':
      return 'date'
    case 'time':
      return 'time'
    case 'timestamp':
    case 'timestamptz':
      return 'timestamp'
    case 'bytea':
      return 'bytes'
    case 'text':
    case 'bpchar':
    case 'uuid':
    case 'json':
    case 'jsonb':
    case 'array':
    case 'record':
      return 'text'
    case 'numeric':
    case 'interval':
    case 'other':
      return refuse('such a value that is used several times', expression.position)
  }
}

/** `letValues` for expressions. */
export function letExpressions(
  expressions: readonly Expression[],
  context: PrintContext,
  body: (...names: readonly Sql[]) => Sql,
  mostPieces?: number,
): Sql {
  const values = expressions.map((each) => namedValue(each, context))
  return letValues(values, context, expressions.every(canBind), body, mostPieces)
}
