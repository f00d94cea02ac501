/** @module Sends queued mails: several at a time, the rest when it becomes due. */
import type { Log } from '@engine/core'
import type { ClaimedMail, MailQueue } from './mail-queue.ts'
import { describeFailure } from './mail-transport.ts'
import { retryDelayMs } from './retry-delay.ts'

export interface Dispatcher {
  /** Checks for due mails now. Resolves when none is due any more. Never rejects. */
  wake(): Promise<void>
  /** Sends due mails, for at most `closingMs`; returns the rest to the queue. */
  close(): Promise<void>
}

export interface DispatcherOptions {
  readonly queue: MailQueue
  /** Sends one mail; throws when that fails. */
  readonly deliver: (mail: ClaimedMail, signal: AbortSignal) => Promise<void>
  readonly log: Log
  readonly clock: () => number
  readonly workers: number
}

/** Interval of the check for mails of nodes that died, and for those whose next attempt is due. */
const pollMs = 5_000

const closingMs = 5_000

/** Attempts for a mail whose recipient the server refuses. */
const triesOfRefused = 3

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { queue, deliver, log, clock, workers } = options
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  let hasNews = false

  /** Takes mails until none is due; starts another worker after each mail, since there may be more. */
  const work = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      hasNews = false
      const claim = await queue.claim()
      if (claim === undefined) {
        if (hasNews) continue
        return
      }
      if (claim.kind === 'expired') {
        log.warn({ mail: claim.id }, 'a mail was given up: it could not be sent in time')
        continue
      }
      startWorker()
      await handle(claim.claimed)
    }
  }
  const handle = async (mail: ClaimedMail): Promise<void> => {
    try {
      await deliver(mail, stopping.signal)
    } catch (error) {
      await failed(mail, error)
      return
    }
    await queue.remove(mail)
    log.debug({ mail: mail.id, kind: mail.kind }, 'a mail was sent')
  }
  const failed = async (mail: ClaimedMail, error: unknown): Promise<void> => {
    const { isFinal, ...failure } = describeFailure(error)
    const facts = { mail: mail.id, kind: mail.kind, attempts: mail.attempts, failure }
    if (stopping.signal.aborted) {
      await queue.postpone(mail, clock())
    } else if (isFinal && mail.attempts >= triesOfRefused) {
      log.warn(facts, 'a mail was given up: the SMTP server refuses it')
      await queue.remove(mail)
    } else {
      log.warn(facts, 'a mail could not be sent; it is tried again')
      await queue.postpone(mail, clock() + retryDelayMs(mail.attempts))
    }
  }
  const startWorker = (): void => {
    hasNews = true
    if (running.size >= workers || stopping.signal.aborted) return
    const worker = work()
      .catch((error: unknown) => {
        log.error({ err: error }, 'mails cannot be read from the service database')
      })
      .finally(() => running.delete(worker))
    running.add(worker)
  }
  const idle = async (): Promise<void> => {
    while (running.size > 0) await Promise.all(running)
  }
  const wake = (): Promise<void> => {
    startWorker()
    return idle()
  }
  const poll = setInterval(() => void wake(), pollMs)
  poll.unref()

  return {
    wake,
    close: async () => {
      clearInterval(poll)
      const timer = setTimeout(() => stopping.abort(), closingMs)
      await idle()
      clearTimeout(timer)
      stopping.abort()
    },
  }
}
