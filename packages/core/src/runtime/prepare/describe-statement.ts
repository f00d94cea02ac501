import type { BoundStatement, Query, Write } from '../../compiler/bind/tree/bound-query.ts'
import { columnOrigins } from '../../compiler/bind/tree/column-origins.ts'
import { isWrite } from '../../compiler/bind/tree/map-query.ts'
import { writesInStyle } from '../../compiler/bind/tree/statement-settings.ts'
import type { CompiledStatement } from '../../compiler/plan/plan.ts'
import type { DescribedColumn, StatementDescription } from './statement-description.ts'

function operationOf(body: Query | Write): StatementDescription['operation'] {
  if (isWrite(body)) return body.kind
  return body.kind === 'select' && body.counted !== undefined ? 'merge' : 'select'
}

/** The description of a statement that a client receives before it runs. */
export function describeStatement(
  { connection, body, parameterTypes, cursorRows }: BoundStatement,
  compiled: CompiledStatement,
): StatementDescription {
  const origins = columnOrigins(body)
  return {
    connection: connection.name,
    kind: connection.kind,
    types: connection.types,
    operation: operationOf(body),
    isWrite: compiled.isWrite,
    isStyled: writesInStyle(compiled.settings),
    parameterTypes,
    columns: compiled.columns.slice(0, cursorRows?.width).map((column, i): DescribedColumn => {
      const origin = origins[i]
      const name = origin?.table.columns[origin.column]?.name
      return {
        ...column,
        origin:
          origin === undefined || name === undefined
            ? undefined
            : { connection: origin.table.connection, table: origin.table.name, column: name },
      }
    }),
    ...(cursorRows === undefined ? {} : { cursor: cursorRows }),
  }
}
