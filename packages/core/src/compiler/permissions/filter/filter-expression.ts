import type { RelationId, SelectQuery } from '../../bind/tree/bound-query.ts'
import type { Expression } from '../../bind/tree/expression.ts'
import type { SecuredTable } from '../../bind/tree/secured-table.ts'
import type { Table } from '../../catalog/catalog.ts'
import { oids } from '../../sql-types/oids.ts'
import type { SqlType } from '../../sql-types/sql-type.ts'
import type { Atom, Formula } from '../combination/kleene.ts'
import { hasUnknown, type PolicyFilter, type PolicyRelation } from './policy-filter.ts'

const boolean: SqlType = { oid: oids.bool, typmod: -1 }
const int4: SqlType = { oid: oids.int4, typmod: -1 }

/** A typed boolean constant; `null` is UNKNOWN. */
export function booleanConstant(value: boolean | null): Expression {
  return { kind: 'constant', value: value === null ? null : String(value), type: boolean }
}

/** AND or OR of expressions, flattened; TRUE / FALSE for none. */
export function combine(operator: 'and' | 'or', operands: readonly Expression[]): Expression {
  const flat = withoutRepeats(
    operands.flatMap((operand) =>
      operand.kind === 'logical' && operand.operator === operator ? operand.operands : [operand],
    ),
  )
  const [first, second] = flat
  if (first === undefined) return booleanConstant(operator === 'and')
  if (second === undefined) return first
  return { kind: 'logical', operator, operands: flat, type: boolean }
}

/** Several permissions often share a condition: one copy is enough. Subqueries have ids of their own and stay. */
function withoutRepeats(operands: readonly Expression[]): readonly Expression[] {
  const seen = new Set<string>()
  return operands.filter((operand) => {
    const isPlain = operand.kind === 'operator' || operand.kind === 'quantifiedArray'
    const key = isPlain && operand.operator.isLeakproof ? JSON.stringify(operand) : undefined
    if (key === undefined) return true
    const isNew = !seen.has(key)
    seen.add(key)
    return isNew
  })
}

/**
 * The condition of a folded filter on the raw row `row`.
 *
 * @param nextId fresh relation ids for the subqueries of relation filters.
 */
export function filterExpression(
  filter: PolicyFilter,
  row: RelationId,
  nextId: () => number,
  outer?: RelationId,
): Expression {
  return formulaExpression(filter, (atom) =>
    atom.kind === 'leaf' ? atom.build(row, outer) : relationExpression(atom, row, nextId),
  )
}

/** A formula as an expression, from the expressions of its atoms. */
export function formulaExpression<A extends Atom>(
  formula: Formula<A>,
  atomExpression: (atom: A) => Expression,
): Expression {
  const build = (operand: Formula<A>) => formulaExpression(operand, atomExpression)
  switch (formula.kind) {
    case 'true':
      return booleanConstant(true)
    case 'false':
      return booleanConstant(false)
    case 'unknown':
      return booleanConstant(null)
    case 'and':
    case 'or':
      return combine(formula.kind, formula.operands.map(build))
    case 'not':
      return { kind: 'not', operand: build(formula.operand), type: boolean }
    default:
      return atomExpression(formula)
  }
}

/**
 * `some`: the condition is TRUE for a related row. `none`: it is TRUE for no related row. `every`: it is TRUE for all related
 * rows. If a missing caller field left an UNKNOWN inside, a result without proof is UNKNOWN, too, so that neither the filter nor
 * its negation grants access.
 */
function relationExpression(
  relation: PolicyRelation,
  row: RelationId,
  nextId: () => number,
): Expression {
  const exists = (condition: (inner: Expression) => Expression): Expression => ({
    kind: 'exists',
    query: relatedRows(relation, row, nextId, condition),
    type: boolean,
  })
  const isTrue = exists((inner) => inner)
  const not = (operand: Expression): Expression => ({ kind: 'not', operand, type: boolean })
  if (relation.quantifier === 'every') return everyExpression(relation, exists)
  const proven: Expression = hasUnknown(relation.filter)
    ? {
        kind: 'case',
        whens: [{ condition: isTrue, result: booleanConstant(true) }],
        otherwise: booleanConstant(null),
        type: boolean,
      }
    : isTrue
  return relation.quantifier === 'some' ? proven : not(proven)
}

function everyExpression(
  relation: PolicyRelation,
  exists: (condition: (inner: Expression) => Expression) => Expression,
): Expression {
  const tested = (test: 'true' | 'false' | 'unknown', negated: boolean) =>
    exists((operand) => ({ kind: 'booleanTest', operand, test, negated, type: boolean }))
  if (!hasUnknown(relation.filter)) {
    return { kind: 'not', operand: tested('true', true), type: boolean }
  }
  return {
    kind: 'case',
    whens: [
      { condition: tested('false', false), result: booleanConstant(false) },
      { condition: tested('unknown', false), result: booleanConstant(null) },
    ],
    otherwise: booleanConstant(true),
    type: boolean,
  }
}

function relatedRows(
  relation: PolicyRelation,
  row: RelationId,
  nextId: () => number,
  condition: (inner: Expression) => Expression,
): SelectQuery {
  const tables: SecuredTable[] = []
  const conditions: Expression[] = []
  let before = row
  for (const step of relation.path) {
    const item = unrestrictedTable(step.table, nextId)
    tables.push(item)
    conditions.push(...step.join(before, item.id))
    before = item.id
  }
  conditions.push(condition(filterExpression(relation.filter, before, nextId, row)))
  return {
    kind: 'select',
    ctes: [],
    columns: [{ name: '?column?', type: int4 }],
    outputs: [{ kind: 'constant', value: '1', type: int4 }],
    distinct: 'none',
    from: tables,
    where: combine('and', conditions),
    groupBy: undefined,
    isAggregated: false,
    having: undefined,
    locking: [],
    orderBy: [],
    limit: undefined,
    offset: undefined,
  }
}

/** The table without restrictions: for callers with full rights and for the inside of policies. */
export function unrestrictedTable(
  table: Table,
  nextId: () => number,
  id: RelationId = nextId(),
): SecuredTable {
  return {
    kind: 'securedTable',
    id,
    base: nextId(),
    table,
    filter: undefined,
    masks: new Map(),
    readable: new Set(table.columns.map((column) => column.ordinal)),
    pushed: [],
    barrier: false,
  }
}
