/** @module Functions of integers and floats; those of numerics are in `decimal-call.ts`. */

import { unreachable } from '@engine/core/driver'
import { type Sql, sql } from '@engine/core/print'
import type { FunctionCall } from '@engine/core/tree'
import { call, nullSql, type PrintContext } from '../../print-context.ts'
import { type RaisedState, raiseState } from '../../raise.ts'
import { volatileCall } from '../../volatile-sql.ts'
import { canBind } from '../binding/can-bind.ts'
import { letValues } from '../binding/let-binding.ts'
import { divided } from '../decimal/division.ts'
import { power, squareRoot } from '../decimal/print-float.ts'
import { checkedInteger } from '../decimal/print-number.ts'
import type { CallPrinter, CallPrinters } from './function-printers.ts'

const nothing = nullSql

type NativeName = 'sin' | 'cos' | 'tan' | 'atan' | 'abs'

const native =
  (name: NativeName): CallPrinter =>
  (args) => {
    switch (name) {
      case 'sin':
        return call('sin', ...args)
      case 'cos':
        return call('cos', ...args)
      case 'tan':
        return call('tan', ...args)
      case 'atan':
        return call('atan', ...args)
      case 'abs':
        return call('abs', ...args)
      default:
        return unreachable(name)
    }
  }

/** Raises an error outside of the function's domain, where the server returns NULL. */
const within =
  (outside: (name: Sql) => Sql, state: RaisedState, compute: (name: Sql) => Sql): CallPrinter =>
  ([value = nothing], expression, context) =>
    letValues(
      [{ value, kind: 'double' }],
      context,
      canBind(expression),
      (name = nothing) =>
        sql`case when ${outside(name)} then ${raiseState(state)} else ${compute(name)} end`,
    )

const logarithm = (compute: (name: Sql) => Sql): CallPrinter =>
  within((name) => sql`${name} <= 0`, '2201E', compute)

const remainder: CallPrinter = (_, { args }, context) => {
  const [left, right] = args
  return left === undefined || right === undefined
    ? nothing
    : divided(left, right, context, 'integer', (one, other) => sql`(${one} % ${other})`)
}

const checkedAbs =
  (typeClass: 'int2' | 'int4' | 'int8'): CallPrinter =>
  (args) =>
    checkedInteger(call('abs', ...args), typeClass)

const toPower: CallPrinter = ([left = nothing, right = nothing], expression, context) =>
  power(left, right, context, canBind(expression))

const root: CallPrinter = ([value = nothing], expression, context) =>
  squareRoot(value, context, canBind(expression))

/** Buckets 1 to `count` between the bounds, 0 and `count` + 1 outside. */
function bucket(args: readonly Sql[], expression: FunctionCall, context: PrintContext): Sql {
  const [value = nothing, low = nothing, high = nothing, count = nothing] = args
  const values = [
    { value, kind: 'double' },
    { value: low, kind: 'double' },
    { value: high, kind: 'double' },
    { value: count, kind: 'integer' },
  ] as const
  return letValues(
    values,
    context,
    canBind(expression),
    (x = nothing, from = nothing, to = nothing, n = nothing) => {
      const rising = sql`case when ${x} < ${from} then 0 when ${x} >= ${to} then ${n} + 1 else least(cast(floor((${x} - ${from}) / (${to} - ${from}) * ${n}) as signed), ${n} - 1) + 1 end`
      const falling = sql`case when ${x} > ${from} then 0 when ${x} <= ${to} then ${n} + 1 else least(cast(floor((${from} - ${x}) / (${from} - ${to}) * ${n}) as signed), ${n} - 1) + 1 end`
      return sql`case when isnull(${x} + ${from} + ${to} + ${n}) then null when ${n} <= 0 or ${from} = ${to} then ${raiseState('2201F')} when ${from} < ${to} then ${rising} else ${falling} end`
    },
  )
}

export const numberFunctions: CallPrinters = {
  'abs(int2)': checkedAbs('int2'),
  'abs(int4)': checkedAbs('int4'),
  'abs(int8)': checkedAbs('int8'),
  'abs(float8)': native('abs'),
  'abs(float4)': native('abs'),
  'mod(int2,int2)': remainder,
  'mod(int4,int4)': remainder,
  'mod(int8,int8)': remainder,
  'round(float8)': ([value = nothing]) => wide(call('round', value)),
  'trunc(float8)': ([value = nothing]) => wide(sql`truncate(${value}, 0)`),
  'ceil(float8)': ([value = nothing]) => wide(call('ceiling', value)),
  'ceiling(float8)': ([value = nothing]) => wide(call('ceiling', value)),
  'floor(float8)': ([value = nothing]) => wide(call('floor', value)),
  'sign(float8)': ([value = nothing]) => sql`cast(sign(${value}) as double)`,
  'sqrt(float8)': root,
  'exp(float8)': within(
    (name) => sql`${name} < -745.2`,
    '22003',
    (name) => call('exp', name),
  ),
  'ln(float8)': logarithm((name) => call('ln', name)),
  'log(float8)': logarithm((name) => call('log10', name)),
  'log10(float8)': logarithm((name) => call('log10', name)),
  'power(float8,float8)': toPower,
  'pow(float8,float8)': toPower,
  'sin(float8)': native('sin'),
  'cos(float8)': native('cos'),
  'tan(float8)': native('tan'),
  'atan(float8)': native('atan'),
  'atan2(float8,float8)': (args) => call('atan2', ...args),
  'asin(float8)': within(
    (name) => sql`abs(${name}) > 1`,
    '22003',
    (name) => call('asin', name),
  ),
  'acos(float8)': within(
    (name) => sql`abs(${name}) > 1`,
    '22003',
    (name) => call('acos', name),
  ),
  'radians(float8)': ([value = nothing]) => sql`(${value} * 0.0174532925199432957692e0)`,
  'degrees(float8)': ([value = nothing]) => sql`(${value} / 0.0174532925199432957692e0)`,
  'pi()': () => sql`(pi() + 0e0)`,
  'random()': () => volatileCall(sql`rand()`),
  'width_bucket(float8,float8,float8,int4)': bucket,
  'int8(int4)': ([value = nothing]) => value,
  'float8(int4)': ([value = nothing]) => sql`cast(${value} as double)`,
}

/**
 * The result of a function that rounds (the server's round() rounds halves to even, as PostgreSQL does). In a temporary
 * table it would be a DOUBLE(17, 0), which cuts off everything from 10^17 on; a product is not.
 */
function wide(value: Sql): Sql {
  return sql`(${value} * 1e0)`
}
