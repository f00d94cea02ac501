import {
  type AuthorizedStatement,
  type CompiledStatement,
  isWrite,
  type Query,
  renderSql,
  type Write,
} from '@engine/core'
import { nativeStatement } from './native-statement.ts'
import { printStatement } from './print/print-statement.ts'

/** One native statement. Pure. */
export function compileStatement(statement: AuthorizedStatement): CompiledStatement {
  const { sql, columns, yields, checkColumn, visibleColumn } = printStatement(statement)
  const { text, parameters } = renderSql(sql, { kind: 'numbered', prefix: '$' })
  return nativeStatement(
    {
      step: { sql: text, parameters, yields, checkColumn, visibleColumn },
      columns,
      isWrite: writes(statement.body),
    },
    statement.connection.types,
  )
}

function writes(body: Query | Write): boolean {
  return isWrite(body) || body.ctes.some(({ query }) => isWrite(query))
}
