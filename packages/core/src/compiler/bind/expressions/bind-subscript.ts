/** @module array[index], array[from:to] and several subscripts: one step for each dimension. */
import type { A_Indices, A_Indirection, Node } from '@pgsql/types'
import { bindError, positioned, unsupported } from '../../sql/bind-error.ts'
import { oids } from '../../sql-types/oids.ts'
import { coerceTo } from '../coercion/coerce.ts'
import { operatorCall } from '../coercion/operator-call.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import { type BindNode, onlyFields, positionOf, required } from '../scope/syntax-node.ts'
import type { Constant, Expression, SubscriptStep } from '../tree/expression.ts'

/** The most dimensions that an array can have. */
const maxSteps = 6

/** Refuses field selection, and subscripts of jsonb that are not constants. */
export function bindSubscript(
  node: A_Indirection,
  environment: ExpressionEnvironment,
  bind: BindNode,
): Expression {
  onlyFields(node, 'a subscript', ['arg', 'indirection'])
  const arg = required(node.arg, 'a subscript')
  const position = positionOf(arg)
  const indices = (node.indirection ?? []).map((step) => indicesOf(step, position))
  const operand = bind(arg, environment)
  const { types } = environment.context
  if (types.baseTypeOid(operand.type.oid) === oids.jsonb) {
    return memberOf(operand, indices, position, environment)
  }
  const arrayOid = types.baseTypeOid(operand.type.oid)
  const elementOid = types.elementTypeOid(arrayOid)
  if (elementOid === undefined) {
    const message = `cannot subscript type ${types.formatType(operand.type.oid)} because it does not support subscripting`
    throw bindError(message, { sqlState: '42804', position })
  }
  if (indices.length > maxSteps) {
    const message = `number of array dimensions (${indices.length}) exceeds the maximum allowed (${maxSteps})`
    throw bindError(message, { sqlState: '54000', position })
  }
  const steps = indices.map((each) => bindStep(each, position, environment, bind))
  const { typmod } = operand.type
  const [first, ...others] = steps
  if (first?.kind === 'index' && others.length === 0) {
    const type = { oid: elementOid, typmod }
    return { kind: 'subscript', operand, index: first.index, type, ...positioned(position) }
  }
  const isSlice = steps.some(({ kind }) => kind === 'slice')
  const type = { oid: isSlice ? arrayOid : elementOid, typmod }
  return { kind: 'arraySection', operand, steps, type, ...positioned(position) }
}

/** `document['a'][0]` is `document #> '{a,0}'`. */
function memberOf(
  document: Expression,
  indices: readonly A_Indices[],
  position: number | undefined,
  environment: ExpressionEnvironment,
): Expression {
  const keys = indices.map(({ is_slice: isSlice, uidx }) => {
    const constant = uidx !== undefined && 'A_Const' in uidx ? uidx.A_Const : undefined
    const key = constant?.sval?.sval ?? constant?.ival?.ival
    const isZero = constant?.ival !== undefined && key === undefined
    if (isSlice === true || (key === undefined && !isZero)) {
      throw unsupported('a subscript of jsonb that is no constant', position)
    }
    return `"${String(key ?? 0).replace(/["\\]/g, String.raw`\$&`)}"`
  })
  const path: Constant = {
    kind: 'constant',
    value: `{${keys.join(',')}}`,
    type: { oid: oids.unknown, typmod: -1 },
    ...positioned(position),
  }
  return operatorCall('#>', document, path, position, environment)
}

function indicesOf(step: Node, position: number | undefined): A_Indices {
  if ('A_Indices' in step) return step.A_Indices
  throw unsupported('selecting a field of a value', position)
}

function bindStep(
  indices: A_Indices,
  position: number | undefined,
  environment: ExpressionEnvironment,
  bind: BindNode,
): SubscriptStep {
  onlyFields(indices, 'a subscript', ['is_slice', 'lidx', 'uidx'])
  const { lidx, uidx } = indices
  const bound = (node: Node) => integerOf(bind(node, environment), environment)
  if (indices.is_slice !== true) {
    return { kind: 'index', index: bound(required(uidx, 'a subscript', position)) }
  }
  return { kind: 'slice', lower: lidx && bound(lidx), upper: uidx && bound(uidx) }
}

function integerOf(index: Expression, environment: ExpressionEnvironment): Expression {
  const int4 = { oid: oids.int4, typmod: -1 }
  return coerceTo(index, int4, 'assignment', environment, 'array subscript')
}
