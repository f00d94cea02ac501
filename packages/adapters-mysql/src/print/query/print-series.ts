/** @module generate_series: a list with one element for each row, and the n-th value by calculation. */

import { integer, type Sql, sql } from '@engine/core/print'
import {
  type Expression,
  type FunctionCall,
  type FunctionItem,
  isVolatile,
} from '@engine/core/tree'
import { parseInterval } from '@engine/core/values'
import { jsonTable } from '../expression/json/json-table.ts'
import {
  aliasOf,
  anyValue,
  classOfType,
  type PrintContext,
  type PrintedColumn,
  print,
  refuse,
  type ValueProperties,
} from '../print-context.ts'
import { raiseState } from '../raise.ts'
import { propertiesOf } from '../value-properties.ts'

/** A text of two characters for each row must not be longer than the default size of a packet (16 MB). */
const mostRows = 4_000_000

interface Series {
  /** NULL or less than one where there are no rows. */
  readonly count: Sql
  /** `n` counts from 0. */
  readonly valueAt: (n: Sql) => Sql
  readonly properties: ValueProperties
}

export function printSeries(
  item: FunctionItem,
  expression: FunctionCall,
  context: PrintContext,
): { readonly sql: Sql; readonly column: (index: number) => PrintedColumn } {
  if (expression.args.some(isVolatile)) {
    return refuse('generate_series of volatile values', expression.position)
  }
  const { count, valueAt, properties } = seriesOf(expression, context)
  const alias = aliasOf(item.id, context)
  const tooMany = sql`when ${count} > ${integer(mostRows)} then ${raiseState('54000')}`
  const list = sql`case ${tooMany} when ${count} >= 1 then concat('[', repeat('0,', ${count} - 1), '0]') end`
  return {
    sql: jsonTable(list, sql`o for ordinality`, alias, context),
    column: (index) =>
      index === 0
        ? { ...properties, sql: valueAt(sql`(${alias}.o - 1)`), isBare: false }
        : { ...anyValue, isNullable: false, sql: sql`${alias}.o`, isBare: false },
  }
}

function seriesOf(expression: FunctionCall, context: PrintContext): Series {
  const [first, last, step] = expression.args
  if (first === undefined || last === undefined) {
    return refuse('generate_series without bounds', expression.position)
  }
  switch (classOfType(expression.type, context)) {
    case 'int4':
    case 'int8':
      return numberSeries(first, last, step, 0, context)
    case 'numeric': {
      const scales = [first, step].map((each) => (each ? propertiesOf(each, context).scale : 0))
      const isKnown = scales.every((each) => each !== undefined)
      if (!isKnown) return refuse('generate_series of these decimals', expression.position)
      return numberSeries(first, last, step, Math.max(...scales.map((each) => each ?? 0)), context)
    }
    case 'timestamp':
    case 'timestamptz':
      return momentSeries(first, last, step, context)
    default:
      return refuse('generate_series of this type', expression.position)
  }
}

function numberSeries(
  first: Expression,
  last: Expression,
  step: Expression | undefined,
  scale: number,
  context: PrintContext,
): Series {
  const [from, to] = [print(first, context), print(last, context)]
  const by = step === undefined ? sql`1` : print(step, context)
  const rows = sql`(${to} - ${from}) div ${by} + 1`
  const zero = sql`when ${by} = 0 then ${raiseState('22023')}`
  const count =
    step === undefined
      ? sql`(${to} - ${from} + 1)`
      : sql`(case ${zero} when (${by} > 0) = (${to} >= ${from}) or ${to} = ${from} then ${rows} end)`
  return {
    count: scale === 0 ? count : sql`cast(${count} as signed)`,
    valueAt: (n) => sql`(${from} + ${n} * ${by})`,
    properties: { stored: undefined, isNullable: false, scale },
  }
}

const dayMicroseconds = 86_400_000_000n

/** With a constant interval: days and times, or months from a day that exists in every month. */
function momentSeries(
  first: Expression,
  last: Expression,
  step: Expression | undefined,
  context: PrintContext,
): Series {
  const interval = step?.kind === 'constant' ? parseInterval(String(step.value)) : undefined
  if (interval === undefined || typeof interval === 'string') {
    return refuse('generate_series by an interval that is no constant', step?.position)
  }
  const { months, days, microseconds } = interval
  const time = BigInt(days) * dayMicroseconds + BigInt(microseconds)
  if (months !== 0 && time !== 0n) {
    return refuse('generate_series by months and days', step?.position)
  }
  const [from, to] = [print(first, context), print(last, context)]
  const properties: ValueProperties = { stored: undefined, isNullable: false, scale: undefined }
  if (months !== 0) {
    const size = integer(Math.abs(months))
    const [low, high] = months > 0 ? [from, to] : [to, from]
    const rows = sql`timestampdiff(month, ${low}, ${high}) div ${size} + 1`
    const late = sql`when dayofmonth(${from}) > 28 then ${raiseState('0A000')}`
    return {
      count: sql`(case ${late} when ${low} <= ${high} then ${rows} end)`,
      valueAt: (n) => sql`(${from} + interval (${n} * ${integer(months)}) month)`,
      properties,
    }
  }
  if (time === 0n) return refuse('generate_series by no step', step?.position)
  const size = integer(Number(time < 0n ? -time : time))
  const [low, high] = time > 0n ? [from, to] : [to, from]
  const rows = sql`timestampdiff(microsecond, ${low}, ${high}) div ${size} + 1`
  return {
    count: sql`(case when ${low} <= ${high} then ${rows} end)`,
    valueAt: (n) => sql`(${from} + interval (${n} * ${integer(Number(time))}) microsecond)`,
    properties,
  }
}
