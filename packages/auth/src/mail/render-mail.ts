import type { MailFacts, MailKind } from '@engine/core'
import type { AuthSettings } from '@engine/core/server'
import { mailLink } from './mail-link.ts'
import type { MailRequest } from './mailer.ts'
import { builtInTemplates } from './templates.ts'

/** A mail in its final form. */
export interface RenderedMail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string | undefined
}

/** Maximum characters of a subject. */
const longestSubject = 200

/**
 * Creates a mail, from the configured template where there is one.
 *
 * @throws the template's error; an error when it does not return texts.
 */
export function renderMail(
  kind: MailKind,
  mail: MailRequest,
  { email, urls }: Pick<AuthSettings, 'email' | 'urls'>,
): RenderedMail {
  const template = email.templates?.[kind] ?? builtInTemplates[kind]
  const { subject, text, html } = template(factsOf(kind, mail, { email, urls }))
  if (typeof subject !== 'string' || typeof text !== 'string') {
    throw new TypeError('a template gives { subject, text } as texts')
  }
  return { to: mail.email, subject: oneLine(subject), text, html }
}

function factsOf(
  kind: MailKind,
  { email, name, token, expiresAtMs }: MailRequest,
  settings: Pick<AuthSettings, 'email' | 'urls'>,
): MailFacts {
  const page = pageOf(kind, settings.urls)
  return {
    productName: settings.email.productName ?? 'Engine',
    name,
    email,
    link: page === undefined || token === undefined ? undefined : mailLink(page, token),
    token,
    expiresAt: expiresAtMs === undefined ? undefined : new Date(expiresAtMs).toISOString(),
  }
}

function pageOf(kind: MailKind, urls: AuthSettings['urls']): string | undefined {
  switch (kind) {
    case 'verifyEmail':
      return urls.verify
    case 'resetPassword':
      return urls.reset
    case 'invitation':
      return urls.invite
    default:
      return undefined
  }
}

/** A line break of a template cannot add a header. */
function oneLine(subject: string): string {
  return subject
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, longestSubject)
}
