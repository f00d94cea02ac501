/** @module What happens after an invitation: where its mail is, and how the person gets in. For people, beside the JSON of the command. */
import type { Config } from '@engine/core'

/**
 * @param url address of the server.
 * @returns lines of text. They hold no token: terminals and logs of builds keep what is printed.
 */
export function invitationSteps({ auth }: Pick<Config, 'auth'>, url: string): string {
  const page = auth?.urls?.invite
  const accept = [
    'The code in the mail and a password make the account:',
    `  curl ${url}/auth/accept-invitation -H 'Content-Type: application/json' -d '{"token":"<code>","password":"<password>"}'`,
    '  auth.urls.invite names a page of yours that does this; then mails hold a link to it.',
  ]
  const link = [`The link in the mail leads to ${page}, which asks for a password.`]
  return [...mailLines(auth?.email, url), ...(page === undefined ? accept : link)].join('\n')
}

function mailLines(email: NonNullable<Config['auth']>['email'], url: string): readonly string[] {
  if (email?.smtp !== undefined) return ['The mail is sent by the SMTP server of auth.email.smtp.']
  if (email?.mailbox === true) return [`The mail is at ${url}/auth/mailbox.`]
  return [
    'No SMTP server is configured (auth.email.smtp): the mail waits in the outbox, on the page Outbox of /admin, or',
    `  curl ${url}/admin/api/outbox -H "Authorization: Bearer $ENGINE_MASTER_KEY"    # the masterKey of the configuration`,
  ]
}
