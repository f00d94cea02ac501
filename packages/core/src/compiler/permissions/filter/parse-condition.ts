import { filterOperatorNames } from '@engine/contract'
import { suggestion } from '../../../foundation/faults.ts'
import { isPlainObject } from '../../../foundation/plain-object.ts'
import type { Column } from '../../catalog/catalog.ts'
import type { SqlType } from '../../sql-types/sql-type.ts'
import { allOf, unknown } from '../combination/kleene.ts'
import type { FilterContext } from './filter-context.ts'
import { filterOperator } from './filter-operators.ts'
import { comparison } from './operator-conditions.ts'
import type { PolicyFilter } from './policy-filter.ts'
import { columnOperand, type Operand } from './policy-operand.ts'
import { unknownOperator } from './unknown-operator.ts'

/** `column: value` or `column: { $op: operand, ... }`; several operators are AND-ed. */
export function parseColumnCondition(
  column: Column,
  value: unknown,
  context: FilterContext,
  path: string,
): PolicyFilter {
  return parseCondition(columnOperand(column), column.type, value, context, path)
}

/** The same for any left side: a column, or a field of the caller. */
export function parseCondition(
  left: Operand,
  type: SqlType,
  value: unknown,
  context: FilterContext,
  path: string,
): PolicyFilter {
  if (!isPlainObject(value) || isOperandObject(value)) {
    return comparison('=', left, type, value, context, path)
  }
  const entries = Object.entries(value)
  const word = entries.find(([key]) => !key.startsWith('$'))?.[0]
  if (entries.length === 0 || word !== undefined) {
    const hint = word === undefined ? '' : wordHint(word)
    context.faults.add(path, `expects a value or operators such as { $gt: 1 }${hint}`)
    return unknown
  }
  return allOf(
    entries.map(([key, operand]) =>
      parseOperator(key, left, type, operand, context, `${path}.${key}`),
    ),
  )
}

/** Names of operators in other libraries. */
const otherNames: Readonly<Record<string, string>> = {
  equals: 'eq',
  equal: 'eq',
  is: 'eq',
  not: 'ne',
}

/** Names what is no operator, and the operator that was probably meant. */
function wordHint(word: string): string {
  const plain = word.replace(/^_+/, '')
  const meant = suggestion(`$${otherNames[plain] ?? plain}`, filterOperatorNames)
  return `; "${word}" is no operator${meant}`
}

function isOperandObject(value: Readonly<Record<string, unknown>>): boolean {
  return ['$col', '$now', '$literal', '$outer'].some((key) => Object.hasOwn(value, key))
}

function parseOperator(
  key: string,
  left: Operand,
  type: SqlType,
  operand: unknown,
  context: FilterContext,
  path: string,
): PolicyFilter {
  const operator = filterOperator(key)
  if (operator === undefined) {
    context.faults.add(path, unknownOperator(key, filterOperatorNames))
    return unknown
  }
  const nested = (inner: unknown) => parseCondition(left, type, inner, context, path)
  return operator.build({ key, left, type, operand, context, path, nested })
}
