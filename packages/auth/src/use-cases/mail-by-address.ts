/** @module Mails that a client asks for by an address: the answer says nothing about the account. */
import type { ClientInfo } from '@engine/core/server'
import type { Credentials } from '../accounts/account.ts'
import type { AuthContext } from '../auth-context.ts'
import { readBodyObject, readText } from '../input/read-input.ts'
import { emailKey } from './check-password.ts'

export interface MailByAddress {
  /** Names the work in the log. */
  readonly task: string
  /** Of the audit's entry. */
  readonly event: 'password-reset-requested' | 'email-verification-requested'
  /** Sends the mail; a decoy where the address has no account, or its account gets none. */
  readonly send: (credentials: Credentials | undefined) => Promise<void>
}

/** Counts the request by client and address. The account is looked up after the answer. */
export async function mailByAddress(
  body: unknown,
  client: ClientInfo,
  { settings, accounts, throttle, background, record }: AuthContext,
  { task, event, send }: MailByAddress,
): Promise<void> {
  const given = readText(readBodyObject(body), 'email')
  const key = emailKey(given, settings.signUp.allowUtf8Email)
  await throttle.forgotPassword(client, key ?? given)
  background.add(task, async () => {
    await record(client, event, { email: given })
    await send(key === undefined ? undefined : await accounts.findOrAdopt(key))
  })
}
