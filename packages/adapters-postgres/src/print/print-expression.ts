import { GatewayError, type ValueSource } from '@engine/core/adapter'
import type { SqlType } from '@engine/core/catalog'
import { unreachable } from '@engine/core/driver'
import {
  clauses,
  commaList,
  identifier,
  joinSql,
  keyword,
  markVolatile,
  parameter,
  type Sql,
  sql,
} from '@engine/core/print'
import type { ArraySection, Case, Cast, Constant, Expression } from '@engine/core/tree'
import { printAggregate, printFunctionCall, printWindowCall } from './print-call.ts'
import { currentLevel, type PrintContext, relationOf } from './print-context.ts'
import { rowOfCells } from './print-distinct-rows.ts'
import {
  printDistinctTest,
  printInList,
  printNullIf,
  printOperatorCall,
  printQuantifiedArray,
  printQuantifiedSubquery,
  printRowComparison,
} from './print-operator.ts'
import { printOnce } from './repeated-subquery.ts'
import { bareTypeName, typeName } from './type-name.ts'

/** One expression, in parentheses where it has several parts. The text never depends on operator precedence. */
export function printExpression(expression: Expression, context: PrintContext): Sql {
  const print = (part: Expression) => printExpression(part, context)
  const list = (parts: readonly Expression[]) => commaList(parts.map(print))
  const query = (part: Parameters<typeof context.printQuery>[0]) =>
    context.printQuery(part, context)
  switch (expression.kind) {
    case 'column':
      return relationOf(expression.relation, context).column(expression.column)
    case 'constant':
      return printConstant(expression, context)
    case 'parameter': {
      const { index, type } = expression
      return placeholder({ from: 'request', index, type }, type, context)
    }
    case 'caller':
      return placeholder({ from: 'caller', slot: expression.slot }, expression.slot.type, context)
    case 'requestTime': {
      const { kind, position: _position, ...moment } = expression
      return placeholder({ from: kind, ...moment }, moment.type, context)
    }
    case 'oldCondition':
      return oldCondition(expression.index, context)
    case 'call':
      return markVolatile(expression, printFunctionCall(expression, context))
    case 'operator':
      return markVolatile(expression, printOperatorCall(expression, context))
    case 'cast':
      return printCast(expression, context)
    case 'logical':
      return expression.operator === 'and'
        ? sql`(${joinSql(expression.operands.map(print), ' and ')})`
        : sql`(${joinSql(expression.operands.map(print), ' or ')})`
    case 'not':
      return sql`(not ${print(expression.operand)})`
    case 'nullTest': {
      const test = keyword(expression.negated ? 'is not null' : 'is null')
      return sql`(${print(expression.operand)} ${test})`
    }
    case 'booleanTest': {
      const is = keyword(expression.negated ? 'is not' : 'is')
      return sql`(${print(expression.operand)} ${is} ${keyword(expression.test)})`
    }
    case 'distinctTest':
      return printDistinctTest(expression, context)
    case 'case':
      return printCase(expression, context)
    case 'coalesce':
      return sql`coalesce(${list(expression.args)})`
    case 'nullIf':
      return printNullIf(expression, context)
    case 'extremum':
      return sql`${keyword(expression.function)}(${list(expression.args)})`
    case 'inList':
      return printInList(expression, context)
    case 'quantifiedArray':
      return printQuantifiedArray(expression, context)
    case 'array':
      return expression.elements.length === 0
        ? sql`array[]::${typeName(context.types, expression.type)}`
        : sql`array[${list(expression.elements)}]`
    case 'subscript':
      return sql`(${print(expression.operand)})[${print(expression.index)}]`
    case 'arraySection':
      return printArraySection(expression, context)
    case 'row':
      return sql`row(${list(expression.fields)})`
    case 'rowComparison':
      return printRowComparison(expression, context)
    case 'subquery':
      return printOnce(expression, context, () => sql`(${query(expression.query)})`)
    case 'arraySubquery':
      return printOnce(expression, context, () => sql`array(${query(expression.query)})`)
    case 'exists':
      return printOnce(expression, context, () => sql`exists (${query(expression.query)})`)
    case 'quantifiedSubquery':
      return printOnce(expression, context, () => printQuantifiedSubquery(expression, context))
    case 'aggregate':
      return printAggregate(expression, context)
    case 'window':
      return printWindowCall(expression, context)
    case 'grouping':
      return printGrouping(expression.expressions, context)
    case 'collate':
      return sql`(${print(expression.operand)} collate pg_catalog."C")`
    case 'field':
      return sql`(${print(expression.operand)}).${identifier(expression.name)}`
    case 'wholeRow':
      return rowOfCells(expression, context)
    case 'output':
      throw new GatewayError('internal', `a ${expression.kind} expression stands where none may`)
    default:
      return unreachable(expression)
  }
}

/** The parameter's type is printed with it, so that PostgreSQL never infers it. */
function placeholder(source: ValueSource, type: SqlType, context: PrintContext): Sql {
  return sql`${parameter(source)}::${bareTypeName(context.types, type.oid)}`
}

function printConstant(constant: Constant, context: PrintContext): Sql {
  const { value, type } = constant
  if (value === null) return sql`null::${bareTypeName(context.types, type.oid)}`
  if (type.oid === booleanOid && typeof value === 'string') {
    return keyword(value === 'true' ? 'true' : 'false')
  }
  return placeholder({ from: 'constant', value, type }, type, context)
}

const booleanOid = 16

/**
 * An assignment's cast to a length raises an error where an explicit one truncates, and PostgreSQL applies it itself:
 * such casts, and those to a domain, are not printed.
 */
function printCast(cast: Cast, context: PrintContext): Sql {
  const operand = printExpression(cast.operand, context)
  if (cast.isExplicit) return sql`${operand}::${typeName(context.types, cast.type)}`
  if (cast.method === 'length') return operand
  const baseOid = context.types.baseTypeOid(cast.type.oid)
  return sql`${operand}::${bareTypeName(context.types, baseOid)}`
}

function printCase(expression: Case, context: PrintContext): Sql {
  const whens = expression.whens.map(({ condition, result }) => {
    const when = printExpression(condition, context)
    return sql`when ${when} then ${printExpression(result, context)}`
  })
  const otherwise =
    expression.otherwise && sql`else ${printExpression(expression.otherwise, context)}`
  return sql`(${clauses(keyword('case'), ...whens, otherwise, keyword('end'))})`
}

function printArraySection({ operand, steps }: ArraySection, context: PrintContext): Sql {
  const bound = (expression: Expression | undefined) =>
    expression === undefined ? sql`` : context.printExpression(expression, context)
  const printed = steps.map((step) =>
    step.kind === 'index'
      ? sql`[${bound(step.index)}]`
      : sql`[${bound(step.lower)} : ${bound(step.upper)}]`,
  )
  return sql`(${context.printExpression(operand, context)})${joinSql(printed, '')}`
}

function printGrouping(indexes: readonly number[], context: PrintContext): Sql {
  const expressions = currentLevel(context)?.groupExpressions ?? []
  return sql`grouping(${commaList(indexes.map((index) => at(expressions, index)))})`
}

function oldCondition(index: number, context: PrintContext): Sql {
  return at(context.oldConditions, index)
}

function at(fragments: readonly Sql[], index: number): Sql {
  const fragment = fragments[index]
  if (fragment === undefined) {
    throw new GatewayError('internal', 'an expression refers to something that is not there')
  }
  return fragment
}
