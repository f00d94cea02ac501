/** @module GROUP BY: positions, names and expressions; ROLLUP, CUBE and GROUPING SETS are expanded. */
import type { GroupingSet, Node } from '@pgsql/types'
import { bindError, unsupported } from '../../sql/bind-error.ts'
import { resolveUnknown } from '../coercion/coerce.ts'
import { bindExpression } from '../expressions/bind-expression.ts'
import { requireEquality } from '../expressions/sort-keys.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import { positionOf } from '../scope/syntax-node.ts'
import type { GroupBy, OutputColumn } from '../tree/bound-query.ts'
import type { Expression } from '../tree/expression.ts'
import { outputKey, plainName } from '../tree/output-key.ts'
import { sameValue } from '../tree/same-value.ts'
import type { SelectList } from './select-list.ts'

/** The context that a GROUP BY is bound in. */
export interface GroupPlace {
  /** For expressions of the GROUP BY itself. */
  readonly environment: ExpressionEnvironment
  /** For the items of the select list that it refers to. */
  readonly listEnvironment: ExpressionEnvironment
  readonly list: SelectList
  /** Is there an input column of that name? It comes before a result column. */
  readonly isColumn: (name: string) => boolean
}

type Sets = GroupBy['sets']

const maxCubeElements = 12
const maxSets = 4096

export function bindGroupBy(
  nodes: readonly Node[],
  isDistinct: boolean,
  place: GroupPlace,
): GroupBy {
  const expressions: Expression[] = []
  /** The item of the select list that each was named by. */
  const outputs: (number | undefined)[] = []
  const hasSets = nodes.some((node) => 'GroupingSet' in node)
  const columns = unboundColumns(place.list)
  /** Index of the expression that a node refers to. */
  const indexOf = (node: Node): number => {
    const { expression, output } = bindGroupExpression(node, columns, place)
    const known = expressions.findIndex((other) => sameValue(other, expression))
    if (known < 0) {
      outputs.push(output)
      return expressions.push(expression) - 1
    }
    // PostgreSQL keeps the two apart: NULL in one of them, where the other is grouped.
    if (
      hasSets &&
      output !== undefined &&
      outputs[known] !== undefined &&
      outputs[known] !== output
    ) {
      throw unsupported('grouping sets over one expression under two names', positionOf(node))
    }
    outputs[known] ??= output
    return known
  }
  const sets = crossProduct(
    nodes.flatMap((node) => implicitRow(node) ?? [node]).map((node) => setsOf(node, indexOf)),
  )
  return { expressions, sets: isDistinct ? withoutRepeats(sets) : sets }
}

function bindGroupExpression(
  node: Node,
  columns: readonly OutputColumn[],
  place: GroupPlace,
): { readonly expression: Expression; readonly output: number | undefined } {
  const { environment, listEnvironment, list, isColumn } = place
  const name = plainName(node)
  const output =
    name !== undefined && isColumn(name)
      ? undefined
      : outputKey(node, columns, 'GROUP BY', (left, right) =>
          sameValue(
            list.expression(left, listEnvironment),
            list.expression(right, listEnvironment),
          ),
        )
  const expression =
    output === undefined
      ? resolveUnknown(bindExpression(node, environment), environment)
      : list.resolve(output.index, listEnvironment)
  refuseCalls(output === undefined ? environment : listEnvironment, node)
  requireEquality(expression, environment)
  return { expression, output: output?.index }
}

/** Names are available before types. */
function unboundColumns(list: SelectList): readonly OutputColumn[] {
  return Array.from({ length: list.length }, (_, i) => ({
    name: list.nameOf(i),
    type: { oid: 0, typmod: -1 },
  }))
}

/** Refuses calls in an item of the select list that GROUP BY must not contain. */
function refuseCalls(environment: ExpressionEnvironment, node: Node): void {
  const position = positionOf(node)
  if (environment.found.aggregates > 0) {
    throw bindError('aggregate functions are not allowed in GROUP BY', {
      sqlState: '42803',
      position,
    })
  }
  if (environment.found.windows > 0) {
    throw bindError('window functions are not allowed in GROUP BY', {
      sqlState: '42P20',
      position,
    })
  }
}

/** The grouping sets of one element of GROUP BY. */
function setsOf(node: Node, indexOf: (node: Node) => number): Sets {
  if (!('GroupingSet' in node)) return [[indexOf(node)]]
  const { kind, content = [], location } = node.GroupingSet
  switch (kind) {
    case 'GROUPING_SET_EMPTY':
      return [[]]
    case 'GROUPING_SET_SETS': {
      const sets = content.flatMap((item) => {
        const row = implicitRow(item)
        return row === undefined ? setsOf(item, indexOf) : [unique(row.map(indexOf))]
      })
      limitSets(sets.length, location)
      return sets
    }
    case 'GROUPING_SET_ROLLUP': {
      const units = content.map((item) => unitOf(item, indexOf))
      return [units, ...units.map((_, i) => units.slice(0, units.length - 1 - i))].map((prefix) =>
        unique(prefix.flat()),
      )
    }
    case 'GROUPING_SET_CUBE':
      return cube(
        content.map((item) => unitOf(item, indexOf)),
        node.GroupingSet,
      )
    default:
      throw unsupported('this GROUP BY', location)
  }
}

/** An element of ROLLUP or CUBE: one expression or a row of them. */
function unitOf(node: Node, indexOf: (node: Node) => number): readonly number[] {
  if ('GroupingSet' in node) throw unsupported('this GROUP BY', node.GroupingSet.location)
  return (implicitRow(node) ?? [node]).map(indexOf)
}

function cube(units: readonly (readonly number[])[], node: GroupingSet): Sets {
  if (units.length > maxCubeElements) {
    throw bindError(`CUBE is limited to ${maxCubeElements} elements`, {
      sqlState: '54011',
      position: node.location,
    })
  }
  return Array.from({ length: 2 ** units.length }, (_, bits) =>
    unique(units.flatMap((unit, i) => ((bits >> i) & 1 ? [] : unit))),
  )
}

/** Several elements: every set of one with every set of the others. */
function crossProduct(elements: readonly Sets[]): Sets {
  return elements.reduce<Sets>(
    (sets, element) => {
      limitSets(sets.length * element.length, undefined)
      return sets.flatMap((set) => element.map((other) => unique([...set, ...other])))
    },
    [[]],
  )
}

function limitSets(count: number, position: number | undefined): void {
  if (count <= maxSets) return
  throw bindError(`too many grouping sets present (maximum ${maxSets})`, {
    sqlState: '54001',
    position,
  })
}

function withoutRepeats(sets: Sets): Sets {
  const byKey = new Map(sets.map((set) => [set.toSorted((a, b) => a - b).join(), set]))
  return [...byKey.values()]
}

function unique(indexes: readonly number[]): readonly number[] {
  return [...new Set(indexes)]
}

/** `(a, b)`, but not `row(a, b)`. */
function implicitRow(node: Node): readonly Node[] | undefined {
  if (!('RowExpr' in node) || node.RowExpr.row_format !== 'COERCE_IMPLICIT_CAST') return undefined
  return node.RowExpr.args ?? []
}
