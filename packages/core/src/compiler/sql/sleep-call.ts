/** @module `SELECT pg_sleep(…)` by itself. The engine waits in place of a database: a sleeping statement holds no connection. */
import type { FuncCall, Node, SelectStmt } from '@pgsql/types'
import { GatewayError } from '../../foundation/errors.ts'
import type { Oid } from '../sql-types/oids.ts'
import { oids } from '../sql-types/oids.ts'
import { located, positioned } from './bind-error.ts'
import type { ParsedStatement } from './parse.ts'
import { plainName } from './sequence-name.ts'

export interface SleepCall {
  readonly name: SleepFunction
  /** The name of the result's column. */
  readonly column: string
  readonly argument: SleepArgument
}

/** A function that waits. */
export type SleepFunction = 'pg_sleep' | 'pg_sleep_for' | 'pg_sleep_until'

/** Its value is read as this type. */
export type SleepArgument = { readonly typeOid: Oid; readonly position: number | undefined } & (
  | { readonly kind: 'constant'; readonly text: string | null }
  /** `$1` is index 0. */
  | { readonly kind: 'parameter'; readonly index: number }
)

const argumentTypes: Readonly<Record<SleepFunction, Oid>> = {
  pg_sleep: oids.float8,
  pg_sleep_for: oids.interval,
  pg_sleep_until: oids.timestamptz,
}

/** Casts that an argument may have: numbers become `float8` by themselves. */
const castTypes: Readonly<Record<SleepFunction, ReadonlyMap<string, Oid>>> = {
  pg_sleep: new Map([
    ['int2', oids.int2],
    ['int4', oids.int4],
    ['int8', oids.int8],
    ['float4', oids.float4],
    ['float8', oids.float8],
    ['numeric', oids.numeric],
  ]),
  pg_sleep_for: new Map([['interval', oids.interval]]),
  pg_sleep_until: new Map([['timestamptz', oids.timestamptz]]),
}

export function isSleepFunction(name: string): name is SleepFunction {
  return Object.hasOwn(argumentTypes, name)
}

/** Comments and white space before `select pg_sleep`: only such texts are worth a look at their syntax tree. */
const beginning =
  /^(?:\s|--[^\n]*\n|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/)*select\s+(?:pg_catalog\s*\.\s*)?pg_sleep/i

export function maySleep(sql: string): boolean {
  return beginning.test(sql)
}

/**
 * @returns undefined where the call is not the whole statement.
 * @throws {GatewayError} 0A000 for an argument that has to be computed
 */
export function sleepCallOf({ statement }: ParsedStatement): SleepCall | undefined {
  if (!('SelectStmt' in statement)) return undefined
  const target = onlyTarget(statement.SelectStmt)
  const { val, name: alias } = target ?? {}
  if (val === undefined || !('FuncCall' in val)) return undefined
  const call = val.FuncCall
  const name = plainName(call.funcname)
  const [argument, ...others] = call.args ?? []
  if (name === undefined || !isSleepFunction(name) || !isPlain(call)) return undefined
  if (argument === undefined || others.length > 0) return undefined
  return { name, column: alias ?? name, argument: argumentOf(name, argument, call.location) }
}

const selectFields: ReadonlySet<string> = new Set(['targetList', 'limitOption', 'op'])
const callFields: ReadonlySet<string> = new Set(['funcname', 'args', 'funcformat', 'location'])

function onlyTarget(select: SelectStmt) {
  if (Object.keys(select).some((field) => !selectFields.has(field))) return undefined
  const [target, ...others] = select.targetList ?? []
  if (target === undefined || others.length > 0) return undefined
  return 'ResTarget' in target ? target.ResTarget : undefined
}

function isPlain(call: FuncCall): boolean {
  return Object.keys(call).every((field) => callFields.has(field))
}

/** @throws {GatewayError} 0A000 for an argument that has to be computed */
export function requireSleepArgument(
  name: SleepFunction,
  node: Node,
  position: number | undefined,
): void {
  argumentOf(name, node, position)
}

function argumentOf(
  name: SleepFunction,
  node: Node,
  position: number | undefined,
  typeOid: Oid = argumentTypes[name],
): SleepArgument {
  if ('ParamRef' in node) {
    return { kind: 'parameter', index: (node.ParamRef.number ?? 1) - 1, typeOid, position }
  }
  if ('A_Const' in node) {
    const { isnull, sval, fval, ival } = node.A_Const
    const text = isnull === true ? null : (sval?.sval ?? fval?.fval ?? String(ival?.ival ?? 0))
    if (isnull || sval || fval || ival) return { kind: 'constant', text, typeOid, position }
  }
  if ('TypeCast' in node) {
    const { arg, typeName } = node.TypeCast
    const cast = castTypes[name].get(plainName(typeName?.names) ?? '')
    const isPlainType = typeName?.arrayBounds === undefined && typeName?.typmods === undefined
    if (arg !== undefined && cast !== undefined && isPlainType && !('TypeCast' in arg)) {
      return argumentOf(name, arg, position, cast)
    }
  }
  throw new GatewayError(
    'unsupported',
    located(`${name}() of anything but a constant or a parameter is not supported`, position),
    { sqlState: '0A000', details: { hint: `Write ${name}($1).` }, ...positioned(position) },
  )
}

/** The error for a call whose rows are not those of a query. */
export function sleepsOutsideOfItems(name: string, position: number | undefined): GatewayError {
  const message = `${name}() outside of the select list, VALUES and FROM, or in a subquery of an expression, is not supported`
  return new GatewayError('unsupported', located(message, position), {
    sqlState: '0A000',
    ...positioned(position),
  })
}

/** The error for a call that is not the whole statement. */
export function sleepsElsewhere(name: string, position: number | undefined): GatewayError {
  return new GatewayError(
    'unsupported',
    located(`${name}() is only supported by itself: SELECT ${name}(…)`, position),
    {
      sqlState: '0A000',
      details: { hint: 'Wait in a statement of its own, before or after this one.' },
      ...positioned(position),
    },
  )
}
