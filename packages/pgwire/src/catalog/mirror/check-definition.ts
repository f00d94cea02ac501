/** @module A CHECK constraint as the database reports it. The text goes into SQL of ours, so it is checked first. */
import { GatewayError } from '@engine/core'
import { parseScript } from '@engine/core/server'
import { fieldsOf, listOf, nodeOf } from '../../syntax/syntax-node.ts'

/** Is it one CHECK and nothing else? A database that lies shall not word our SQL. `loadParser` must have resolved. */
export function isCheckDefinition(definition: string): boolean {
  try {
    const [statement, ...others] = parseScript(`alter table t add constraint c ${definition}`)
    const { kind, fields } = nodeOf(statement?.tree)
    const [command, ...more] = listOf(fields['cmds'])
    const { def, subtype } = fieldsOf(nodeOf(command).fields)
    const constraint = nodeOf(def)
    return (
      others.length === 0 &&
      more.length === 0 &&
      kind === 'AlterTableStmt' &&
      subtype === 'AT_AddConstraint' &&
      constraint.kind === 'Constraint' &&
      constraint.fields['contype'] === 'CONSTR_CHECK'
    )
  } catch (error) {
    if (error instanceof GatewayError) return false
    throw error
  }
}
