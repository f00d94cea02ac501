/**
 * @module `jsonb_to_recordset(x) as t(a integer, b text)` and similar functions: the rows are the elements of an array, the
 * columns their fields, read and cast one by one. The result uses only functions that every database has, except for columns that are
 * arrays or rows.
 */
import type { FuncCall, Node, RangeFunction } from '@pgsql/types'
import { bindError, unsupported } from '../../sql/bind-error.ts'
import { oids } from '../../sql-types/oids.ts'
import type { SqlType } from '../../sql-types/sql-type.ts'
import { fieldsOfType } from '../coercion/row-type.ts'
import { bindColumnOrRow } from '../expressions/bind-column.ts'
import { bindExpression } from '../expressions/bind-expression.ts'
import { bindRow } from '../expressions/bind-row.ts'
import type { BindContext, ExpressionEnvironment } from '../scope/context.ts'
import { createScope } from '../scope/create-scope.ts'
import { clauseEnvironment } from '../scope/environment.ts'
import { type BoundItem, type FromPlace, lateralScope } from '../scope/from-item.ts'
import { columnsOf, plainEntry, renameColumns } from '../scope/range-table-entry.ts'
import type { NamedExpression } from '../scope/scope.ts'
import { selectFrom } from '../scope/select-over.ts'
import { nameParts } from '../scope/syntax-node.ts'
import { bindTypeName, rowTypeNamed } from '../scope/type-name.ts'
import type { FromItem } from '../tree/bound-query.ts'
import type { Expression } from '../tree/expression.ts'
import { callNode, castNode, element, fieldOf, lacksField, textNode } from './json-field.ts'

interface RecordFunction {
  readonly json: 'json' | 'jsonb'
  /** The argument is a list of objects, not one object. */
  readonly isSet: boolean
  /** Another argument before the document: a row with the values of keys that an object does not have. */
  readonly hasBase: boolean
}

const functions: ReadonlyMap<string, RecordFunction> = new Map(
  (['json', 'jsonb'] as const).flatMap((json): [string, RecordFunction][] => [
    [`${json}_to_record`, { json, isSet: false, hasBase: false }],
    [`${json}_to_recordset`, { json, isSet: true, hasBase: false }],
    [`${json}_populate_record`, { json, isSet: false, hasBase: true }],
    [`${json}_populate_recordset`, { json, isSet: true, hasBase: true }],
  ]),
)

/** A column of the rows: the field `key` of the object, or `absent` where the object does not have it (default: NULL). */
interface RecordColumn {
  readonly name: string
  readonly key: string
  readonly type: SqlType
  readonly absent?: Expression | undefined
}

/**
 * The rows of a call with a column definition list.
 *
 * @throws {GatewayError} `badRequest` (42601) for other functions, (42804) for a base with other fields; `unsupported` for columns of
 *   arrays and composite types where the database has no rows as values.
 */
export function bindRecordRows(call: FuncCall, node: RangeFunction, place: FromPlace): BoundItem {
  const { location: position } = call
  const { known, base, document } = recordCall(call)
  const outside = outsideOf(place)
  if (known === undefined || document === undefined) {
    // An unknown function is the first error.
    bindExpression({ FuncCall: call }, outside.environment)
    const message = 'a column definition list is only allowed for functions returning "record"'
    throw bindError(message, { sqlState: '42601', position })
  }
  if (node.ordinality === true) {
    const message = 'WITH ORDINALITY cannot be used with a column definition list'
    throw bindError(message, { sqlState: '42601', position })
  }
  const defaults = base && baseFields(base, outside.environment)
  const columns = definedColumns(node, place.context, defaults, position)
  return rowsOf(call, document, known, columns, outside, node, place)
}

/**
 * The rows of a function whose first argument is a row of a table: `json_populate_recordset(null::orders, $1)`. Undefined for every
 * other call.
 */
export function bindRowsOfTable(
  call: FuncCall,
  node: RangeFunction,
  place: FromPlace,
): BoundItem | undefined {
  const { known, base, document } = recordCall(call)
  if (known === undefined || base === undefined || document === undefined) return undefined
  const outside = outsideOf(place)
  const columns = columnsOfRow(base, outside.environment)
  if (columns === undefined) return undefined
  if (node.ordinality === true) {
    throw unsupported('WITH ORDINALITY for rows of a table', call.location)
  }
  return rowsOf(call, document, known, columns, outside, node, place)
}

function recordCall(call: FuncCall): {
  readonly known: RecordFunction | undefined
  readonly base?: Node | undefined
  readonly document?: Node | undefined
} {
  const { location: position, args = [] } = call
  const name = nameParts(call.funcname, 'this function', position).at(-1) ?? ''
  const known = functions.get(name)
  const [base, document, ...others] = known?.hasBase === true ? args : [undefined, ...args]
  return others.length > 0 ? { known: undefined } : { known, base, document }
}

/** Where the arguments are bound; remembers whether they refer to items on the left. */
interface Outside {
  readonly environment: ExpressionEnvironment
  readonly isLateral: () => boolean
}

function outsideOf(place: FromPlace): Outside {
  let isLateral = false
  const scope = lateralScope(place, () => {
    isLateral = true
  })
  return {
    environment: clauseEnvironment(place.context, scope, 'FROM'),
    isLateral: () => isLateral,
  }
}

function rowsOf(
  { funcname, location: position }: FuncCall,
  document: Node,
  { json, isSet }: RecordFunction,
  definitions: readonly RecordColumn[],
  outside: Outside,
  { alias }: RangeFunction,
  { context }: FromPlace,
): BoundItem {
  const list = isSet ? document : listOf(document, json)
  const bound = bindExpression(callNode(`${json}_array_elements`, [list]), outside.environment)
  const id = context.nextId()
  const cells = [{ name: element, type: bound.type }]
  const source = plainEntry(undefined, columnsOf(id, cells), id)
  const fields = createScope({ outer: undefined, view: context.view, sources: [source] })
  const environment = clauseEnvironment(context, fields, 'FROM')
  const columns = definitions.map((each) => ({
    name: each.name,
    expression: cellOf(each, json, position, environment),
  }))
  requireDistinct(columns, position)
  const rows: FromItem = {
    kind: 'function',
    id,
    call: bound,
    columns: cells,
    withOrdinality: false,
  }
  const itemName = alias?.aliasname ?? nameParts(funcname, 'this function', position).at(-1) ?? ''
  const what = `table "${itemName}"`
  // Some databases have no lateral subqueries: there the columns are computed outside.
  if (outside.isLateral()) {
    const named = renameColumns(columns, alias, what, position)
    return { item: rows, sources: [plainEntry(itemName, named, undefined)] }
  }
  const query = selectFrom(rows, {
    columns: columns.map((column) => ({ name: column.name, type: column.expression.type })),
    outputs: columns.map(({ expression }) => expression),
  })
  const queryId = context.nextId()
  const named = renameColumns(columnsOf(queryId, query.columns), alias, what, position)
  return {
    item: { kind: 'subquery', id: queryId, query, lateral: false },
    sources: [plainEntry(itemName, named, queryId)],
  }
}

/** `case when element -> 'a' is null then <absent> else <value> end`: a key with the value null is a key. */
function cellOf(
  { key, type, absent }: RecordColumn,
  json: 'json' | 'jsonb',
  position: number | undefined,
  environment: ExpressionEnvironment,
): Expression {
  const value = fieldOf(type, key, json, position, environment)
  if (absent === undefined) return value
  const condition = lacksField(key, json, environment)
  const whens = [{ condition, result: absent }]
  return { kind: 'case', whens, otherwise: value, type: value.type }
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

/**
 * The fields of the row before the document; undefined for NULL.
 *
 * @throws {GatewayError} `badRequest` (42601) for a value of a composite type, which needs no definition list.
 */
function baseFields(
  base: Node,
  environment: ExpressionEnvironment,
): readonly Expression[] | undefined {
  const bound =
    'RowExpr' in base
      ? bindRow(base.RowExpr, environment, bindExpression)
      : bindExpression(base, environment)
  if (bound.kind === 'row') return bound.fields
  const { position } = bound
  const isNull = bound.kind === 'constant' && bound.value === null
  if (isNull && bound.type.oid === oids.record && bound.type.fields === undefined) return undefined
  const { types } = environment.context
  if (bound.type.oid !== oids.record && fieldsOfType(bound.type, types) !== undefined) {
    const message =
      'a column definition list is redundant for a function returning a named composite type'
    throw bindError(message, { sqlState: '42601', position })
  }
  throw unsupported('this first argument with a column definition list', position)
}

/** The row before the document names the keys that are read, and PostgreSQL calls its fields `f1`, `f2` ... */
function definedColumns(
  { coldeflist = [] }: RangeFunction,
  context: BindContext,
  defaults: readonly Expression[] | undefined,
  position: number | undefined,
): readonly RecordColumn[] {
  const columns = coldeflist.map((definition, i): RecordColumn => {
    if (!('ColumnDef' in definition)) throw unsupported('this column definition', position)
    const { colname = '', typeName, location } = definition.ColumnDef
    if (typeName === undefined) throw unsupported('a column without a type', location)
    const type = bindTypeName(typeName, context)
    return defaults === undefined
      ? { name: colname, key: colname, type }
      : { name: colname, key: `f${i + 1}`, type, absent: defaults[i] }
  })
  const isSame =
    defaults === undefined ||
    (columns.length === defaults.length &&
      columns.every(({ type, absent }) => type.oid === absent?.type.oid))
  if (isSame) return columns
  const message = 'function return row and query-specified return row do not match'
  throw bindError(message, { sqlState: '42804', position })
}

/** The columns of `null::orders`, `row(…)::orders` and of a row of a FROM item; undefined for any other first argument. */
function columnsOfRow(
  base: Node,
  environment: ExpressionEnvironment,
): readonly RecordColumn[] | undefined {
  const type = rowTypeOfNull(base, environment.context)
  if (type !== undefined)
    return type.fields?.map(({ name, type: each }) => ({ name, key: name, type: each }))
  const row = rowOf(base, environment)
  if (row === undefined || row.type.fields === undefined) return undefined
  const values =
    row.kind === 'row'
      ? row.fields
      : row.kind === 'wholeRow'
        ? row.fields.map(({ value }) => value)
        : []
  return row.type.fields.map(({ name, type: each }, i) => ({
    name,
    key: name,
    type: each,
    absent: values[i],
  }))
}

function rowTypeOfNull(base: Node, context: BindContext): SqlType | undefined {
  if (!('TypeCast' in base)) return undefined
  const { arg, typeName } = base.TypeCast
  const isNull = arg !== undefined && 'A_Const' in arg && arg.A_Const.isnull === true
  return isNull && typeName !== undefined ? rowTypeNamed(typeName, context) : undefined
}

function rowOf(base: Node, environment: ExpressionEnvironment): Expression | undefined {
  if ('ColumnRef' in base) {
    const bound = bindColumnOrRow(base.ColumnRef, environment)
    return bound.kind === 'wholeRow' ? bound : undefined
  }
  if (!('TypeCast' in base) || base.TypeCast.typeName === undefined) return undefined
  const { typeName } = base.TypeCast
  if (rowTypeNamed(typeName, environment.context) === undefined) return undefined
  const bound = bindExpression(base, environment)
  return bound.kind === 'row' || bound.kind === 'wholeRow' ? bound : undefined
}
