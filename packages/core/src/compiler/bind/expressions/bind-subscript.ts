/** @module array[index], array[from:to], (row).field, and several of them one after the other. */
import type { A_Indices, A_Indirection, Node } from '@pgsql/types'
import { bindError, positioned, unsupported } from '../../sql/bind-error.ts'
import { oids } from '../../sql-types/oids.ts'
import { coerceTo } from '../coercion/coerce.ts'
import { operatorCall } from '../coercion/operator-call.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import { type BindNode, onlyFields, positionOf, required } from '../scope/syntax-node.ts'
import type { Constant, Expression, SubscriptStep } from '../tree/expression.ts'
import { bindColumnOrRow } from './bind-column.ts'
import { fieldOf } from './bind-field.ts'

/** The most dimensions that an array can have. */
const maxSteps = 6

/** Refuses subscripts of jsonb that are not constants. */
export function bindSubscript(
  node: A_Indirection,
  environment: ExpressionEnvironment,
  bind: BindNode,
): Expression {
  onlyFields(node, 'a subscript', ['arg', 'indirection'])
  const arg = required(node.arg, 'a subscript')
  const position = positionOf(arg)
  const steps = stepsOf(node.indirection ?? [], position)
  return steps.reduce<Expression>(
    (operand, step) =>
      typeof step === 'string'
        ? fieldOf(operand, step, position, environment)
        : subscripted(operand, step, position, environment, bind),
    bindOperand(arg, steps, environment, bind),
  )
}

/** The subscripts between two fields belong together: one for each dimension. */
export type Step = string | readonly A_Indices[]

export function stepsOf(nodes: readonly Node[], position: number | undefined): readonly Step[] {
  const steps: (string | A_Indices[])[] = []
  for (const node of nodes) {
    const last = steps.at(-1)
    if ('String' in node) steps.push(node.String.sval ?? '')
    else if (!('A_Indices' in node)) throw unsupported('a star here', position)
    else if (typeof last === 'object') last.push(node.A_Indices)
    else steps.push([node.A_Indices])
  }
  return steps
}

/** `(t).id`: the row itself is no value here, so that every database has its columns. */
function bindOperand(
  arg: Node,
  [first]: readonly Step[],
  environment: ExpressionEnvironment,
  bind: BindNode,
): Expression {
  return typeof first === 'string' && 'ColumnRef' in arg
    ? bindColumnOrRow(arg.ColumnRef, environment)
    : bind(arg, environment)
}

function subscripted(
  operand: Expression,
  indices: readonly A_Indices[],
  position: number | undefined,
  environment: ExpressionEnvironment,
  bind: BindNode,
): Expression {
  const { types } = environment.context
  if (types.baseTypeOid(operand.type.oid) === oids.jsonb) {
    return memberOf(operand, indices, position, environment)
  }
  const arrayOid = types.baseTypeOid(operand.type.oid)
  const partOid = types.typeByOid(arrayOid)?.partOid
  const elementOid = types.elementTypeOid(arrayOid) ?? partOid
  if (elementOid === undefined) {
    const message = `cannot subscript type ${types.formatType(operand.type.oid)} because it does not support subscripting`
    throw bindError(message, { sqlState: '42804', position })
  }
  if (indices.length > maxSteps) {
    const message = `number of array dimensions (${indices.length}) exceeds the maximum allowed (${maxSteps})`
    throw bindError(message, { sqlState: '54000', position })
  }
  const steps = indices.map((each) => bindStep(each, position, environment, bind))
  const { typmod, fields } = operand.type
  const [first, ...others] = steps
  const isSlice = steps.some(({ kind }) => kind === 'slice')
  if (isSlice && partOid !== undefined) throw noSlices(position)
  if (first?.kind === 'index' && others.length === 0) {
    const type = { oid: elementOid, typmod, ...(fields && { fields }) }
    return { kind: 'subscript', operand, index: first.index, type, ...positioned(position) }
  }
  const type = { oid: isSlice ? arrayOid : elementOid, typmod, ...(fields && { fields }) }
  return { kind: 'arraySection', operand, steps, type, ...positioned(position) }
}

/** A point and similar types have a fixed number of parts: `spot[0]`. */
export function noSlices(position: number | undefined): Error {
  const message = 'slices of fixed-length arrays not implemented'
  return bindError(message, { sqlState: '0A000', position })
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
