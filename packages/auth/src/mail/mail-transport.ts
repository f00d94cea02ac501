import { type EmailConfig, GatewayError } from '@engine/core'
import type { RenderedMail } from './render-mail.ts'
import { smtpOptions } from './smtp-options.ts'

/** The connection to an SMTP server. */
export interface MailTransport {
  /**
   * @param id the same for every attempt of one mail: receivers may drop a mail that they already have.
   * @throws the error of nodemailer.
   */
  deliver(id: string, mail: RenderedMail, signal: AbortSignal): Promise<void>
  close(): void
}

/** Longest time that one mail may take, milliseconds; shorter than a claim of the queue. */
export const deliveryTimeoutMs = 30_000

/** Loads nodemailer, which takes longer to load than the rest of this package: see `create-mailer.ts`. */
export async function createMailTransport(
  smtp: NonNullable<EmailConfig['smtp']>,
  from: string,
): Promise<MailTransport> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(smtpOptions(smtp))
  const domain = /@([^\s>]+)>?\s*$/.exec(from)?.[1] ?? 'localhost'
  return {
    deliver: async (id, { to, subject, text, html }, signal) => {
      await transport.sendMail({
        from,
        // An object: nodemailer does not parse a list of addresses from it.
        to: { name: '', address: to },
        subject,
        text,
        ...(html === undefined ? {} : { html }),
        messageId: `<${id}@${domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: AbortSignal.any([signal, AbortSignal.timeout(deliveryTimeoutMs)]),
      })
    },
    close: () => transport.close(),
  }
}

/** The facts of a failure that may be logged: the text of an SMTP server often contains the recipient. */
export interface DeliveryFailure {
  /** `ECONNECTION`, `EAUTH`, `ERR_…`; undefined for an error without a code. */
  readonly code: string | undefined
  /** SMTP reply, such as 451. */
  readonly reply: number | undefined
  readonly command: string | undefined
  /** Our own message. */
  readonly reason: string | undefined
  /** The server refused this recipient or this content permanently. */
  readonly isFinal: boolean
}

export function describeFailure(error: unknown): DeliveryFailure {
  const { code, responseCode, command } = (
    typeof error === 'object' && error !== null ? error : {}
  ) as Readonly<Record<string, unknown>>
  const reply = typeof responseCode === 'number' ? responseCode : undefined
  return {
    code: typeof code === 'string' ? code : error instanceof Error ? error.name : undefined,
    reply,
    command: typeof command === 'string' ? command : undefined,
    reason: error instanceof GatewayError ? error.message : undefined,
    isFinal: reply !== undefined && reply >= 500 && (command === 'RCPT TO' || command === 'DATA'),
  }
}
