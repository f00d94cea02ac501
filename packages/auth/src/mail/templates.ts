/**
 * @module The built-in mails. None contains the user's name: a user who signs up with another user's address chooses
 * the name, and could write any text into a mail that we send.
 */
import type { MailFacts, MailKind, MailTemplate } from '@engine/core'
import { escapeHtml } from './escape-html.ts'

/** Content of a mail: paragraphs around one link. */
interface MailText {
  readonly subject: string
  readonly before: readonly string[]
  /** Label of the link's button; undefined in mails without a link. */
  readonly action: string | undefined
  readonly after: readonly string[]
}

export const builtInTemplates: Readonly<Record<MailKind, MailTemplate>> = {
  verifyEmail: (facts) =>
    written(facts, {
      subject: `Confirm your e-mail address for ${facts.productName}`,
      before: [`Please confirm that this is your e-mail address for ${facts.productName}.`],
      action: 'Confirm e-mail address',
      after: ['If you did not create an account, you can ignore this mail.'],
    }),
  resetPassword: (facts) =>
    written(facts, {
      subject: `Reset your password for ${facts.productName}`,
      before: [
        `Somebody, hopefully you, asked for a new password for your account at ${facts.productName}.`,
      ],
      action: 'Choose a new password',
      after: ['If it was not you, you can ignore this mail: your password stays as it is.'],
    }),
  passwordChanged: (facts) =>
    written(facts, {
      subject: `Your password for ${facts.productName} was changed`,
      before: [
        `The password of your account at ${facts.productName} was changed, and your other sessions were ended.`,
      ],
      action: undefined,
      after: [
        'If it was not you, ask for a new password on the sign-in page now, and tell whoever runs the service.',
      ],
    }),
  accountExists: (facts) =>
    written(facts, {
      subject: `You already have an account at ${facts.productName}`,
      before: [
        `Somebody, hopefully you, tried to create an account at ${facts.productName} with this e-mail address. You have one already.`,
      ],
      action: undefined,
      after: [
        'You can sign in as usual, or ask for a new password on the sign-in page. If it was not you, you can ignore this mail.',
      ],
    }),
  invitation: (facts) =>
    written(facts, {
      subject: `You are invited to ${facts.productName}`,
      before: [`You are invited to ${facts.productName}, with this e-mail address.`],
      action: 'Accept the invitation',
      after: ['If you did not expect this, you can ignore this mail.'],
    }),
}

function written(facts: MailFacts, text: MailText): ReturnType<MailTemplate> {
  return {
    subject: text.subject,
    text: asText(facts, text),
    html: asHtml(facts, text),
  }
}

function asText(facts: MailFacts, { before, action, after }: MailText): string {
  const middle = action === undefined ? [] : pointer(facts, action)
  return `${['Hello,', ...before, ...middle, ...after].join('\n\n')}\n`
}

function pointer({ link, token, expiresAt }: MailFacts, action: string): readonly string[] {
  const target =
    link === undefined ? `${action}, with this code:\n${token ?? ''}` : `${action}:\n${link}`
  return expiresAt === undefined ? [target] : [target, validUntil(expiresAt)]
}

function validUntil(expiresAt: string): string {
  return `This works once, until ${expiresAt.slice(0, 16).replace('T', ' ')} UTC.`
}

const paragraphStyle = 'margin:0 0 16px'
const linkStyle =
  'display:inline-block;padding:10px 18px;background:#1f4fd8;color:#ffffff;text-decoration:none;border-radius:6px'
const bodyStyle =
  'margin:0;padding:24px;font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;color:#1c1c1c'

/** The page loads no external resources. */
function asHtml(facts: MailFacts, { subject, before, action, after }: MailText): string {
  const middle = action === undefined ? [] : htmlPointer(facts, action)
  const paragraphs = [
    ...['Hello,', ...before].map(escapeHtml),
    ...middle,
    ...after.map(escapeHtml),
  ].map((content) => `<p style="${paragraphStyle}">${content}</p>`)
  return [
    '<!doctype html>',
    '<html lang="en">',
    `<head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>`,
    `<body style="${bodyStyle}">`,
    ...paragraphs,
    '</body>',
    '</html>',
    '',
  ].join('\n')
}

function htmlPointer({ link, token, expiresAt }: MailFacts, action: string): readonly string[] {
  const target =
    link === undefined
      ? `${escapeHtml(action)}, with this code:<br><code>${escapeHtml(token ?? '')}</code>`
      : `<a style="${linkStyle}" href="${escapeHtml(link)}">${escapeHtml(action)}</a>`
  return expiresAt === undefined ? [target] : [target, escapeHtml(validUntil(expiresAt))]
}
