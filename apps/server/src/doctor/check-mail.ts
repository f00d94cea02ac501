import { verifyMailServer } from '@engine/auth'
import type { AuthSettings } from '@engine/core/server'
import { type Finding, fault, ok, warning } from './finding.ts'

const about = 'auth.email'

/** Checks whether mails could be sent. Sends none. */
export async function checkMail(
  { email, urls }: AuthSettings,
  isProduction: boolean,
): Promise<readonly Finding[]> {
  const links = (['reset', 'verify', 'invite'] as const)
    .filter((name) => urls[name] === undefined)
    .map((name) => warning(`auth.urls.${name}`, 'is not set: mails hold a token instead of a link'))
  if (email.smtp === undefined) {
    const message = 'shows mails and their tokens to everybody on this machine'
    const mailbox = isProduction
      ? fault('auth.email.mailbox', `${message}: never in production`)
      : warning('auth.email.mailbox', message)
    return [
      ...(email.mailbox === true ? [mailbox] : []),
      warning(about, 'no SMTP server: mails wait in the outbox, where the master key reads them'),
      ...links,
    ]
  }
  const problem = await verifyMailServer(email.smtp)
  return [
    problem === undefined
      ? ok(about, 'the SMTP server answers')
      : fault(about, `the SMTP server cannot be used: ${problem}`),
    ...links,
  ]
}
