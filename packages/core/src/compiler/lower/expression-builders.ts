/** @module Builders of small typed expressions and queries. */

import { GatewayError } from '../../foundation/errors.ts'
import type {
  OutputColumn,
  Query,
  RelationId,
  SelectQuery,
  SubqueryItem,
} from '../bind/tree/bound-query.ts'
import type {
  ColumnReference,
  Constant,
  Expression,
  NullTest,
  WholeRow,
  WindowCall,
} from '../bind/tree/expression.ts'
import { oids } from '../sql-types/oids.ts'
import type { SqlType } from '../sql-types/sql-type.ts'
import type { TypeSystem } from '../sql-types/system/type-system.ts'
import type { LoweringDialect } from './dialect.ts'

/** The context that all lowerings of one statement share. */
export interface LowerContext {
  readonly types: TypeSystem
  readonly dialect: LoweringDialect
  /** A RelationId or CteId that is not used yet. */
  nextId(): number
}

export const boolType: SqlType = { oid: oids.bool, typmod: -1 }
export const int8Type: SqlType = { oid: oids.int8, typmod: -1 }
export const recordType: SqlType = { oid: oids.record, typmod: -1 }

export const trueConstant: Constant = { kind: 'constant', value: 'true', type: boolType }
export const falseConstant: Constant = { kind: 'constant', value: 'false', type: boolType }

export function nullConstant(type: SqlType): Constant {
  return { kind: 'constant', value: null, type }
}

export function integer(value: number): Constant {
  return { kind: 'constant', value: String(value), type: int8Type }
}

export function isTrue(expression: Expression): boolean {
  return expression.kind === 'constant' && expression.value === 'true'
}

/** All conditions joined by AND; undefined when there are none. */
export function allOf(conditions: readonly (Expression | undefined)[]): Expression | undefined {
  const operands = conditions.flatMap(conjuncts).filter((condition) => !isTrue(condition))
  const [only, ...others] = operands
  if (only === undefined || others.length === 0) return only
  return { kind: 'logical', operator: 'and', operands, type: boolType }
}

export function conjuncts(condition: Expression | undefined): readonly Expression[] {
  if (condition === undefined) return []
  if (condition.kind !== 'logical' || condition.operator !== 'and') return [condition]
  return condition.operands.flatMap(conjuncts)
}

export function not(operand: Expression): Expression {
  return { kind: 'not', operand, type: boolType }
}

export function isNull(operand: Expression, negated = false): Expression {
  return { kind: 'nullTest', operand, negated, type: boolType }
}

/** A condition: the row of `relation` is real, not null-extended by an outer join. Lowered by `markNullExtendedRows`. */
export function isPresent(relation: RelationId): Expression {
  const row: WholeRow = { kind: 'wholeRow', relation, fields: [], type: recordType }
  return isNull(row, true)
}

/** Is it a result of `isPresent`? Clients cannot write such a condition. */
export function isPresenceTest(
  expression: Expression,
): expression is NullTest & { readonly operand: WholeRow } {
  if (expression.kind !== 'nullTest' || expression.operand.kind !== 'wholeRow') return false
  return expression.operand.fields.length === 0
}

/** An operator between two operands of the same type. */
export function compare(
  name: string,
  left: Expression,
  right: Expression,
  { types }: LowerContext,
): Expression {
  const resolved = types.resolveOperator(name, left.type.oid, right.type.oid)
  if (!resolved.ok) throw new GatewayError('internal', resolved.message)
  const type: SqlType = { oid: resolved.resultOid, typmod: -1 }
  return { kind: 'operator', operator: resolved.operator, left, right, type }
}

/** `row_number() over (partition by ... order by ...)` and similar calls. */
export function numbering(
  name: 'row_number' | 'rank',
  { partitionBy, orderBy }: Pick<WindowCall, 'partitionBy' | 'orderBy'>,
  { types }: LowerContext,
): WindowCall {
  const [found] = types.functionsNamed(name)
  if (found === undefined) throw new GatewayError('internal', `there is no ${name}()`)
  const call: Omit<WindowCall, 'partitionBy' | 'orderBy'> = {
    kind: 'window',
    function: found,
    args: [],
    filter: undefined,
    frame: undefined,
    type: int8Type,
  }
  return { ...call, partitionBy, orderBy }
}

/** `count(*) over ()` */
export function countOfRows({ types }: LowerContext): WindowCall {
  const found = types.functionsNamed('count').find(({ argumentOids }) => argumentOids.length === 0)
  if (found === undefined) throw new GatewayError('internal', 'there is no count(*)')
  return {
    kind: 'window',
    function: found,
    args: [],
    filter: undefined,
    partitionBy: [],
    orderBy: [],
    frame: undefined,
    type: int8Type,
  }
}

export function columnOf(relation: RelationId, column: number, type: SqlType): ColumnReference {
  return { kind: 'column', relation, column, type }
}

/** A reference to each column of a relation. */
export function allColumns(
  relation: RelationId,
  columns: readonly OutputColumn[],
): readonly ColumnReference[] {
  return columns.map(({ type }, index) => columnOf(relation, index, type))
}

/** A column that clients never see. */
export function unnamed(type: SqlType): OutputColumn {
  return { name: '', type }
}

type SelectParts = Partial<Omit<SelectQuery, 'kind' | 'outputs'>> & Pick<SelectQuery, 'outputs'>

/** A plain SELECT. */
export function select(parts: SelectParts): SelectQuery {
  return {
    kind: 'select',
    ctes: [],
    columns: parts.outputs.map(({ type }) => unnamed(type)),
    distinct: 'none',
    from: [],
    where: undefined,
    groupBy: undefined,
    isAggregated: false,
    having: undefined,
    locking: [],
    orderBy: [],
    limit: undefined,
    offset: undefined,
    ...parts,
  }
}

export function derived(id: RelationId, query: Query): SubqueryItem {
  return { kind: 'subquery', id, query, lateral: false }
}
