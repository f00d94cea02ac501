/** @module regclass beside tables: `tableoid::regclass` as a name, `'orders'::regclass` as a number to compare it with. */
import type { Node, TypeCast } from '@pgsql/types'
import type { Table } from '../../catalog/catalog.ts'
import { allTables, findTable } from '../../catalog/partitions.ts'
import { positioned, quotedName, unsupported } from '../../sql/bind-error.ts'
import { plainName, relationOfText } from '../../sql/sequence-name.ts'
import { oids } from '../../sql-types/oids.ts'
import { coerceTo } from '../coercion/coerce.ts'
import { operatorCall } from '../coercion/operator-call.ts'
import type { BindContext, ExpressionEnvironment } from '../scope/context.ts'
import type { BindNode } from '../scope/syntax-node.ts'
import type { Expression } from '../tree/expression.ts'
import { familyOf } from '../tree/written-table.ts'

const oidType = { oid: oids.oid, typmod: -1 }
const textType = { oid: oids.text, typmod: -1 }

/** Each name is an alternative of one expression. */
const mostNames = 500

/** Is it a cast to regclass? */
export function isRegclassCast({ typeName }: TypeCast): boolean {
  return plainName(typeName?.names) === 'regclass' && typeName?.arrayBounds === undefined
}

/** A cast to regclass as the operand of a comparison: the number of the table. Undefined for any other operand. */
export function regclassNumber(
  node: Node,
  environment: ExpressionEnvironment,
  bind: BindNode,
): Expression | undefined {
  if (!('TypeCast' in node) || !isRegclassCast(node.TypeCast)) return undefined
  const { arg, location: position } = node.TypeCast
  const relation = arg && relationOfText(arg)
  if (relation === undefined) return arg && tableOidIn(bind(arg, environment), position)
  const { context } = environment
  const { view, connection } = context
  const key = context.relationKey(relation, (each, name) => findTable(each, name) !== undefined)
  const table = view.table(key, position)
  view.requireGrant?.(table, 'select')
  if (table.oid === undefined) {
    throw unsupported(`regclass on this connection (${connection.name})`, position)
  }
  return { kind: 'constant', value: table.oid, type: oidType, ...positioned(position) }
}

/**
 * `case tableoid when 16384 then 'orders' … else tableoid::text end`, with the tables that the caller may read.
 *
 * @throws {GatewayError} `unsupported` for a cast of anything but `tableoid`.
 */
export function bindRegclass(
  { arg, location: position }: TypeCast,
  environment: ExpressionEnvironment,
  bind: BindNode,
): Expression {
  if (arg === undefined) throw unsupported('this cast to regclass', position)
  if (relationOfText(arg) !== undefined) {
    throw unsupported('a name as regclass, except in a comparison with tableoid', position)
  }
  const number = tableOidIn(bind(arg, environment), position)
  const tables = visibleTables(number, environment.context)
  if (tables.length > mostNames) {
    throw unsupported(`regclass of one of more than ${mostNames} tables`, position)
  }
  const whens = tables.map((table) => ({
    condition: operatorCall('=', number, numberOf(table), position, environment),
    result: { kind: 'constant', value: spelled(table), type: textType } as const,
  }))
  const otherwise = coerceTo(number, textType, 'explicit', environment)
  return {
    kind: 'case',
    whens,
    otherwise,
    type: textType,
    isTableName: true,
    ...positioned(position),
  }
}

function tableOidIn(operand: Expression, position: number | undefined): Expression {
  if (operand.kind === 'column' && operand.type.oid === oids.oid) return operand
  throw unsupported('a cast to regclass of anything but tableoid', position)
}

function numberOf({ oid = '0' }: Table): Expression {
  return { kind: 'constant', value: oid, type: oidType }
}

/**
 * The tables that may have the row, as far as they are known; a number from elsewhere may be that of any table. A table that is hidden
 * from the caller has no name.
 */
function visibleTables(
  number: Expression,
  { connection, view, tableOids }: BindContext,
): readonly Table[] {
  const named = number.kind === 'column' ? tableOids?.get(number.relation) : undefined
  const family = named && familyOf(named)
  return allTables(connection).filter((table) => {
    if (family !== undefined && familyOf(table) !== family) return false
    const readable = view.readable(table)
    return table.oid !== undefined && (readable === 'all' || readable.size > 0)
  })
}

function spelled({ name, native }: Table): string {
  const parts = name === native.name ? [name] : [native.schema ?? '', native.name]
  return parts.map((part) => (/^[a-z_][a-z0-9_$]*$/.test(part) ? part : quotedName(part))).join('.')
}
