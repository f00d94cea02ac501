/**
 * @module `jsonb_to_recordset(x) as t(a integer, b text)` and similar functions: the rows are the elements of an array, the
 * columns their fields, read and cast one by one. The result uses only functions that every database has.
 */
import type { ColumnDef, FuncCall, Node, RangeFunction, TypeName } from '@pgsql/types'
import { bindError, unsupported } from '../../sql/bind-error.ts'
import { oids } from '../../sql-types/oids.ts'
import { lengthOfTypmod } from '../../sql-types/typmod.ts'
import { bindExpression } from '../expressions/bind-expression.ts'
import type { BindContext, ExpressionEnvironment } from '../scope/context.ts'
import { createScope } from '../scope/create-scope.ts'
import { clauseEnvironment } from '../scope/environment.ts'
import { type BoundItem, type FromPlace, lateralScope } from '../scope/from-item.ts'
import { columnsOf, plainEntry, renameColumns } from '../scope/range-table-entry.ts'
import type { NamedExpression } from '../scope/scope.ts'
import { selectFrom } from '../scope/select-over.ts'
import { nameParts } from '../scope/syntax-node.ts'
import { bindTypeName } from '../scope/type-name.ts'
import type { FromItem } from '../tree/bound-query.ts'

/** By function name: the document type, and whether the argument is a list of objects or one object. */
const functions: ReadonlyMap<string, { readonly json: 'json' | 'jsonb'; readonly isSet: boolean }> =
  new Map([
    ['json_to_record', { json: 'json', isSet: false }],
    ['json_to_recordset', { json: 'json', isSet: true }],
    ['jsonb_to_record', { json: 'jsonb', isSet: false }],
    ['jsonb_to_recordset', { json: 'jsonb', isSet: true }],
  ])

/** The name under which the columns refer to an element; their scope has no other name. */
const element = 'element'

/**
 * @throws {GatewayError} `badRequest` (42601) for other functions; `unsupported` for columns of array types.
 */
export function bindRecordRows(call: FuncCall, node: RangeFunction, place: FromPlace): BoundItem {
  const { context } = place
  const { location: position, args = [] } = call
  const name = nameParts(call.funcname, 'this function', position).at(-1) ?? ''
  const known = functions.get(name)
  const [document, ...others] = args
  if (known === undefined || document === undefined || others.length > 0) {
    const message = 'a column definition list is only allowed for functions returning "record"'
    throw bindError(message, { sqlState: '42601', position })
  }
  if (node.ordinality === true) {
    const message = 'WITH ORDINALITY cannot be used with a column definition list'
    throw bindError(message, { sqlState: '42601', position })
  }
  let isLateral = false
  const scope = lateralScope(place, () => {
    isLateral = true
  })
  const { json, isSet } = known
  const list = isSet ? document : listOf(document, json)
  const elements = callNode(`${json}_array_elements`, [list])
  const bound = bindExpression(elements, clauseEnvironment(context, scope, 'FROM'))
  const id = context.nextId()
  const cells = [{ name: element, type: bound.type }]
  const source = plainEntry(undefined, columnsOf(id, cells), id)
  const fields = createScope({ outer: undefined, view: context.view, sources: [source] })
  const environment = clauseEnvironment(context, fields, 'FROM')
  const columns = (node.coldeflist ?? []).map((definition): NamedExpression => {
    if (!('ColumnDef' in definition)) throw unsupported('this column definition', position)
    return fieldOf(definition.ColumnDef, json, environment)
  })
  requireDistinct(columns, position)
  const rows: FromItem = {
    kind: 'function',
    id,
    call: bound,
    columns: cells,
    withOrdinality: false,
  }
  const itemName = node.alias?.aliasname ?? name
  const what = `table "${itemName}"`
  // Some databases have no lateral subqueries: there the columns are computed outside.
  if (isLateral) {
    const named = renameColumns(columns, node.alias, what, position)
    return { item: rows, sources: [plainEntry(itemName, named, undefined)] }
  }
  const query = selectFrom(rows, {
    columns: columns.map((column) => ({ name: column.name, type: column.expression.type })),
    outputs: columns.map(({ expression }) => expression),
  })
  const queryId = context.nextId()
  const named = renameColumns(columnsOf(queryId, query.columns), node.alias, what, position)
  return {
    item: { kind: 'subquery', id: queryId, query, lateral: false },
    sources: [plainEntry(itemName, named, queryId)],
  }
}

function requireDistinct(columns: readonly NamedExpression[], position: number | undefined): void {
  const names = columns.map(({ name }) => name)
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  if (repeated === undefined) return
  const message = `column name "${repeated}" specified more than once`
  throw bindError(message, { sqlState: '42701', position })
}

/** One object as a list; NULL is a row of NULLs. */
function listOf(document: Node, json: 'json' | 'jsonb'): Node {
  const some: Node = { CoalesceExpr: { args: [document, castNode(textNode('{}'), json)] } }
  return callNode(`${json}_build_array`, [some])
}

function fieldOf(
  { colname = '', typeName, location }: ColumnDef,
  json: 'json' | 'jsonb',
  environment: ExpressionEnvironment,
): NamedExpression {
  if (typeName === undefined) throw unsupported('a column without a type', location)
  const length = requireReadable(typeName, environment.context)
  const isDocument = length === 'document'
  const text = operatorNode('->>', elementNode, textNode(colname))
  const value = isDocument
    ? caseNode(isNotNull(text), operatorNode('->', elementNode, textNode(colname)))
    : text
  const fitting = typeof length === 'number' ? whereFits(value, length, json) : value
  const isOther = operatorNode('<>', callNode(`${json}_typeof`, [elementNode]), textNode('object'))
  const failing = isDocument
    ? callNode(`to_${json}`, [failure(json)])
    : castNode(failure(json), 'text')
  const guarded = castNode(caseNode(isOther, failing, fitting), typeName)
  return { name: colname, expression: bindExpression(guarded, environment) }
}

/** Refuses a value that is too long, or that is a document itself. */
function requireReadable(
  typeName: TypeName,
  context: BindContext,
): number | 'document' | undefined {
  const type = bindTypeName(typeName, context)
  const { types } = context
  const base = types.baseTypeOid(type.oid)
  if (types.elementTypeOid(base) !== undefined) {
    throw unsupported('an array in a column definition list', typeName.location)
  }
  if (base === oids.json || base === oids.jsonb) return 'document'
  return base === oids.bpchar || base === oids.varchar
    ? lengthOfTypmod(base, type.typmod)
    : undefined
}

/** A cast would truncate a text that is too long; for a field this is an error. */
function whereFits(value: Node, length: number, json: 'json' | 'jsonb'): Node {
  const characters = callNode('char_length', [callNode('rtrim', [value])])
  const isTooLong = operatorNode('>', characters, { A_Const: { ival: { ival: length } } })
  return caseNode(isTooLong, castNode(failure(json), 'text'), value)
}

/** An expression that fails with 22023 when it is computed, on any row: an object has no array length. */
function failure(json: 'json' | 'jsonb'): Node {
  const object = callNode(`${json}_build_object`, [textNode(element), elementNode])
  return callNode(`${json}_array_length`, [object])
}

const elementNode: Node = { ColumnRef: { fields: [{ String: { sval: element } }] } }

function textNode(sval: string): Node {
  return { A_Const: { sval: { sval } } }
}

function callNode(name: string, args: Node[]): Node {
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

function castNode(arg: Node, type: TypeName | 'json' | 'jsonb' | 'text'): Node {
  const typeName =
    typeof type === 'string' ? { names: [{ String: { sval: type } }], typemod: -1 } : type
  return { TypeCast: { arg, typeName } }
}
