/** @module The owner of a credential, once the row of the user table is known that its claims identify. */
import type { Account } from '../accounts/account.ts'
import type { AccountStore } from '../accounts/account-store.ts'
import { unauthorized } from '../unauthorized.ts'
import type { Identity } from './identity.ts'
import type { UserRow } from './user-rows.ts'

/**
 * Returns the identity that owns a row: claims can name a row otherwise than by the exact text of its account's id, and the
 * state of that account counts all the same.
 *
 * @throws {GatewayError} `unauthorized` when the account of the row is disabled, or the claims name two accounts.
 */
export type RowOwner = (named: Identity, row: UserRow) => Promise<Identity>

/** An identity is remembered for one state of the accounts, and so is the account of its row. */
interface Known {
  readonly id: string
  readonly account: Account | undefined
}

export function createRowOwner(accounts: Pick<AccountStore, 'findById'>): RowOwner {
  const known = new WeakMap<Identity, Known>()
  const accountOfRow = async (named: Identity, id: string): Promise<Account | undefined> => {
    const last = known.get(named)
    if (last?.id === id) return last.account
    const account = await accounts.findById(id)
    known.set(named, { id, account })
    return account
  }
  return async (named, { accountId, isNamedByAccountId }) => {
    if (accountId === undefined || accountId === named.account?.id) return named
    const owner = await accountOfRow(named, accountId)
    if (owner === undefined) return named
    if (owner.isDisabled) throw unauthorized('The account is disabled.')
    if (!isNamedByAccountId || named.asAccount === undefined) return named
    if (named.account !== undefined) throw unauthorized('The bearer token names two accounts.')
    return named.asAccount(owner)
  }
}
