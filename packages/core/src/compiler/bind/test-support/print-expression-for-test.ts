import { unreachable } from '../../../foundation/unreachable.ts'
import type { SqlType } from '../../sql-types/sql-type.ts'
import type { TypeSystem } from '../../sql-types/system/type-system.ts'
import type { SqlValue } from '../../sql-types/value-source.ts'
import type { Query, SortKey } from '../tree/bound-query.ts'
import type { Expression, FrameBound, SubscriptStep, WindowFrame } from '../tree/expression.ts'

/** How relations and their columns are called in the text. */
export type ColumnNames = (relation: number, column: number) => string

/** A bound expression as an S-expression: overloads by signature, types only where nothing else shows them. */
export function printExpressionForTest(
  expression: Expression,
  types: TypeSystem,
  columnName: ColumnNames = (relation, column) => `t${relation}.c${column}`,
): string {
  return print(expression)

  function print(node: Expression): string {
    switch (node.kind) {
      case 'column':
        return columnName(node.relation, node.column)
      case 'output':
        return `(output ${node.index})`
      case 'oldCondition':
        return `(oldCondition ${node.index})`
      case 'constant':
        return `${printValue(node.value)}:${typeText(node.type)}`
      case 'parameter':
        return `$${node.index + 1}:${typeText(node.type)}`
      case 'caller':
        return `$user.${node.slot.path.join('.')}:${typeText(node.type)}`
      case 'requestTime':
        return `(requestTime ${typeText(node.type)})`
      case 'call':
        return list(
          `${node.function.signature}${node.isVariadic ? ' variadic' : ''}`,
          ...node.args.map(print),
        )
      case 'operator':
        return list(
          node.operator.signature,
          ...(node.left === undefined ? [] : [print(node.left)]),
          print(node.right),
        )
      case 'cast': {
        const how = node.isExplicit ? 'cast' : 'implicit'
        return list(how, `${typeText(node.type)}/${node.method}`, print(node.operand))
      }
      case 'logical':
        return list(node.operator, ...node.operands.map(print))
      case 'not':
        return list('not', print(node.operand))
      case 'nullTest':
        return list(node.negated ? 'is-not-null' : 'is-null', print(node.operand))
      case 'booleanTest':
        return list(`is-${node.negated ? 'not-' : ''}${node.test}`, print(node.operand))
      case 'distinctTest':
        return list(
          node.negated ? 'not-distinct' : 'distinct',
          node.operator.signature,
          print(node.left),
          print(node.right),
        )
      case 'case':
        return list(
          'case',
          ...node.whens.map((when) => list('when', print(when.condition), print(when.result))),
          ...(node.otherwise === undefined ? [] : [list('else', print(node.otherwise))]),
        )
      case 'coalesce':
        return list('coalesce', ...node.args.map(print))
      case 'nullIf':
        return list('nullif', node.operator.signature, print(node.left), print(node.right))
      case 'extremum':
        return list(node.function, ...node.args.map(print))
      case 'inList':
        return list(
          node.negated ? 'not-in' : 'in',
          node.operator.signature,
          print(node.operand),
          ...node.items.map(print),
        )
      case 'quantifiedArray':
        return list(
          node.quantifier,
          node.operator.signature,
          print(node.operand),
          print(node.array),
        )
      case 'array':
        return list(`array:${typeText(node.type)}`, ...node.elements.map(print))
      case 'subscript':
        return list('subscript', print(node.operand), print(node.index))
      case 'arraySection':
        return list('section', print(node.operand), ...node.steps.map(printStep))
      case 'field':
        return list('field', node.name, print(node.operand))
      case 'row':
        return list('row', ...node.fields.map(print))
      case 'rowComparison':
        return list(
          `row${node.comparison}`,
          ...node.operators.map((operator, i) =>
            list(operator.signature, printAt(node.left, i), printAt(node.right, i)),
          ),
        )
      case 'subquery':
      case 'arraySubquery':
      case 'exists':
        return list(node.kind, printQuery(node.query))
      case 'quantifiedSubquery':
        return list(
          `${node.quantifier}${node.comparison}`,
          ...node.operators.map((operator) => operator.signature),
          ...node.operands.map(print),
          printQuery(node.query),
        )
      case 'aggregate':
        return list(
          node.function.signature,
          ...(node.distinct ? ['distinct'] : []),
          ...node.args.map(print),
          ...printOrder(node.withinGroup ? 'within' : 'order', node.orderBy),
          ...(node.filter === undefined ? [] : [list('filter', print(node.filter))]),
        )
      case 'window':
        return list(
          node.function.signature,
          ...node.args.map(print),
          ...(node.filter === undefined ? [] : [list('filter', print(node.filter))]),
          list(
            'over',
            ...(node.partitionBy.length === 0
              ? []
              : [list('partition', ...node.partitionBy.map(print))]),
            ...printOrder('order', node.orderBy),
            ...(node.frame === undefined ? [] : [printFrame(node.frame)]),
          ),
        )
      case 'grouping':
        return list('grouping', ...node.expressions.map(String))
      case 'wholeRow':
        return list('row', ...node.fields.map(({ name, value }) => `${name}=${print(value)}`))
      case 'collate':
        return list('collate', print(node.operand))
      default:
        return unreachable(node)
    }
  }

  function typeText(type: SqlType): string {
    return types.formatType(type.oid, type.typmod).replaceAll(' ', '_')
  }

  function printAt(expressions: readonly Expression[], index: number): string {
    const expression = expressions[index]
    return expression === undefined ? '?' : print(expression)
  }

  function printStep(step: SubscriptStep): string {
    if (step.kind === 'index') return print(step.index)
    return [step.lower, step.upper].map((bound) => (bound ? print(bound) : '')).join(':')
  }

  function printOrder(word: string, keys: readonly SortKey[]): readonly string[] {
    if (keys.length === 0) return []
    const printed = keys.map((key) => {
      const direction = key.descending ? 'desc' : 'asc'
      return `${print(key.expression)} ${direction} ${key.nullsFirst ? 'first' : 'last'}`
    })
    return [list(word, ...printed)]
  }

  function printFrame(frame: WindowFrame): string {
    const bound = (side: FrameBound) =>
      'offset' in side ? `${print(side.offset)} ${side.kind}` : side.kind
    const exclude = frame.exclude === 'none' ? [] : [`exclude-${frame.exclude}`]
    return list(frame.mode, bound(frame.start), bound(frame.end), ...exclude)
  }

  function printQuery(query: Query): string {
    if (query.kind !== 'select') return list(query.kind)
    return list(
      'select',
      ...query.outputs.map(print),
      ...query.from.map((item) => list('from', item.kind)),
      ...(query.where === undefined ? [] : [list('where', print(query.where))]),
    )
  }
}

function list(...parts: readonly string[]): string {
  return `(${parts.join(' ')})`
}

function printValue(value: SqlValue): string {
  if (value === null) return 'null'
  return typeof value === 'string' ? `'${value}'` : `{${value.map(printValue).join()}}`
}
