/** @module Functions of integers and floats; those of numerics are in `decimal-call.ts`. */
import { type FunctionCall, type Sql, sql } from '@engine/core'
import type { CallPrinter, CallPrinters } from './call-printer.ts'
import { hasWindow } from './has-window.ts'
import { once } from './once.ts'
import { call, nullSql, type PrintContext } from './print-context.ts'
import { checkedInteger } from './print-number.ts'
import { divided, power, squareRoot } from './print-operator.ts'
import { type RaisedState, raiseState } from './raise.ts'

const nothing = nullSql

const native =
  (
    name:
      | 'sin'
      | 'cos'
      | 'tan'
      | 'atan'
      | 'radians'
      | 'degrees'
      | 'floor'
      | 'ceiling'
      | 'abs'
      | 'exp'
      | 'sign',
  ): CallPrinter =>
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
      case 'radians':
        return call('radians', ...args)
      case 'degrees':
        return call('degrees', ...args)
      case 'floor':
        return call('floor', ...args)
      case 'ceiling':
        return call('ceiling', ...args)
      case 'abs':
        return call('abs', ...args)
      case 'exp':
        return call('exp', ...args)
      case 'sign':
        return sql`cast(sign(${args[0] ?? nothing}) as double)`
    }
  }

/** Raises outside of the function's domain, where the server gives NULL. */
const within =
  (outside: (name: Sql) => Sql, state: RaisedState, compute: (name: Sql) => Sql): CallPrinter =>
  ([value = nothing], expression, context) =>
    once(
      [{ value, kind: 'double' }],
      context,
      !hasWindow(expression),
      (name = nothing) =>
        sql`case when ${outside(name)} then ${raiseState(state)} else ${compute(name)} end`,
    )

const logarithm = (compute: (name: Sql) => Sql): CallPrinter =>
  within((name) => sql`${name} <= 0`, '2201E', compute)

const remainder: CallPrinter = ([left = nothing, right = nothing], expression, context) => {
  const [, divisor] = expression.args
  return divisor === undefined
    ? nothing
    : divided(divisor, right, context, (name) => sql`(${left} % ${name})`)
}

const checkedAbs =
  (typeClass: 'int2' | 'int4' | 'int8'): CallPrinter =>
  (args) =>
    checkedInteger(call('abs', ...args), typeClass)

const toPower: CallPrinter = ([left = nothing, right = nothing], expression, context) =>
  power(left, right, context, !hasWindow(expression))

const root: CallPrinter = ([value = nothing], expression, context) =>
  squareRoot(value, context, !hasWindow(expression))

/** Buckets 1 to `count` between the bounds, 0 and `count` + 1 outside. */
function bucket(args: readonly Sql[], expression: FunctionCall, context: PrintContext): Sql {
  const [value = nothing, low = nothing, high = nothing, count = nothing] = args
  const values = [
    { value, kind: 'double' },
    { value: low, kind: 'double' },
    { value: high, kind: 'double' },
    { value: count, kind: 'integer' },
  ] as const
  return once(
    values,
    context,
    !hasWindow(expression),
    (x = nothing, from = nothing, to = nothing, n = nothing) => {
      const rising = sql`case when ${x} < ${from} then 0 when ${x} >= ${to} then ${n} + 1 else least(cast(floor((${x} - ${from}) / (${to} - ${from}) * ${n}) as signed), ${n} - 1) + 1 end`
      const falling = sql`case when ${x} > ${from} then 0 when ${x} <= ${to} then ${n} + 1 else least(cast(floor((${from} - ${x}) / (${from} - ${to}) * ${n}) as signed), ${n} - 1) + 1 end`
      return sql`case when isnull(${x} + ${from} + ${to} + ${n}) then null when ${n} <= 0 or ${from} = ${to} then ${raiseState('2201F')} when ${from} < ${to} then ${rising} else ${falling} end`
    },
  )
}

export const numberCalls: CallPrinters = {
  'abs(int2)': checkedAbs('int2'),
  'abs(int4)': checkedAbs('int4'),
  'abs(int8)': checkedAbs('int8'),
  'abs(float8)': native('abs'),
  'abs(float4)': native('abs'),
  'mod(int2,int2)': remainder,
  'mod(int4,int4)': remainder,
  'mod(int8,int8)': remainder,
  'round(float8)': ([value = nothing]) => halfEven(value),
  'trunc(float8)': ([value = nothing]) => sql`truncate(${value}, 0)`,
  'ceil(float8)': native('ceiling'),
  'ceiling(float8)': native('ceiling'),
  'floor(float8)': native('floor'),
  'sign(float8)': native('sign'),
  'sqrt(float8)': root,
  'exp(float8)': native('exp'),
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
  'radians(float8)': native('radians'),
  'degrees(float8)': native('degrees'),
  'pi()': () => sql`(pi() + 0e0)`,
  'random()': () => sql`rand()`,
  'width_bucket(float8,float8,float8,int4)': bucket,
  'int8(int4)': ([value = nothing]) => value,
  'float8(int4)': ([value = nothing]) => sql`cast(${value} as double)`,
}

/** The server rounds doubles as the C library does: half to even. */
function halfEven(value: Sql): Sql {
  return call('round', value)
}
