/** @module Conditions on rows that are not stored yet. */
import type { FromItem, SelectQuery } from '../../bind/tree/bound-query.ts'
import type { ColumnReference, Expression } from '../../bind/tree/expression.ts'
import { copyOfExpression } from '../../bind/tree/fresh-copy.ts'
import { mapExpression } from '../../bind/tree/map-query.ts'
import type { Table } from '../../catalog/catalog.ts'
import { oids } from '../../sql-types/oids.ts'
import type { TypeSystem } from '../../sql-types/system/type-system.ts'
import { booleanConstant, combine } from '../filter/filter-expression.ts'

export interface ProposalContext {
  readonly types: TypeSystem
  /** A fresh RelationId. */
  readonly nextId: () => number
  /** Called when a part of a condition cannot be known before the row is stored. */
  readonly missUnknowable: () => void
}

/** The marker for a value that the database computes only when it stores the row. */
export const unknowable: unique symbol = Symbol('unknowable')

/** Does the database compute a cell of a stored row, whatever value a write sets? */
export function isComputed(table: Table, ordinal: number): boolean {
  const column = table.columns[ordinal]
  return (
    column === undefined ||
    column.generated === 'always' ||
    table.triggerColumns?.has(ordinal) === true
  )
}

/** The replacement for a cell of a row; undefined leaves the cell as it is. */
export type CellOf = (cell: ColumnReference) => Expression | typeof unknowable | undefined

/** The replacement for `oldCondition` number `index`. */
export type OldConditionOf = (index: number) => Expression | undefined

/**
 * `condition` with its cells replaced. A part that depends on unknowable cells is left out under AND and OR (and reported): the
 * result never selects fewer rows than the condition.
 */
export function conditionOn(
  condition: Expression,
  cellOf: CellOf,
  context: ProposalContext,
  oldConditionOf: OldConditionOf = () => undefined,
): Expression {
  if (condition.kind === 'logical') {
    const operands = condition.operands.map((operand) =>
      conditionOn(operand, cellOf, context, oldConditionOf),
    )
    return combine(condition.operator, operands)
  }
  const known = withCells(condition, cellOf, context, oldConditionOf)
  if (known === undefined) context.missUnknowable()
  return known ?? booleanConstant(true)
}

/** `expression` with its cells replaced; undefined when it needs an unknowable cell. */
export function withCells(
  expression: Expression,
  cellOf: CellOf,
  context: ProposalContext,
  oldConditionOf: OldConditionOf = () => undefined,
): Expression | undefined {
  let isKnown = true
  const before = (part: Expression): Expression | undefined => {
    if (part.kind === 'oldCondition') return oldConditionOf(part.index)
    const cell = part.kind === 'column' ? cellOf(part) : undefined
    if (cell === unknowable || isWholeRow(part, cellOf)) isKnown = false
    return cell === undefined || cell === unknowable ? undefined : copyOfExpression(cell, context)
  }
  const result = mapExpression(expression, { before })
  return isKnown ? result : undefined
}

/** A whole row of a relation whose cells are replaced is no longer available. */
function isWholeRow(part: Expression, cellOf: CellOf): boolean {
  if (part.kind !== 'wholeRow') return false
  const { relation, type } = part
  return cellOf({ kind: 'column', relation, column: 0, type }) !== undefined
}

/**
 * A query that has a row when `check` is not TRUE for one of the rows of `from` for which `asked` is TRUE. CASE keeps the order
 * of evaluation: the check is evaluated only where the write would have evaluated it.
 */
export function failingRows(
  from: readonly FromItem[],
  asked: Expression | undefined,
  check: Expression,
): SelectQuery & { readonly where: Expression } {
  const boolean = { oid: oids.bool, typmod: -1 }
  const failed: Expression = {
    kind: 'booleanTest',
    operand: check,
    test: 'true',
    negated: true,
    type: boolean,
  }
  const where: Expression =
    asked === undefined
      ? failed
      : {
          kind: 'case',
          whens: [{ condition: asked, result: failed }],
          otherwise: booleanConstant(false),
          type: boolean,
        }
  const int4 = { oid: oids.int4, typmod: -1 }
  return {
    kind: 'select',
    ctes: [],
    columns: [{ name: '?column?', type: int4 }],
    outputs: [{ kind: 'constant', value: '1', type: int4 }],
    distinct: 'none',
    from,
    where,
    groupBy: undefined,
    isAggregated: false,
    having: undefined,
    locking: [],
    orderBy: [],
    limit: { count: undefined, max: 1, withTies: false },
    offset: undefined,
  }
}
