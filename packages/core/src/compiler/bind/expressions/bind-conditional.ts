/** @module CASE, COALESCE, GREATEST and LEAST. */
import type { CaseExpr, CaseWhen, CoalesceExpr, MinMaxExpr, Node } from '@pgsql/types'
import { bindError, positioned, unsupported } from '../../sql/bind-error.ts'
import type { CommonTypeContext } from '../../sql-types/resolution.ts'
import { coerceTo, resolveUnknown } from '../coercion/coerce.ts'
import { coerceAll, commonTypeOf } from '../coercion/common-type.ts'
import { boolType } from '../coercion/null-test.ts'
import { comparisonCall } from '../coercion/operator-call.ts'
import { comparedTypes } from '../coercion/row-type.ts'
import { bindAndCountCalls } from '../scope/call-counts.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import { type BindNode, onlyFields, required } from '../scope/syntax-node.ts'
import type { Expression } from '../tree/expression.ts'
import { isVolatile } from '../tree/volatility.ts'
import { bindRepeatedly } from './bind-repeatedly.ts'

export function bindCase(
  node: CaseExpr,
  environment: ExpressionEnvironment,
  bind: BindNode,
): Expression {
  onlyFields(node, 'CASE', ['arg', 'args', 'defresult', 'location'])
  const { location: position } = node
  return withoutSets('CASE', position, environment, (inner) => {
    const arms = (node.args ?? []).map(armOf)
    const condition = conditionBinder(node.arg, arms.length, inner, bind)
    const bound = arms.map((arm) => ({
      condition: condition(required(arm.expr, 'WHEN', arm.location), arm.location),
      result: bind(required(arm.result, 'THEN', arm.location), inner),
    }))
    const otherwise = node.defresult && bind(node.defresult, inner)
    const results = bound.map(({ result }) => result)
    const common = commonTypeOf([...(otherwise ? [otherwise] : []), ...results], 'CASE', inner)
    const type = otherwise === undefined ? { ...common, typmod: -1 } : common
    const coerce = (result: Expression) => coerceTo(result, type, 'implicit', inner)
    return {
      kind: 'case',
      whens: bound.map((when) => ({ ...when, result: coerce(when.result) })),
      otherwise: otherwise && coerce(otherwise),
      type,
      ...positioned(position),
    }
  })
}

function armOf(node: Node): CaseWhen {
  if (!('CaseWhen' in node)) throw unsupported('this CASE', undefined)
  onlyFields(node.CaseWhen, 'WHEN', ['expr', 'result', 'location'])
  return node.CaseWhen
}

/** For `CASE WHEN condition`, or `CASE operand WHEN value`, which becomes `operand = value`. */
function conditionBinder(
  operandNode: Node | undefined,
  times: number,
  environment: ExpressionEnvironment,
  bind: BindNode,
): (node: Node, position: number | undefined) => Expression {
  if (operandNode === undefined) {
    return (node) =>
      coerceTo(bind(node, environment), boolType, 'implicit', environment, 'argument of CASE/WHEN')
  }
  const nextOperand = bindRepeatedly(operandNode, times, environment, bind)
  return (node, position) => {
    const operand = resolveUnknown(nextOperand(), environment)
    if (isVolatile(operand)) {
      throw unsupported('CASE over a volatile expression', operand.position ?? position)
    }
    return comparisonCall('=', operand, bind(node, environment), 'CASE', position, environment)
  }
}

export function bindCoalesce(
  node: CoalesceExpr,
  environment: ExpressionEnvironment,
  bind: BindNode,
): Expression {
  onlyFields(node, 'COALESCE', ['args', 'location'])
  const { location: position } = node
  return withoutSets('COALESCE', position, environment, (inner) => {
    const { args, type } = bindAlike(node.args, 'COALESCE', inner, bind)
    return { kind: 'coalesce', args, type, ...positioned(position) }
  })
}

export function bindExtremum(
  node: MinMaxExpr,
  environment: ExpressionEnvironment,
  bind: BindNode,
): Expression {
  onlyFields(node, 'GREATEST or LEAST', ['op', 'args', 'location'])
  const { op, location: position } = node
  if (op !== 'IS_GREATEST' && op !== 'IS_LEAST') throw unsupported('this function', position)
  const name = op === 'IS_GREATEST' ? 'GREATEST' : 'LEAST'
  const { args, type } = bindAlike(node.args, name, environment, bind)
  const { types } = environment.context
  const compared = comparedTypes(type, types)
  if (compared.some(({ oid }) => types.comparison(oid)?.less === undefined)) {
    const message = `could not identify a comparison function for type ${types.formatType(type.oid)}`
    throw bindError(message, { sqlState: '42883', position })
  }
  return {
    kind: 'extremum',
    function: op === 'IS_GREATEST' ? 'greatest' : 'least',
    args,
    type,
    ...positioned(position),
  }
}

function bindAlike(
  nodes: readonly Node[] | undefined,
  name: CommonTypeContext,
  environment: ExpressionEnvironment,
  bind: BindNode,
): { readonly args: readonly Expression[]; readonly type: Expression['type'] } {
  const args = (nodes ?? []).map((arg) => bind(arg, environment))
  const type = commonTypeOf(args, name, environment)
  return { args: coerceAll(args, type, environment), type }
}

/** Refuses set-returning functions in branches: PostgreSQL could not decide how often such a branch runs. */
function withoutSets(
  construct: string,
  position: number | undefined,
  environment: ExpressionEnvironment,
  bindParts: (inner: ExpressionEnvironment) => Expression,
): Expression {
  const { part, found } = bindAndCountCalls(environment, bindParts)
  if (found.sets === 0) return part
  throw bindError(`set-returning functions are not allowed in ${construct}`, {
    sqlState: '0A000',
    position,
  })
}
