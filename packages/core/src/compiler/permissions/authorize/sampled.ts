/** @module TABLESAMPLE of a table of which the role set may not see every row. */
import type { TableItem } from '../../bind/tree/bound-query.ts'
import type { SecuredTable } from '../../bind/tree/secured-table.ts'
import { isByChance } from '../../bind/tree/table-sample.ts'
import { unsupported } from '../../sql/bind-error.ts'
import type { Access } from '../access/access.ts'

/**
 * The secured table with the sample of the bound one. PostgreSQL takes the sample from all rows of the table, and the filter of the
 * permission chooses from it. SYSTEM takes whole blocks of the table, and REPEATABLE makes the choice depend on the place of a row:
 * where rows are hidden, the number of visible rows in a block, or their places, would tell how many.
 *
 * @throws {GatewayError} `unsupported` for such a sample.
 */
export function sampled(
  { sample, table }: TableItem,
  secured: SecuredTable,
  { isFull }: Access,
): SecuredTable {
  if (sample === undefined) return secured
  const mayHide = secured.filter !== undefined || (!isFull && table.hasRowSecurity === true)
  if (mayHide && !isByChance(sample)) {
    const construct =
      'TABLESAMPLE with SYSTEM or REPEATABLE, of a table of which you may see only some rows,'
    throw unsupported(construct, sample.position)
  }
  return { ...secured, sample }
}
