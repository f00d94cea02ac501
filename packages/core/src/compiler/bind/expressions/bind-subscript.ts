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
    return memberOf(operand, indices, position, environment, bind)
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

/** `document['a'][n]` is `document #> array['a', n::text]`; with constants only, `document #> '{a,0}'`. */
function memberOf(
  document: Expression,
  indices: readonly A_Indices[],
  position: number | undefined,
  environment: ExpressionEnvironment,
  bind: BindNode,
): Expression {
  if (indices.some((each) => each.is_slice === true)) {
    const message = 'jsonb subscript does not support slices'
    throw bindError(message, { sqlState: '0A000', position })
  }
  const constants = indices.flatMap(({ uidx }) => constantKey(uidx) ?? [])
  const path =
    constants.length === indices.length
      ? constantPath(constants, position)
      : computedPath(indices, position, environment, bind)
  return operatorCall('#>', document, path, position, environment)
}

function constantKey(node: Node | undefined): string | undefined {
  const constant = node !== undefined && 'A_Const' in node ? node.A_Const : undefined
  if (constant?.sval !== undefined) return constant.sval.sval ?? ''
  return constant?.ival && String(constant.ival.ival ?? 0)
}

function constantPath(keys: readonly string[], position: number | undefined): Constant {
  const quoted = keys.map((key) => `"${key.replace(/["\\]/g, String.raw`\$&`)}"`)
  return {
    kind: 'constant',
    value: `{${quoted.join(',')}}`,
    type: { oid: oids.unknown, typmod: -1 },
    ...positioned(position),
  }
}

function computedPath(
  indices: readonly A_Indices[],
  position: number | undefined,
  environment: ExpressionEnvironment,
  bind: BindNode,
): Expression {
  const elements = indices.map(({ uidx }) =>
    keyOf(bind(required(uidx, 'a subscript', position), environment), environment),
  )
  return { kind: 'array', elements, type: { oid: oids.textArray, typmod: -1 } }
}

const text = { oid: oids.text, typmod: -1 }

/** A subscript of jsonb is an integer or a text, by its type. */
function keyOf(key: Expression, environment: ExpressionEnvironment): Expression {
  const { types } = environment.context
  const { oid } = key.type
  const fits = (wanted: number) => types.coercion(oid, wanted, 'implicit') !== undefined
  if (oid !== oids.unknown && fits(oids.int4)) {
    const number = coerceTo(key, { oid: oids.int4, typmod: -1 }, 'implicit', environment)
    return coerceTo(number, text, 'explicit', environment)
  }
  if (oid === oids.unknown || fits(oids.text)) return coerceTo(key, text, 'implicit', environment)
  const message = `subscript type ${types.formatType(oid)} is not supported`
  throw bindError(message, { sqlState: '42804', position: key.position })
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
