/** @module Documents for the server's JSON functions. */
import { type Expression, parameter, type Sql } from '@engine/core/adapter'
import { isHeldJson } from '../../../values/held-json.ts'
import { documentForm } from '../../../values/parameter-kind.ts'
import { classOfType, type PrintContext, print, refuse, relationOf } from '../../print-context.ts'
import { nativeOf } from '../../read-stored.ts'
import { canBind } from '../binding/can-bind.ts'
import type { NamedValue } from '../binding/named-value.ts'
import { heldJson } from './json-numbers.ts'
import { ofServer } from './server-json.ts'

/** A json or jsonb whose numbers the server's JSON functions do not change: other documents are refused, here or at run time. */
export function documentOf(expression: Expression, context: PrintContext): Sql {
  if (!context.traits.hasJsonType) return print(expression, context)
  const stored = storedDocument(expression, context)
  if (stored !== undefined) return stored
  if (expression.kind === 'parameter') {
    const { index, type } = expression
    return ofServer(parameter({ from: 'request', index, type, form: documentForm }), context)
  }
  const value = print(expression, context)
  if (isHeld(expression, context)) return value
  if (expression.kind === 'constant') {
    return refuse('JSON with a number like this', expression.position)
  }
  return heldJson(value, context, canBind(expression))
}

export function namedDocument(expression: Expression, context: PrintContext): NamedValue {
  return { value: documentOf(expression, context), kind: 'text' }
}

/** A column in the server's binary form of documents. */
function storedDocument(expression: Expression, context: PrintContext): Sql | undefined {
  if (expression.kind !== 'column') return undefined
  const column = relationOf(expression.relation, context).column(expression.column)
  const isStored = column.stored !== undefined && nativeOf(column.stored).dataType === 'json'
  return isStored ? column.sql : undefined
}

/** Has the server parsed it before, or was it checked when it was sent? */
function isHeld(expression: Expression, context: PrintContext): boolean {
  switch (expression.kind) {
    case 'constant':
      return typeof expression.value !== 'string' || isHeldJson(expression.value)
    case 'parameter':
      return true
    case 'operator':
      return isDocument(expression.left, context)
    case 'call':
      return editors.has(expression.function.name)
    case 'cast':
      return isDocument(expression.operand, context) && isHeld(expression.operand, context)
    default:
      return false
  }
}

function isDocument(expression: Expression | undefined, context: PrintContext): boolean {
  if (expression === undefined) return false
  const typeClass = classOfType(expression.type, context)
  return typeClass === 'json' || typeClass === 'jsonb'
}

/** Functions that print documents which they have parsed. */
const editors: ReadonlySet<string> = new Set([
  'json_extract_path',
  'jsonb_extract_path',
  'jsonb_set',
  'json_strip_nulls',
  'jsonb_strip_nulls',
])
