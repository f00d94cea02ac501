/** @module Tables with rules of the database (CREATE RULE) as targets of writes. */
import type { Table } from '../../catalog/catalog.ts'
import type { WriteOperation } from '../../catalog/operation.ts'
import { unsupported } from '../../sql/bind-error.ts'

const events = { insert: 'ON INSERT', update: 'ON UPDATE', delete: 'ON DELETE' } as const

/**
 * A rule replaces or extends the statement by others, in which the values of the statement may stand several times. Permissions, checks and
 * RETURNING cannot follow it to the rows that it writes and reads.
 *
 * @throws {GatewayError} `unsupported` for a table that has a rule for one of the operations.
 */
export function requireNoRule(
  { name, ruledWrites = [] }: Table,
  operations: readonly WriteOperation[],
  position: number | undefined,
): void {
  const operation = operations.find((each) => ruledWrites.includes(each))
  if (operation === undefined) return
  throw unsupported(
    `writing to the table "${name}", which has a rule ${events[operation]},`,
    position,
  )
}
