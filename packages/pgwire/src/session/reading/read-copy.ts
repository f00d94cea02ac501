/** @module COPY … TO STDOUT and COPY … FROM STDIN. */
import { GatewayError } from '@engine/core'
import { textAfterWord, textInBrackets } from '../../syntax/nested-text.ts'
import { type Fields, fieldsOf, listOf, stringNodes, textOf } from '../../syntax/syntax-node.ts'
import { isSystemRelation } from '../../syntax/system-relations.ts'
import { quoteAlways } from '../settings/name-list.ts'
import type {
  ClientStatement,
  CopyTarget,
  RouteStatement,
  SessionCommand,
  StatementText,
} from '../statements/client-statement.ts'
import { innerStatement } from '../statements/inner-statement.ts'
import { copyOptions } from './copy-options.ts'
import { catalogWrite } from './route-data-statement.ts'

/** @throws {GatewayError} for files and programs of the server, and for options that do not fit. */
export function readCopy(
  fields: Fields,
  text: StatementText,
  route: RouteStatement,
): SessionCommand {
  const isFrom = fields['is_from'] === true
  if (fields['filename'] !== undefined) throw ofServer(isFrom, fields['is_program'] === true)
  const copy = copyOptions(listOf(fields['options']), isFrom, text.positionOf)
  if (fields['query'] !== undefined) {
    const query = innerStatement(fields['query'], text, textInBrackets(text.sql), route)
    return { kind: 'copyOut', copy, query, source: undefined }
  }
  const target = copyTarget(fields)
  if (!isFrom) {
    return { kind: 'copyOut', copy, query: tableQuery(target, text.offset), source: target }
  }
  if (isSystemRelation(target.schema, target.table)) throw catalogWrite(target.table)
  const where = fields['whereClause']
  if (where === undefined) return { kind: 'copyIn', copy, target }
  if (holdsQuery(where)) throw noSubquery()
  return { kind: 'copyIn', copy, target, where: textAfterWord(text.sql, 'where').sql }
}

function holdsQuery(tree: unknown): boolean {
  if (typeof tree !== 'object' || tree === null) return false
  return Object.entries(tree).some(([name, part]) => name === 'SubLink' || holdsQuery(part))
}

function noSubquery(): GatewayError {
  const message = 'cannot use subquery in COPY FROM WHERE condition'
  return new GatewayError('unsupported', message, { sqlState: '0A000' })
}

function copyTarget(fields: Fields): CopyTarget {
  const relation = fieldsOf(fields['relation'])
  const columns = stringNodes(fields['attlist'])
  return {
    catalog: textOf(relation['catalogname']),
    schema: textOf(relation['schemaname']),
    table: textOf(relation['relname']) ?? '',
    columns: columns.length === 0 ? undefined : columns,
  }
}

function tableQuery(
  { catalog, schema, table, columns }: CopyTarget,
  offset: number,
): ClientStatement {
  const list = columns === undefined ? '*' : columns.map(quoteAlways).join(', ')
  const name = [catalog, schema, table]
    .flatMap((part) => (part === undefined ? [] : quoteAlways(part)))
    .join('.')
  const kind = isSystemRelation(schema, table) ? 'catalog' : 'query'
  return { sql: `SELECT ${list} FROM ${name}`, offset, kind }
}

function ofServer(isFrom: boolean, isProgram: boolean): GatewayError {
  const role = isProgram
    ? 'execute_server_program'
    : isFrom
      ? 'read_server_files'
      : 'write_server_files'
  const what = isProgram ? 'an external program' : 'a file'
  return new GatewayError(
    'permissionDenied',
    `must be superuser or have privileges of the pg_${role} role to COPY ${isFrom ? 'from' : 'to'} ${what}`,
    { sqlState: '42501' },
  )
}
