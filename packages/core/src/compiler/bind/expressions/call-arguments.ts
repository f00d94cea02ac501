/** @module Arguments of a call: bound, the function found by their types, then converted to its parameter types. */

import type { FuncCall, Node } from '@pgsql/types'
import { bindError, unsupported } from '../../sql/bind-error.ts'
import { oids } from '../../sql-types/oids.ts'
import type { PgFunction } from '../../sql-types/pg-type.ts'
import { recordOf } from '../../sql-types/record-type.ts'
import type { ResolvedFunction } from '../../sql-types/resolution.ts'
import type { SqlType } from '../../sql-types/sql-type.ts'
import { coerceTo, resolveUnknown } from '../coercion/coerce.ts'
import { allowed, resolutionError } from '../coercion/operator-call.ts'
import { hasOwnNames, isRecord, requireRowValues, typeOfRows } from '../coercion/row-type.ts'
import { lackingConfiguration } from '../coercion/text-search.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import { undeterminedParameter } from '../scope/parameter-types.ts'
import { type BindNode, onlyFields, required } from '../scope/syntax-node.ts'
import type { Expression } from '../tree/expression.ts'
import { bindColumnOrRow } from './bind-column.ts'
import { bindRow } from './bind-row.ts'
import { defaultArgument } from './default-argument.ts'

/** The arguments as the client wrote them. */
export interface GivenArguments {
  readonly expressions: readonly Expression[]
  /** Names of the last expressions, written as `name => value`. */
  readonly names: readonly string[]
  /** VARIADIC stands before the last one. */
  readonly isVariadic?: true
}

/** A function with its arguments in the order of its parameters, or the cast that the call means. */
export type ResolvedCall =
  | {
      readonly kind: 'call'
      readonly function: PgFunction
      readonly args: readonly Expression[]
      readonly resultOid: number
      readonly isVariadic: true | undefined
    }
  | { readonly kind: 'cast'; readonly operand: Expression; readonly type: SqlType }

export type FoundFunction = Extract<ResolvedCall, { kind: 'call' }>

export function bindArguments(
  node: FuncCall,
  environment: ExpressionEnvironment,
  bind: BindNode,
): GivenArguments {
  const names: string[] = []
  const expressions = (node.args ?? []).map((arg) => {
    if (!('NamedArgExpr' in arg)) return bindArgument(arg, environment, bind)
    onlyFields(arg.NamedArgExpr, 'a named argument', ['arg', 'name', 'argnumber', 'location'])
    names.push(arg.NamedArgExpr.name ?? '')
    const value = required(arg.NamedArgExpr.arg, 'a named argument', arg.NamedArgExpr.location)
    return bindArgument(value, environment, bind)
  })
  return { expressions, names }
}

function bindArgument(arg: Node, environment: ExpressionEnvironment, bind: BindNode): Expression {
  if ('ColumnRef' in arg) return bindColumnOrRow(arg.ColumnRef, environment)
  return 'RowExpr' in arg ? bindRow(arg.RowExpr, environment, bind) : bind(arg, environment)
}

/**
 * @throws {GatewayError} `badRequest` (42883 ...) for a call that matches no function, `unsupported` for one that is not allowed.
 */
export function resolveCall(
  name: string,
  given: GivenArguments,
  position: number | undefined,
  environment: ExpressionEnvironment,
): ResolvedCall {
  const { types } = environment.context
  const { expressions, names, isVariadic } = given
  if (isVariadic) requireVariadicCalls(given, position, environment)
  const resolved = types.resolveFunction(
    name,
    expressions.map((expression) => expression.type.oid),
    {
      ...(names.length > 0 && { argumentNames: names }),
      ...(isVariadic && { isVariadicCall: isVariadic }),
    },
  )
  if (!resolved.ok) throw resolutionError(resolved, position, 'function')
  const [operand] = expressions
  if (resolved.kind === 'cast') {
    if (operand === undefined || operand.kind === 'wholeRow' || operand.kind === 'row') {
      // PostgreSQL casts a row to text, but no function does.
      throw bindError(`function ${name}(record) does not exist`, { sqlState: '42883', position })
    }
    const { sourceOid, targetOid } = resolved
    const source = { oid: sourceOid, typmod: -1 }
    return {
      kind: 'cast',
      operand:
        operand.type.oid === sourceOid
          ? operand
          : coerceTo(operand, source, 'implicit', environment),
      type: { oid: targetOid, typmod: -1 },
    }
  }
  const configuration = lackingConfiguration(resolved.function, position, environment)
  if (configuration !== undefined) {
    const all = { ...given, expressions: [configuration, ...expressions] }
    return resolveCall(name, all, position, environment)
  }
  requireRows(resolved.function, expressions, environment)
  const args = expressions.map((expression, i) =>
    coerceArgument(
      expression,
      resolved.argumentOids[i] ?? oids.any,
      resolved.function,
      environment,
    ),
  )
  if (isVariadic) requireArray(args.at(-1), environment)
  return {
    kind: 'call',
    function: allowed(resolved.function, position),
    args: inParameterOrder(resolved, args, position),
    resultOid: resolved.resultOid,
    isVariadic,
  }
}

function requireVariadicCalls(
  { names }: GivenArguments,
  position: number | undefined,
  { context }: ExpressionEnvironment,
): void {
  if (!context.connection.traits.variadicCalls) throw unsupported('VARIADIC', position)
  if (names.length > 0) throw unsupported('VARIADIC with named arguments', position)
}

/** A parameter of type `"any"` would take any value. */
function requireArray(
  last: Expression | undefined,
  { context: { types } }: ExpressionEnvironment,
): void {
  if (last === undefined) return
  if (types.elementTypeOid(types.baseTypeOid(last.type.oid)) !== undefined) return
  const message = 'VARIADIC argument must be an array'
  throw bindError(message, { sqlState: '42804', position: last.position })
}

/** Functions that make JSON of a row. */
const jsonFunctions: ReadonlySet<string> = new Set([
  'array_to_json',
  'row_to_json',
  'to_json',
  'to_jsonb',
  'json_agg',
  'jsonb_agg',
  'json_build_array',
  'jsonb_build_array',
  'json_build_object',
  'jsonb_build_object',
  'json_object_agg',
  'jsonb_object_agg',
])

/** Functions that take a row constructor as their only argument on every database. */
const rowFunctions: ReadonlySet<string> = new Set(['count', 'row_to_json', 'to_json', 'to_jsonb'])

function requireRows(
  called: PgFunction,
  args: readonly Expression[],
  environment: ExpressionEnvironment,
): void {
  const isOwn = called.schema === undefined
  const makesJson = isOwn && jsonFunctions.has(called.name)
  for (const arg of args) {
    const { kind, position } = arg
    if (kind === 'wholeRow' && !makesJson && !(isOwn && called.name === 'count')) {
      requireRowValues(environment, `a whole row as an argument of ${called.name}()`, position)
    }
    if (kind === 'row' && !(isOwn && rowFunctions.has(called.name) && args.length === 1)) {
      requireRowValues(
        environment,
        `a row constructor as an argument of ${called.name}()`,
        position,
      )
    }
    if (makesJson) requireNames(arg)
  }
}

/** The database would call the fields of a computed row `f1`, `f2` ... */
function requireNames(arg: Expression): void {
  const isNamed =
    arg.kind === 'wholeRow'
      ? arg.fields.every(({ value }) => hasOwnNames(value.type))
      : hasOwnNames(arg.type)
  if (!isNamed) throw unsupported('JSON of a computed row', arg.position)
}

/**
 * An `"any"` argument is taken without conversion; a literal is text there, a parameter stays untyped. The arguments of `rank(5)
 * WITHIN GROUP (ORDER BY x)` later get the common type with their sort keys.
 */
function coerceArgument(
  expression: Expression,
  oid: number,
  called: PgFunction,
  environment: ExpressionEnvironment,
): Expression {
  const isAny = oid === oids.any || oid === oids.unknown
  if (!isAny) return coerceTo(expression, { oid, typmod: -1 }, 'implicit', environment)
  if (called.aggregateKind === 'hypotheticalSet') return expression
  if (expression.kind === 'parameter' && expression.type.oid === oids.unknown) {
    throw undeterminedParameter(expression.index, expression.position)
  }
  return resolveUnknown(expression, environment)
}

/** Sorts named arguments into parameter order and fills in the omitted ones before them. */
function inParameterOrder(
  resolved: ResolvedFunction,
  args: readonly Expression[],
  position: number | undefined,
): readonly Expression[] {
  const { parameterOrder: order } = resolved
  if (order === undefined) return args
  return Array.from({ length: Math.max(-1, ...order) + 1 }, (_, parameter) => {
    const arg = args[order.indexOf(parameter)] ?? defaultArgument(resolved.function, parameter)
    if (arg !== undefined) return arg
    throw unsupported(
      `${resolved.function.name}() without all arguments before a named one`,
      position,
    )
  })
}

/**
 * The type of the result; of rows, with their fields: `lag(t) OVER ()`, `array_agg(t)`.
 *
 * @throws {GatewayError} `unsupported` for a row where the database has no rows as values.
 */
export function resultType(
  { function: called, args, resultOid }: FoundFunction,
  position: number | undefined,
  environment: ExpressionEnvironment,
): SqlType {
  if (!isRecord(resultOid)) return { oid: resultOid, typmod: -1 }
  requireRowValues(environment, `a row as the result of ${called.name}()`, position)
  const columns = called.outputColumns
  if (columns !== undefined) {
    return recordOf(columns.map(({ name, oid }) => ({ name, type: { oid, typmod: -1 } })))
  }
  return typeOfRows(resultOid, args, `${called.name}()`, position)
}
