import type { ActionAccounts } from '../../config/options/action-accounts.ts'

/**
 * The accounts of one run of an action: every method throws once the signal is aborted, and where there are no accounts.
 *
 * @param accounts undefined: the engine has none of its own.
 */
export function accountsUntil(
  signal: AbortSignal,
  accounts: ActionAccounts | undefined,
): ActionAccounts {
  const open = (): ActionAccounts => {
    if (signal.aborted) throw new Error('the action is over: its accounts cannot be used any more')
    if (accounts === undefined) {
      throw new Error('there are no accounts: the configuration has no `auth`')
    }
    return accounts
  }
  return {
    invite: async (input) => open().invite(input),
    listInvitations: async (filter) => open().listInvitations(filter),
    resendInvitation: async (of) => open().resendInvitation(of),
    revokeInvitation: async (of) => open().revokeInvitation(of),
  }
}
