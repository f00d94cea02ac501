import type { EmailConfig } from '@engine/core'
import { describeFailure } from './mail-transport.ts'
import { smtpOptions } from './smtp-options.ts'

/**
 * Connects to the SMTP server, signs in where that is configured, and leaves without sending anything.
 *
 * @returns the reason of the failure in a few words, without the server's text; undefined on success.
 */
export async function verifyMailServer(
  smtp: NonNullable<EmailConfig['smtp']>,
): Promise<string | undefined> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(smtpOptions(smtp))
  try {
    await transport.verify()
    return undefined
  } catch (error) {
    const { code, reply, command, reason } = describeFailure(error)
    return [reason, code, reply, command].filter((part) => part !== undefined).join(' ')
  } finally {
    transport.close()
  }
}
