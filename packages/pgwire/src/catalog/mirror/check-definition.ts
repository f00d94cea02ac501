/** @module A CHECK constraint as the database reports it. The text becomes part of our SQL, so it is checked first. */
import { GatewayError } from '@engine/core'
import { parseScript } from '@engine/core/session'
import { fieldsOf, listOf, nodeOf } from '../../syntax/syntax-node.ts'

/**
 * Returns whether the text is one CHECK and nothing else. A malicious database must not inject SQL. `loadParser` must
 * have resolved.
 */
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
