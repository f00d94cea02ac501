/** @module Expressions of the type numeric. */
import {
  type Case,
  type Coalesce,
  type Expression,
  type Extremum,
  joinSql,
  numericOfTypmod,
  type OperatorCall,
  oids,
  parameter,
  type Sql,
  type SqlType,
  sql,
  type ValueSource,
} from '@engine/core'
import { arrayItemText } from './array-element.ts'
import {
  absolute,
  type Decimal,
  decimal,
  decimalInText,
  decimalOfText,
  negative,
  nullDecimal,
  productOf,
  scaleSql,
  sumOf,
  textDigits,
  textScale,
  widest,
} from './decimal.ts'
import { decimalAggregate } from './decimal-aggregate.ts'
import { decimalCall } from './decimal-call.ts'
import { decimalCast } from './decimal-cast.ts'
import { factsOf } from './facts.ts'
import { greatestOf } from './greatest.ts'
import { once } from './once.ts'
import {
  isMariaDb,
  nullSql,
  type PrintContext,
  print,
  refuse,
  relationOf,
} from './print-context.ts'
import { quotientOf } from './quotient.ts'
import { readStored } from './read-stored.ts'
import { remainderOf } from './remainder.ts'
import { withRow } from './row-to-read.ts'
import { isUnnameable } from './unnameable.ts'

export function decimalOf(expression: Expression, context: PrintContext): Decimal {
  const found = shapeOf(expression, context)
  if (!isMariaDb(context) && found.maxScale > textScale) {
    return refuse('a numeric with this many digits', expression.position)
  }
  const { scale } = factsOf(expression, context)
  return scale === undefined ? found : { ...found, scale }
}

/** What leaves an expression: a DECIMAL when every row has the same scale, text otherwise. */
export function decimalText(expression: Expression, context: PrintContext): Sql {
  return decimalOf(expression, context).text()
}

function shapeOf(expression: Expression, context: PrintContext): Decimal {
  const { position } = expression
  switch (expression.kind) {
    case 'column': {
      const column = relationOf(expression.relation, context).column(expression.column)
      if (column.stored !== undefined) {
        const { precision, scale } = numericOfTypmod(column.stored.type.typmod) ?? {
          precision: 65,
          scale: 30,
        }
        const stored = column.stored
        const value = () => readStored(stored, column.sql, context)
        return decimal(value, scale, precision - scale, scale)
      }
      const { scale } = column
      if (scale === undefined) return decimalInText(column.sql, context, true)
      return decimal(() => column.sql, scale, Math.min(65 - scale, textDigits), scale)
    }
    case 'constant':
      return constantOf(expression.value, expression, context)
    case 'parameter':
      return decimalInText(
        parameter({ from: 'request', index: expression.index, type: expression.type }),
        context,
        true,
      )
    case 'caller':
      return decimalInText(parameter({ from: 'caller', slot: expression.slot }), context, true)
    case 'operator':
      return operatorOf(expression, context)
    case 'cast':
      return decimalCast(expression, context, decimalOf)
    case 'call':
      return decimalCall(expression, context, decimalOf)
    case 'aggregate':
    case 'window':
      return decimalAggregate(expression, context, decimalOf)
    case 'case':
      return caseOf(expression, context)
    case 'coalesce':
      return coalesceOf(expression, context)
    case 'extremum':
      return extremumOf(expression, context)
    case 'nullIf': {
      const left = decimalOf(expression.left, context)
      const { operator, right } = expression
      const type: SqlType = { oid: oids.bool, typmod: -1 }
      const isEqual: Expression = { kind: 'operator', operator, left: expression.left, right, type }
      const condition = () => print(isEqual, context)
      const unless = (value: Sql) => sql`case when ${condition()} then null else ${value} end`
      return {
        ...left,
        value: () => unless(left.value()),
        text: () => unless(left.text()),
      }
    }
    case 'subquery': {
      const printed = context.printQuery(withRow(expression.query, context), context, 'value')
      const value = sql`(${printed.sql})`
      const scale = printed.columns[0]?.scale
      if (scale === undefined) {
        return decimalInText(value, context, !isUnnameable(expression))
      }
      return decimal(() => value, scale, Math.min(65 - scale, textDigits), scale)
    }
    case 'subscript':
      return decimalInText(arrayItemText(expression, context), context, !isUnnameable(expression))
    default:
      return refuse('a numeric expression of this kind', position)
  }
}

function constantOf(
  value: unknown,
  expression: Extract<Expression, { kind: 'constant' }>,
  _context: PrintContext,
): Decimal {
  if (value === null) return nullDecimal
  const digits = /^-?(\d+)(?:\.(\d+))?$/.exec(typeof value === 'string' ? value : '')
  if (digits === null) return refuse('NaN or infinity as a numeric', expression.position)
  const [whole, scale] = [digits[1]?.length ?? 1, digits[2]?.length ?? 0]
  if (whole + scale > 65 || scale > 38) {
    return refuse('a number of this many digits', expression.position)
  }
  const { type } = expression
  const source: ValueSource = { from: 'constant', value: String(value), type }
  return decimal(() => decimalOfText(parameter(source), whole, scale), scale, whole, scale)
}

function operatorOf(expression: OperatorCall, context: PrintContext): Decimal {
  const { operator, left, right, position } = expression
  const second = decimalOf(right, context)
  if (left === undefined) {
    if (operator.name === '+') return second
    if (operator.name === '-') return negative(second)
    if (operator.name === '@') return absolute(second)
    return refuse(`the operator ${operator.signature}`, position)
  }
  const first = decimalOf(left, context)
  const isNameable = !isUnnameable(left) && !isUnnameable(right)
  switch (operator.name) {
    case '+':
    case '-':
      return sumOf(operator.name, first, second)
    case '*':
      return productOf(first, second)
    case '/':
      return quotientOf(first, second, context, { zeroIsNull: false, isNameable })
    case '%':
      return remainderOf(first, second, context, isNameable)
    default:
      return refuse(`the operator ${operator.signature}`, position)
  }
}

function caseOf(expression: Case, context: PrintContext): Decimal {
  const results = expression.whens.map(({ result }) => decimalOf(result, context))
  const otherwise =
    expression.otherwise === undefined ? nullDecimal : decimalOf(expression.otherwise, context)
  const choose = (part: (of: Decimal) => Sql) => {
    const whens = expression.whens.map(({ condition }, index) => {
      const result = results[index] ?? nullDecimal
      return sql`when ${print(condition, context)} then ${part(result)}`
    })
    return sql`case ${joinSql(whens, ' ')} else ${part(otherwise)} end`
  }
  return {
    ...widest([...results, otherwise], () => choose(({ scale }) => scaleSql(scale))),
    value: () => choose(({ value }) => value()),
    text: () => choose(({ text }) => text()),
  }
}

function coalesceOf({ args }: Coalesce, context: PrintContext): Decimal {
  const all = args.map((each) => decimalOf(each, context))
  const values = (part: (of: Decimal) => Sql) => sql`coalesce(${joinSql(all.map(part), ', ')})`
  const scale = () => {
    const whens = all.map(
      (each) => sql`when ${each.value()} is not null then ${scaleSql(each.scale)}`,
    )
    return sql`case ${joinSql(whens, ' ')} end`
  }
  return {
    ...widest(all, scale),
    value: () => values(({ value }) => value()),
    text: () => values(({ text }) => text()),
  }
}

/** Of equal values the first one is shown. */
function extremumOf(expression: Extremum, context: PrintContext): Decimal {
  const all = expression.args.map((each) => decimalOf(each, context))
  const isGreatest = expression.function === 'greatest'
  const maxScale = Math.max(...all.map((each) => each.maxScale))
  const value = () =>
    greatestOf(
      all.map((each) => each.value()),
      isGreatest,
    )
  const isNameable = !expression.args.some(isUnnameable)
  const choose = (part: (of: Decimal) => Sql) =>
    once([{ value: value(), kind: Math.min(maxScale, textScale) }], context, isNameable, (name) => {
      const whens = all.map(
        (each) => sql`when ${each.value()} = ${name ?? nullSql} then ${part(each)}`,
      )
      return sql`case ${joinSql(whens, ' ')} end`
    })
  return {
    ...widest(all, () => choose(({ scale }) => scaleSql(scale))),
    value,
    text: () => choose(({ text }) => text()),
  }
}
