/** @module Decides which part of the session runs a statement, from its syntax tree. */
import { GatewayError } from '@engine/core'
import { nodeOf } from '../../syntax/syntax-node.ts'
import type { StatementRoute, StatementText } from '../statements/client-statement.ts'
import { commandName, refusedStatement } from '../statements/refused-statement.ts'
import { readCommand } from './read-command.ts'
import { routeDataStatement } from './route-data-statement.ts'

const dataStatements: ReadonlySet<string> = new Set([
  'SelectStmt',
  'InsertStmt',
  'UpdateStmt',
  'DeleteStmt',
  'MergeStmt',
])

/** Returns the part of the session that runs the statement. */
export function routeStatement(tree: unknown, text: StatementText): StatementRoute {
  const { kind, fields } = nodeOf(tree)
  if (dataStatements.has(kind)) return routeDataStatement(tree, text)
  try {
    const command = readCommand(kind, fields, text, routeStatement)
    if (command !== undefined) return { kind: 'command', command }
  } catch (error) {
    if (error instanceof GatewayError) return { kind: 'refused', error }
    throw error
  }
  return { kind: 'refused', error: refusedStatement(kind, commandName(text.sql)) }
}
