import { checkFailed } from '../../../foundation/adapter-errors.ts'
import { GatewayError } from '../../../foundation/errors.ts'
import type { Write } from '../../bind/tree/bound-query.ts'
import { visitStatement } from '../../bind/tree/visit-query.ts'
import type { Access } from '../access/access.ts'
import type { AuthorizedStatement } from './authorized.ts'

/** The error for a write whose rows fail their check; in development it lists the permissions that were checked. */
export function checkDenial(statement: AuthorizedStatement, access: Access): GatewayError {
  const checked: Write[] = []
  visitStatement(statement, {
    write: (write) => {
      if (write.security?.check !== undefined) checked.push(write)
    },
  })
  const [write, ...others] = checked
  const plain = checkFailed()
  if (write === undefined || others.length > 0) return plain
  const { kind, target } = write
  const { connection, name } = target.table
  const table = `${connection}.${name}`
  const role = access.roles.join(', ')
  const evaluated = access
    .permissionsFor(target.table)
    .filter((permission) => permission[kind] !== undefined)
    .map((permission) => permission.name)
  const reason = 'no permission has a check that the written row passes'
  return new GatewayError('checkFailed', `Role "${role}" may not ${kind} "${table}": ${reason}.`, {
    publicMessage: plain.publicMessage,
    reason,
    ...(plain.sqlState === undefined ? {} : { sqlState: plain.sqlState }),
    details: { table, operation: kind, role, evaluated_permissions: evaluated },
  })
}
