/** @module Mathematical functions. SQLite, like PostgreSQL, uses the C library. */

import { type Sql, sql } from '@engine/core/print'
import { type FunctionCall, isVolatile } from '@engine/core/tree'
import { letValues } from '../../let-binding.ts'
import { call, type PrintContext } from '../../print-context.ts'
import { checkedInteger } from '../../print-number.ts'
import type { CallPrinter, CallPrinters } from './function-printers.ts'

/** A function of the C library: NULL where it has no value, an infinity where it overflows. */
const float =
  (make: (value: Sql) => Sql): CallPrinter =>
  (args, expression, context) =>
    ofOne(args, expression, context, (value) => call('float_result', make(value), value))

/** The same where PostgreSQL accepts infinities. */
const defined =
  (make: (value: Sql) => Sql): CallPrinter =>
  (args, expression, context) =>
    ofOne(args, expression, context, (value) => call('float_defined', make(value), value))

const logarithm =
  (make: (value: Sql) => Sql): CallPrinter =>
  (args, expression, context) =>
    ofOne(args, expression, context, (value) => call('float_log', value, make(value)))

function ofOne(
  args: readonly Sql[],
  { args: operands }: FunctionCall,
  context: PrintContext,
  make: (value: Sql) => Sql,
): Sql {
  return letValues([first(args)], context, make, operands.some(isVolatile))
}

const first = ([value = sql`null`]: readonly Sql[]): Sql => value

const powerOfFloats: CallPrinter = (args, expression, context) =>
  letValues(
    args,
    context,
    (...names) => call('float_pow', ...names, call('pow', ...names)),
    expression.args.some(isVolatile),
  )

const absolute = ([value = sql`null`]: readonly Sql[], type: 'int2' | 'int4' | 'int8'): Sql =>
  checkedInteger(call('abs', value), type)

/** `abs(-0)` is -0 without the sum. */
const absoluteFloat = (args: readonly Sql[]): Sql => sql`(${call('abs', ...args)} + 0.0)`

export const numberFunctions: CallPrinters = {
  'abs(int2)': (args) => absolute(args, 'int2'),
  'abs(int4)': (args) => absolute(args, 'int4'),
  'abs(int8)': (args) => absolute(args, 'int8'),
  'abs(float4)': absoluteFloat,
  'abs(float8)': absoluteFloat,
  'abs(numeric)': (args) => call('dec_abs', ...args),
  'ceil(numeric)': (args) => call('dec_ceil', ...args),
  'ceiling(numeric)': (args) => call('dec_ceil', ...args),
  'ceil(float8)': (args) => call('float_ceil', ...args),
  'ceiling(float8)': (args) => call('float_ceil', ...args),
  'floor(numeric)': (args) => call('dec_floor', ...args),
  'floor(float8)': (args) => call('float_floor', ...args),
  'round(numeric)': (args) => call('dec_round', ...args, sql`0`),
  'round(numeric,int4)': (args) => call('dec_round', ...args),
  'round(float8)': (args) => call('float_round', ...args),
  'trunc(numeric)': (args) => call('dec_trunc', ...args, sql`0`),
  'trunc(numeric,int4)': (args) => call('dec_trunc', ...args),
  'trunc(float8)': (args) => call('float_trunc', ...args),
  'sign(numeric)': (args) => call('dec_sign', ...args),
  'sign(float8)': (args) => call('float_sign', ...args),
  'mod(int2,int2)': (args) => call('int_mod', ...args),
  'mod(int4,int4)': (args) => call('int_mod', ...args),
  'mod(int8,int8)': (args) => call('int_mod', ...args),
  'mod(numeric,numeric)': (args) => call('dec_mod', ...args),
  'div(numeric,numeric)': (args) => call('dec_idiv', ...args),
  'gcd(int4,int4)': (args) => call('int4', call('int_gcd', ...args)),
  'gcd(int8,int8)': (args) => call('int8', call('int_gcd', ...args)),
  'gcd(numeric,numeric)': (args) => call('dec_gcd', ...args),
  'lcm(int4,int4)': (args) => call('int4', call('int_lcm', ...args)),
  'lcm(int8,int8)': (args) => call('int8', call('int_lcm', ...args)),
  'lcm(numeric,numeric)': (args) => call('dec_lcm', ...args),
  'factorial(int8)': (args) => call('dec_factorial', ...args),
  'scale(numeric)': (args) => call('dec_scale', ...args),
  'min_scale(numeric)': (args) => call('dec_min_scale', ...args),
  'trim_scale(numeric)': (args) => call('dec_trim', ...args),
  'width_bucket(float8,float8,float8,int4)': (args) => call('float_bucket', ...args),
  'width_bucket(numeric,numeric,numeric,int4)': (args) => call('dec_bucket', ...args),
  'to_char(int4,text)': (args) => call('decimal_to_char', ...args),
  'to_char(int8,text)': (args) => call('decimal_to_char', ...args),
  'to_char(numeric,text)': (args) => call('decimal_to_char', ...args),
  'to_char(float8,text)': (args) => call('float_to_char', ...args),
  'sqrt(numeric)': (args) => call('dec_sqrt', ...args),
  'exp(numeric)': (args) => call('dec_exp', ...args),
  'ln(numeric)': (args) => call('dec_ln', ...args),
  'log(numeric)': (args) => call('dec_log10', ...args),
  'log10(numeric)': (args) => call('dec_log10', ...args),
  'log(numeric,numeric)': (args) => call('dec_log', ...args),
  'power(numeric,numeric)': (args) => call('dec_pow', ...args),
  'pow(numeric,numeric)': (args) => call('dec_pow', ...args),
  'sqrt(float8)': (args) => call('float_sqrt', ...args),
  'power(float8,float8)': powerOfFloats,
  'pow(float8,float8)': powerOfFloats,
  'exp(float8)': (args, expression, context) =>
    ofOne(args, expression, context, (value) => call('float_exp', value, call('exp', value))),
  'ln(float8)': logarithm((value) => call('ln', value)),
  'log(float8)': logarithm((value) => call('log10', value)),
  'log10(float8)': logarithm((value) => call('log10', value)),
  'sin(float8)': float((value) => call('sin', value)),
  'cos(float8)': float((value) => call('cos', value)),
  'tan(float8)': float((value) => call('tan', value)),
  'asin(float8)': float((value) => call('asin', value)),
  'acos(float8)': float((value) => call('acos', value)),
  'atan(float8)': float((value) => call('atan', value)),
  'sinh(float8)': defined((value) => call('sinh', value)),
  'cosh(float8)': defined((value) => call('cosh', value)),
  'tanh(float8)': defined((value) => call('tanh', value)),
  'asinh(float8)': defined((value) => call('asinh', value)),
  'acosh(float8)': defined((value) => call('acosh', value)),
  'atanh(float8)': defined((value) => call('atanh', value)),
  'atan2(float8,float8)': (args) => call('atan2', ...args),
  'degrees(float8)': (args) => call('float_degrees', ...args),
  'radians(float8)': (args) => call('float_radians', ...args),
  'pi()': () => call('pi'),
  'random()': () => call('float_random'),
  'bool(int4)': ([value = sql`null`]) => sql`(${value} <> 0)`,
  'int4(bool)': first,
  'to_hex(int4)': (args) => call('pg_to_hex', ...args, sql`32`),
  'to_hex(int8)': (args) => call('pg_to_hex', ...args, sql`64`),
  'int4(int2)': first,
  'int8(int4)': first,
  'int8(int2)': first,
  'float8(float4)': first,
}
