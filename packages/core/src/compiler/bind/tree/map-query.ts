/**
 * @module Rebuilding and walking bound trees. Expressions and queries contain each other, so both are in this file. Each node is
 * charged to the budget of the plan before it is visited: a part that several nodes share is visited, and charged, once for each.
 */

import { unreachable } from '../../../foundation/unreachable.ts'
import { chargePlanning } from '../../budget/planning-budget.ts'
import type {
  Assignment,
  BoundStatement,
  CommonTable,
  DefaultCell,
  FromItem,
  InsertSource,
  OnConflict,
  Query,
  SortKey,
  TableItem,
  Write,
  WriteSecurity,
} from './bound-query.ts'
import type { Expression, SubscriptStep, WindowFrame } from './expression.ts'
import type { SecuredTable } from './secured-table.ts'
import type { TableSample } from './table-sample.ts'

/** Each function receives a node whose parts are already rewritten, and returns its replacement. */
export interface Rewriter {
  /** Called before the parts: a result replaces the node unchanged, undefined continues with the parts. */
  readonly before?: (expression: Expression) => Expression | undefined
  readonly expression?: (expression: Expression) => Expression
  readonly fromItem?: (item: FromItem) => FromItem
  readonly query?: (query: Query) => Query
  readonly write?: (write: Write) => Write
}

export function mapStatement(statement: BoundStatement, rewriter: Rewriter): BoundStatement {
  return { ...statement, body: mapBody(statement.body, rewriter) }
}

function mapBody(body: Query | Write, rewriter: Rewriter): Query | Write {
  return isWrite(body) ? mapWrite(body, rewriter) : mapQuery(body, rewriter)
}

/** Is this a data-modifying statement? */
export function isWrite(body: Query | Write): body is Write {
  return body.kind === 'insert' || body.kind === 'update' || body.kind === 'delete'
}

export function mapQuery(query: Query, rewriter: Rewriter): Query {
  chargePlanning(1)
  const map = (expression: Expression) => mapExpression(expression, rewriter)
  const tail = {
    ctes: mapCtes(query.ctes, rewriter),
    orderBy: mapSortKeys(query.orderBy, rewriter),
    limit: query.limit && { ...query.limit, count: query.limit.count && map(query.limit.count) },
    offset: query.offset && map(query.offset),
  }
  const rebuilt = mapQueryCore(query, tail, rewriter)
  return rewriter.query?.(rebuilt) ?? rebuilt
}

function mapQueryCore(
  query: Query,
  tail: Pick<Query, 'ctes' | 'orderBy' | 'limit' | 'offset'>,
  rewriter: Rewriter,
): Query {
  const map = (expression: Expression) => mapExpression(expression, rewriter)
  switch (query.kind) {
    case 'select':
      return {
        ...query,
        ...tail,
        outputs: query.outputs.map(map),
        distinct:
          typeof query.distinct === 'string' ? query.distinct : { on: query.distinct.on.map(map) },
        from: query.from.map((item) => mapFromItem(item, rewriter)),
        where: query.where && map(query.where),
        groupBy: query.groupBy && {
          ...query.groupBy,
          expressions: query.groupBy.expressions.map(map),
        },
        having: query.having && map(query.having),
      }
    case 'setOperation':
      return {
        ...query,
        ...tail,
        left: mapQuery(query.left, rewriter),
        right: mapQuery(query.right, rewriter),
      }
    case 'values':
      return { ...query, ...tail, rows: query.rows.map((row) => row.map(map)) }
    default:
      return unreachable(query)
  }
}

function mapCtes(ctes: readonly CommonTable[], rewriter: Rewriter): readonly CommonTable[] {
  return ctes.map((cte) => ({ ...cte, query: mapBody(cte.query, rewriter) }))
}

function mapSortKeys(keys: readonly SortKey[], rewriter: Rewriter): readonly SortKey[] {
  return keys.map((key) => ({ ...key, expression: mapExpression(key.expression, rewriter) }))
}

export function mapFromItem(item: FromItem, rewriter: Rewriter): FromItem {
  chargePlanning(1)
  const rebuilt = mapFromItemParts(item, rewriter)
  return rewriter.fromItem?.(rebuilt) ?? rebuilt
}

function mapFromItemParts(item: FromItem, rewriter: Rewriter): FromItem {
  switch (item.kind) {
    case 'table':
      return withMappedSample(item, item.sample, rewriter)
    case 'cte':
      return item
    case 'securedTable':
      return mapSecuredTable(item, rewriter)
    case 'subquery':
      return { ...item, query: mapQuery(item.query, rewriter) }
    case 'function':
      return { ...item, call: mapExpression(item.call, rewriter) }
    case 'join':
      return {
        ...item,
        left: mapFromItem(item.left, rewriter),
        right: mapFromItem(item.right, rewriter),
        on: item.on && mapExpression(item.on, rewriter),
      }
    default:
      return unreachable(item)
  }
}

function withMappedSample<Item extends TableItem | SecuredTable>(
  item: Item,
  sample: TableSample | undefined,
  rewriter: Rewriter,
): Item {
  if (sample === undefined) return item
  const args = sample.args.map((each) => mapExpression(each, rewriter))
  return { ...item, sample: { ...sample, args } }
}

function mapSecuredTable(item: SecuredTable, rewriter: Rewriter): SecuredTable {
  const map = (expression: Expression) => mapExpression(expression, rewriter)
  return {
    ...withMappedSample(item, item.sample, rewriter),
    filter: item.filter && map(item.filter),
    masks: new Map([...item.masks].map(([column, mask]) => [column, map(mask)])),
    pushed: item.pushed.map(map),
  }
}

export function mapWrite(write: Write, rewriter: Rewriter): Write {
  chargePlanning(1)
  const map = (expression: Expression) => mapExpression(expression, rewriter)
  const common = {
    ctes: mapCtes(write.ctes, rewriter),
    returning: write.returning && {
      ...write.returning,
      outputs: write.returning.outputs.map(map),
    },
    security: write.security && mapSecurity(write.security, rewriter),
  }
  const rebuilt = mapWriteCore(write, common, rewriter)
  return rewriter.write?.(rebuilt) ?? rebuilt
}

function mapWriteCore(
  write: Write,
  common: Pick<Write, 'ctes' | 'returning' | 'security'>,
  rewriter: Rewriter,
): Write {
  const map = (expression: Expression) => mapExpression(expression, rewriter)
  switch (write.kind) {
    case 'insert':
      return {
        ...write,
        ...common,
        source: mapSource(write.source, rewriter),
        onConflict: write.onConflict && mapOnConflict(write.onConflict, rewriter),
      }
    case 'update':
      return {
        ...write,
        ...common,
        assignments: mapAssignments(write.assignments, rewriter),
        from: write.from.map((item) => mapFromItem(item, rewriter)),
        where: write.where && map(write.where),
      }
    case 'delete':
      return {
        ...write,
        ...common,
        using: write.using.map((item) => mapFromItem(item, rewriter)),
        where: write.where && map(write.where),
      }
    default:
      return unreachable(write)
  }
}

function mapSource(source: InsertSource, rewriter: Rewriter): InsertSource {
  switch (source.kind) {
    case 'values':
      return {
        ...source,
        rows: source.rows.map((row) => row.map((cell) => mapCell(cell, rewriter))),
      }
    case 'repeated':
      return {
        ...source,
        shapes: source.shapes.map((row) => row.map((cell) => mapCell(cell, rewriter))),
      }
    case 'query':
      return { ...source, query: mapQuery(source.query, rewriter) }
    case 'defaults':
      return source
    default:
      return unreachable(source)
  }
}

function mapCell(cell: Expression | DefaultCell, rewriter: Rewriter): Expression | DefaultCell {
  return cell.kind === 'default' ? cell : mapExpression(cell, rewriter)
}

function mapAssignments(
  assignments: readonly Assignment[],
  rewriter: Rewriter,
): readonly Assignment[] {
  return assignments.map((assignment) => ({
    ...assignment,
    value: mapCell(assignment.value, rewriter),
  }))
}

function mapOnConflict(onConflict: OnConflict, rewriter: Rewriter): OnConflict {
  const { action } = onConflict
  if (action.kind === 'nothing') return onConflict
  return {
    ...onConflict,
    action: {
      ...action,
      assignments: mapAssignments(action.assignments, rewriter),
      where: action.where && mapExpression(action.where, rewriter),
    },
  }
}

function mapSecurity(security: WriteSecurity, rewriter: Rewriter): WriteSecurity {
  const map = (expression: Expression) => mapExpression(expression, rewriter)
  return {
    rows: security.rows && mapSecuredTable(security.rows, rewriter),
    existing: security.existing && map(security.existing),
    oldConditions: security.oldConditions.map(map),
    check: security.check && map(security.check),
    proposed: security.proposed && map(security.proposed),
    visible: security.visible && map(security.visible),
  }
}

/** Rewrites an expression with its operands and subqueries. */
export function mapExpression(expression: Expression, rewriter: Rewriter): Expression {
  chargePlanning(1)
  const replaced = rewriter.before?.(expression)
  if (replaced !== undefined) return replaced
  const rebuilt = mapExpressionParts(expression, rewriter)
  return rewriter.expression?.(rebuilt) ?? rebuilt
}

function mapExpressionParts(expression: Expression, rewriter: Rewriter): Expression {
  const map = (part: Expression) => mapExpression(part, rewriter)
  switch (expression.kind) {
    case 'column':
    case 'output':
    case 'oldCondition':
    case 'constant':
    case 'parameter':
    case 'caller':
    case 'requestTime':
    case 'grouping':
      return expression
    case 'call':
    case 'coalesce':
    case 'extremum':
      return { ...expression, args: expression.args.map(map) }
    case 'operator':
      return {
        ...expression,
        left: expression.left && map(expression.left),
        right: map(expression.right),
      }
    case 'cast':
    case 'not':
    case 'nullTest':
    case 'booleanTest':
    case 'collate':
    case 'field':
      return { ...expression, operand: map(expression.operand) }
    case 'logical':
      return { ...expression, operands: expression.operands.map(map) }
    case 'distinctTest':
    case 'nullIf':
      return { ...expression, left: map(expression.left), right: map(expression.right) }
    case 'case':
      return {
        ...expression,
        whens: expression.whens.map((when) => ({
          condition: map(when.condition),
          result: map(when.result),
        })),
        otherwise: expression.otherwise && map(expression.otherwise),
      }
    case 'inList':
      return {
        ...expression,
        operand: map(expression.operand),
        items: expression.items.map(map),
      }
    case 'quantifiedArray':
      return { ...expression, operand: map(expression.operand), array: map(expression.array) }
    case 'array':
      return { ...expression, elements: expression.elements.map(map) }
    case 'subscript':
      return { ...expression, operand: map(expression.operand), index: map(expression.index) }
    case 'arraySection':
      return {
        ...expression,
        operand: map(expression.operand),
        steps: expression.steps.map((step) => mapStep(step, map)),
      }
    case 'row':
      return { ...expression, fields: expression.fields.map(map) }
    case 'rowComparison':
      return { ...expression, left: expression.left.map(map), right: expression.right.map(map) }
    case 'subquery':
    case 'arraySubquery':
    case 'exists':
      return { ...expression, query: mapQuery(expression.query, rewriter) }
    case 'quantifiedSubquery':
      return {
        ...expression,
        operands: expression.operands.map(map),
        query: mapQuery(expression.query, rewriter),
      }
    case 'aggregate':
      return {
        ...expression,
        args: expression.args.map(map),
        orderBy: mapSortKeys(expression.orderBy, rewriter),
        filter: expression.filter && map(expression.filter),
      }
    case 'window':
      return {
        ...expression,
        args: expression.args.map(map),
        filter: expression.filter && map(expression.filter),
        partitionBy: expression.partitionBy.map(map),
        orderBy: mapSortKeys(expression.orderBy, rewriter),
        frame: expression.frame && mapFrame(expression.frame, rewriter),
      }
    case 'wholeRow':
      return {
        ...expression,
        fields: expression.fields.map((field) => ({ ...field, value: map(field.value) })),
      }
    default:
      return unreachable(expression)
  }
}

function mapStep(step: SubscriptStep, map: (part: Expression) => Expression): SubscriptStep {
  return step.kind === 'index'
    ? { ...step, index: map(step.index) }
    : { ...step, lower: step.lower && map(step.lower), upper: step.upper && map(step.upper) }
}

function mapFrame(frame: WindowFrame, rewriter: Rewriter): WindowFrame {
  const bound = (side: WindowFrame['start']) =>
    'offset' in side ? { ...side, offset: mapExpression(side.offset, rewriter) } : side
  return { ...frame, start: bound(frame.start), end: bound(frame.end) }
}
