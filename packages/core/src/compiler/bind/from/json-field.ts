/** @module Fields of a JSON object, read and converted one by one. */
import type { Node } from '@pgsql/types'
import { unsupported } from '../../sql/bind-error.ts'
import { oids } from '../../sql-types/oids.ts'
import { recordOf } from '../../sql-types/record-type.ts'
import type { SqlType } from '../../sql-types/sql-type.ts'
import type { TypeSystem } from '../../sql-types/system/type-system.ts'
import { lengthOfTypmod } from '../../sql-types/typmod.ts'
import { coerceTo } from '../coercion/coerce.ts'
import { fieldsOfType, isRecord, requireRowValues } from '../coercion/row-type.ts'
import { bindExpression } from '../expressions/bind-expression.ts'
import type { BindContext, ExpressionEnvironment } from '../scope/context.ts'
import { selectFrom } from '../scope/select-over.ts'
import type { FromItem } from '../tree/bound-query.ts'
import type { Expression } from '../tree/expression.ts'

/** The field `key` of `element` as a value of the type. */
export function fieldOf(
  type: SqlType,
  key: string,
  json: 'json' | 'jsonb',
  position: number | undefined,
  environment: ExpressionEnvironment,
): Expression {
  if (isRecord(type.oid)) throw unsupported('a row of a table as a column of JSON', position)
  const length = lengthToFit(type, environment.context)
  if (isNested(type, environment.context.types)) {
    requireRowValues(environment, 'an array or a row that is read from JSON', position)
    const failing = callNode(`to_${json}`, [failure(json)])
    const document = caseNode(isOther(json), failing, partNode(key))
    return readNested(document, json, type, environment)
  }
  const isDocument = length === 'document'
  const text = operatorNode('->>', elementNode, textNode(key))
  const value = isDocument ? caseNode(isNotNull(text), partNode(key)) : text
  const hasRows = environment.context.connection.traits.rowValues
  const fitting = typeof length === 'number' && !hasRows ? whereFits(value, length, json) : value
  const failing = isDocument
    ? callNode(`to_${json}`, [failure(json)])
    : castNode(failure(json), 'text')
  const guarded = bindExpression(caseNode(isOther(json), failing, fitting), environment)
  const read = coerceTo(guarded, type, 'explicit', environment)
  if (typeof length !== 'number' || !hasRows) return read
  // The database refuses what is too long in its own words.
  const condition = bindExpression(isTooLong(text, length), environment)
  const result = readNested(partNode(key), json, type, environment)
  return { kind: 'case', whens: [{ condition, result }], otherwise: read, type }
}

/** `json_typeof(element) = 'object' and element -> 'a' is null` */
export function lacksField(
  name: string,
  json: 'json' | 'jsonb',
  environment: ExpressionEnvironment,
): Expression {
  const isObject = operatorNode('=', typeNode(json), textNode('object'))
  const isAbsent: Node = { NullTest: { arg: partNode(name), nulltesttype: 'IS_NULL' } }
  const both: Node = { BoolExpr: { boolop: 'AND_EXPR', args: [isObject, isAbsent] } }
  return bindExpression(both, environment)
}

/** Of an array or a row, or a domain over one: not every database can read these. */
function isNested(type: SqlType, types: TypeSystem): boolean {
  return (
    types.elementTypeOid(types.baseTypeOid(type.oid)) !== undefined ||
    fieldsOfType(type, types) !== undefined
  )
}

/** The longest text that fits; `document` for a type that holds JSON itself. */
function lengthToFit(type: SqlType, { types }: BindContext): number | 'document' | undefined {
  const base = types.baseTypeOid(type.oid)
  if (base === oids.json || base === oids.jsonb) return 'document'
  return base === oids.bpchar || base === oids.varchar
    ? lengthOfTypmod(base, type.typmod)
    : undefined
}

/**
 * JSON as an array or a row, which the database itself reads:
 * `(select c1 from json_to_record(json_build_object('c1', <value>)) as t(c1 int4[]))`.
 */
function readNested(
  value: Node,
  json: 'json' | 'jsonb',
  type: SqlType,
  environment: ExpressionEnvironment,
): Expression {
  const object = callNode(`${json}_build_object`, [textNode(onlyColumn), value])
  const columns = [{ name: onlyColumn, type }]
  const read = bindExpression(callNode(`${json}_to_record`, [object]), environment)
  const call: Expression = { ...read, type: recordOf(columns) }
  const id = environment.context.nextId()
  const item: FromItem = { kind: 'function', id, call, columns, withOrdinality: false }
  const outputs: readonly Expression[] = [{ kind: 'column', relation: id, column: 0, type }]
  return { kind: 'subquery', query: selectFrom(item, { columns, outputs }), type }
}

/** The name that printers give the first column of a FROM item. */
const onlyColumn = 'c1'

/** A cast would truncate a text that is too long; for a field this is an error. */
function whereFits(value: Node, length: number, json: 'json' | 'jsonb'): Node {
  return caseNode(isTooLong(value, length), castNode(failure(json), 'text'), value)
}

function isTooLong(value: Node, length: number): Node {
  const characters = callNode('char_length', [callNode('rtrim', [value])])
  return operatorNode('>', characters, { A_Const: { ival: { ival: length } } })
}

/** An expression that fails with 22023 when it is computed, on any row: an object has no array length. */
function failure(json: 'json' | 'jsonb'): Node {
  const object = callNode(`${json}_build_object`, [textNode(element), elementNode])
  return callNode(`${json}_array_length`, [object])
}

/** The name under which the columns refer to an element; their scope has no other name. */
export const element = 'element'

const elementNode: Node = { ColumnRef: { fields: [{ String: { sval: element } }] } }

/** `element -> 'a'` */
function partNode(name: string): Node {
  return operatorNode('->', elementNode, textNode(name))
}

function typeNode(json: 'json' | 'jsonb'): Node {
  return callNode(`${json}_typeof`, [elementNode])
}

function isOther(json: 'json' | 'jsonb'): Node {
  return operatorNode('<>', typeNode(json), textNode('object'))
}

export function textNode(sval: string): Node {
  return { A_Const: { sval: { sval } } }
}

export function callNode(name: string, args: Node[]): Node {
  return {
    FuncCall: { funcname: [{ String: { sval: name } }], args, funcformat: 'COERCE_EXPLICIT_CALL' },
  }
}

function operatorNode(name: string, lexpr: Node, rexpr: Node): Node {
  return { A_Expr: { kind: 'AEXPR_OP', name: [{ String: { sval: name } }], lexpr, rexpr } }
}

function isNotNull(arg: Node): Node {
  return { NullTest: { arg, nulltesttype: 'IS_NOT_NULL' } }
}

function caseNode(expr: Node, result: Node, defresult?: Node): Node {
  const args: Node[] = [{ CaseWhen: { expr, result } }]
  return { CaseExpr: defresult === undefined ? { args } : { args, defresult } }
}

export function castNode(arg: Node, type: 'json' | 'jsonb' | 'text'): Node {
  return { TypeCast: { arg, typeName: { names: [{ String: { sval: type } }], typemod: -1 } } }
}
