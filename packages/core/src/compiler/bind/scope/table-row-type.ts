/**
 * @module A table's name as a type: `null::orders`. Its values are records with the fields of `select t.* from t`, which are the
 * columns that the caller may read.
 */

import type { RangeVar } from '@pgsql/types'
import { GatewayError } from '../../../foundation/errors.ts'
import { findTable } from '../../catalog/partitions.ts'
import { recordOf } from '../../sql-types/record-type.ts'
import type { SqlType } from '../../sql-types/sql-type.ts'
import type { BindContext } from './context.ts'

/**
 * @param parts as in the name of a table: with the connection, a schema, both or neither
 * @returns undefined where no table of the statement's database has that name, and where the caller may read none of its columns:
 *   then the type does not exist.
 */
export function tableRowType(parts: readonly string[], context: BindContext): SqlType | undefined {
  const relation = relationOf(parts)
  if (relation === undefined || !isOfConnection(parts, context)) return undefined
  const key = keyOf(relation, context)
  const table = key === undefined ? undefined : findTable(context.connection, key)
  if (table === undefined) return undefined
  const readable = context.view.readable(table)
  const columns = table.columns.filter(({ ordinal }) => readable === 'all' || readable.has(ordinal))
  if (columns.length === 0) return undefined
  return recordOf(columns.map(({ name, type }) => ({ name, type })))
}

function relationOf(parts: readonly string[]): RangeVar | undefined {
  const [relname, schemaname, catalogname, ...others] = parts.toReversed()
  if (relname === undefined || others.length > 0) return undefined
  return {
    relname,
    ...(schemaname === undefined ? {} : { schemaname }),
    ...(catalogname === undefined ? {} : { catalogname }),
  }
}

/** The qualifiers of a type do not choose the statement's connection, as those of tables do. */
function isOfConnection(parts: readonly string[], context: BindContext): boolean {
  const [first = ''] = parts
  const { qualifiers, connection, schemaNamed } = context
  if (parts.length === 1 || qualifiers.has(first)) return true
  if (schemaNamed?.(first) !== undefined) return true
  return parts.length === 2 && connection.schemas?.includes(first) === true
}

/** A bare name that means no table of the search path may be one of the statement's connection, as names of its own types are. */
function keyOf(relation: RangeVar, context: BindContext): string | undefined {
  try {
    return context.relationKey(
      relation,
      (connection, name) => findTable(connection, name) !== undefined,
    )
  } catch (error) {
    if (!(error instanceof GatewayError) || !meansNone.has(error.sqlState)) throw error
    const isBare = relation.schemaname === undefined && context.connection.members === undefined
    return isBare ? relation.relname : undefined
  }
}

/** No such table, or one of another database: the name of a type need not be that of a table. */
const meansNone: ReadonlySet<string | undefined> = new Set(['42P01', '0A000'])
