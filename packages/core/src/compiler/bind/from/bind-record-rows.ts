/**
 * @module `jsonb_to_recordset(x) as t(a integer, b text)` and similar functions: the rows are the elements of an array, the
 * columns their fields, read and cast one by one. The result uses only functions that every database has, except for columns that are
 * arrays or rows.
 */
import type { FuncCall, Node, RangeFunction } from '@pgsql/types'
import { bindError, unsupported } from '../../sql/bind-error.ts'
import { oids } from '../../sql-types/oids.ts'
import { fieldsOfType } from '../coercion/row-type.ts'
import { bindExpression } from '../expressions/bind-expression.ts'
import { bindRow } from '../expressions/bind-row.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import { createScope } from '../scope/create-scope.ts'
import { clauseEnvironment } from '../scope/environment.ts'
import { type BoundItem, type FromPlace, lateralScope } from '../scope/from-item.ts'
import { columnsOf, plainEntry, renameColumns } from '../scope/range-table-entry.ts'
import type { NamedExpression } from '../scope/scope.ts'
import { selectFrom } from '../scope/select-over.ts'
import { nameParts } from '../scope/syntax-node.ts'
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

/**
 * @throws {GatewayError} `badRequest` (42601) for other functions, (42804) for a base with other fields; `unsupported` for columns of
 *   arrays and composite types where the database has no rows as values.
 */
export function bindRecordRows(call: FuncCall, node: RangeFunction, place: FromPlace): BoundItem {
  const { context } = place
  const { location: position, args = [] } = call
  const name = nameParts(call.funcname, 'this function', position).at(-1) ?? ''
  const known = functions.get(name)
  const [base, document, ...others] = known?.hasBase === true ? args : [undefined, ...args]
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
  const outside = clauseEnvironment(context, scope, 'FROM')
  const bound = bindExpression(elements, outside)
  const defaults = base && baseFields(base, outside)
  const id = context.nextId()
  const cells = [{ name: element, type: bound.type }]
  const source = plainEntry(undefined, columnsOf(id, cells), id)
  const fields = createScope({ outer: undefined, view: context.view, sources: [source] })
  const environment = clauseEnvironment(context, fields, 'FROM')
  const given = (node.coldeflist ?? []).map((definition, i): NamedExpression => {
    if (!('ColumnDef' in definition)) throw unsupported('this column definition', position)
    const { colname = '' } = definition.ColumnDef
    const key = defaults === undefined ? colname : keyOf(i)
    return { name: colname, expression: fieldOf(definition.ColumnDef, key, json, environment) }
  })
  requireDistinct(given, position)
  const columns =
    defaults === undefined ? given : withDefaults(given, defaults, json, position, environment)
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

/** `case when element -> 'f1' is null then <default> else <value> end`: a key with the value null is a key. */
function withDefaults(
  columns: readonly NamedExpression[],
  defaults: readonly Expression[],
  json: 'json' | 'jsonb',
  position: number | undefined,
  environment: ExpressionEnvironment,
): readonly NamedExpression[] {
  const isSame =
    columns.length === defaults.length &&
    columns.every(({ expression: { type } }, i) => type.oid === defaults[i]?.type.oid)
  if (!isSame) {
    const message = 'function return row and query-specified return row do not match'
    throw bindError(message, { sqlState: '42804', position })
  }
  return columns.map(({ name, expression }, i) => {
    const condition = lacksField(keyOf(i), json, environment)
    const result = defaults[i] ?? expression
    const { type } = expression
    return {
      name,
      expression: { kind: 'case', whens: [{ condition, result }], otherwise: expression, type },
    }
  })
}

/** A row before the document names the keys that are read, and PostgreSQL calls its fields `f1`, `f2` ... */
function keyOf(index: number): string {
  return `f${index + 1}`
}
