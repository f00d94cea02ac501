import type { OutboxMail } from '@engine/contract/admin-api'
import { GatewayError, type Log, type MailKind } from '@engine/core'
import type { AuthSettings, SecretBox } from '@engine/core/server'
import type { Store } from '@engine/core/store'
import { createDispatcher } from './dispatcher.ts'
import { createMailQueue, type MailQueue } from './mail-queue.ts'
import { createMailTransport, type MailTransport } from './mail-transport.ts'
import type { Mailer, MailRequest } from './mailer.ts'
import { type RenderedMail, renderMail } from './render-mail.ts'
import { smtpConnections } from './smtp-options.ts'

export interface MailerOptions {
  readonly settings: Pick<AuthSettings, 'email' | 'urls'>
  /** With `mailMigrations` applied. */
  readonly store: Store
  readonly box: SecretBox
  readonly log: Log
  readonly clock: () => number
}

/** Milliseconds between two removals of expired mails from the outbox. */
const sweepMs = 60_000

/** Maximum mails in the outbox; the oldest are removed. */
const maxOutbox = 1_000

/** Sends by SMTP where it is configured; otherwise mails wait where an administrator can read them. */
export function createMailer(options: MailerOptions): Mailer {
  const { settings, store, box, clock } = options
  const queue = createMailQueue(store, box, clock)
  return settings.email.smtp === undefined
    ? outboxMailer(queue, options)
    : smtpMailer(queue, options, settings.email.smtp)
}

function smtpMailer(
  queue: MailQueue,
  { settings, store, log, clock }: MailerOptions,
  smtp: NonNullable<AuthSettings['email']['smtp']>,
): Mailer {
  let opened: Promise<MailTransport> | undefined
  const open = (): Promise<MailTransport> => {
    opened ??= createMailTransport(smtp, settings.email.from ?? senderOf(settings.urls))
    return opened
  }
  const dispatcher = createDispatcher({
    queue,
    log,
    clock,
    workers: smtpConnections,
    deliver: async ({ id, kind, mail }, signal) => {
      // Before it is known whether there is a mail: the first one takes as long as the first decoy.
      const transport = await open()
      if (kind === 'nothing') return
      if (mail === undefined) throw unreadable()
      await transport.deliver(id, rendered(kind, mail, settings), signal)
    },
  })
  const begin = async (): Promise<void> => {
    await store.whenReady()
    // Mails of an earlier process, including unfinished ones: no other process can have claimed them.
    if (!store.isShared) await queue.releaseAll()
    await dispatcher.wake()
  }
  begin().catch((error: unknown) => log.warn({ err: error }, 'mails cannot be sent yet'))
  return {
    send: async (kind, mail) => {
      const id = await queue.add(kind, mail)
      if (id === undefined) log.error({ kind }, 'a mail was dropped: too many wait to be sent')
      void dispatcher.wake()
    },
    sendDecoy: async () => {
      await queue.add('nothing', decoyMail(clock))
      void dispatcher.wake()
    },
    outbox: async () => [],
    close: async () => {
      await dispatcher.close()
      await opened?.then((transport) => transport.close())
    },
  }
}

/** Keeps mails without sending them; the log says for each where it can be read. */
function outboxMailer(queue: MailQueue, { settings, log, clock }: MailerOptions): Mailer {
  const sweep = async (): Promise<void> => {
    try {
      await queue.removeExpired()
    } catch (error) {
      log.warn({ err: error }, 'mails that came too late could not be removed')
    }
  }
  const sweeping = setInterval(() => void sweep(), sweepMs)
  sweeping.unref()
  return {
    send: async (kind, mail) => {
      const id = await queue.add(kind, mail)
      if (id === undefined) log.error({ kind }, 'a mail was dropped: too many wait in the outbox')
      else log.info({ kind, mail: id }, settings.email.mailbox === true ? shown : waits)
      await queue.trim(maxOutbox)
    },
    sendDecoy: async () => {
      await queue.add('nothing', decoyMail(clock))
      await queue.trim(maxOutbox)
    },
    outbox: async () => {
      const stored = await queue.list(maxOutbox)
      return stored.map(({ id, kind, mail, createdAtMs }): OutboxMail => {
        const createdAt = new Date(createdAtMs).toISOString()
        if (mail === undefined || kind === 'nothing') return { id, ...unreadableMail, createdAt }
        const { to, subject, text, html = null } = renderMail(kind, mail, settings)
        return { id, to, subject, text, html, createdAt }
      })
    },
    close: async () => clearInterval(sweeping),
  }
}

/** A decoy with the size of a real mail. */
function decoyMail(clock: () => number): MailRequest {
  const token = '-'.repeat(43)
  return { email: '-'.repeat(24), name: '', token, expiresAtMs: clock() + sweepMs }
}

const waits =
  'no SMTP server is configured (auth.email.smtp): a mail waits at GET /admin/api/outbox, readable with the master key'

const shown = 'a mail waits at /auth/mailbox (auth.email.mailbox)'

/** @throws {GatewayError} with the template's error, without the token. */
function rendered(
  kind: MailKind,
  mail: MailRequest,
  settings: MailerOptions['settings'],
): RenderedMail {
  try {
    return renderMail(kind, mail, settings)
  } catch (cause) {
    const reason = String(cause).replaceAll(mail.token ?? '\0', '[token]')
    throw new GatewayError('internal', `The template of ${kind} failed: ${reason}`)
  }
}

const unreadableMail = { to: '', subject: '(sealed with another key)', text: '', html: null }

function unreadable(): GatewayError {
  return new GatewayError('internal', 'The mail was sealed with another key.')
}

/** The sender without `auth.email.from`: `nobody` at the host of the pages that mails link to. */
function senderOf({ verify, reset, invite }: AuthSettings['urls']): string {
  const page = verify ?? reset ?? invite
  return `no-reply@${page === undefined ? 'localhost' : new URL(page).hostname}`
}
