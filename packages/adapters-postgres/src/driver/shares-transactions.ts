import { cellsOf } from './protocol/backend-messages.ts'
import type { ServerSession } from './session.ts'
import type { SessionQuery } from './session-query.ts'

/** Other levels give a group one state of the database, or let it fail for what others do. */
const usualIsolation = 'read committed '

/**
 * Are statements before one Sync in one transaction, of the usual isolation level? That is so on PostgreSQL, and need not be on a
 * database that only speaks its protocol.
 *
 * @param patienceMs how long the server may take, in milliseconds.
 * @returns undefined where the server did not answer.
 */
export async function sharesTransactions(
  session: ServerSession,
  patienceMs: number,
): Promise<boolean | undefined> {
  const transactions: (string | null | undefined)[] = []
  const query: SessionQuery = {
    name: 'engine_transaction',
    text: `select pg_catalog.concat(pg_catalog.current_setting('transaction_isolation'), ' ', pg_catalog.txid_current())`,
    values: [],
    begin: undefined,
    settings: undefined,
    portal: undefined,
    expects: undefined,
    onRow: (bytes, start) => void transactions.push(cellsOf(bytes, start)[0]),
    hold: undefined,
  }
  const { kind } = await session.runTogether([query, query], patienceMs)
  const [first, second] = transactions
  if (kind !== 'committed') return undefined
  return first === second && first?.startsWith(usualIsolation) === true
}
