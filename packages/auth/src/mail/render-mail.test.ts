import type { MailKind } from '@engine/core'
import { describe, expect, test } from 'vitest'
import { renderMail } from './render-mail.ts'

const urls = {
  reset: 'https://shop.test/reset',
  verify: 'https://shop.test/verify',
  invite: 'https://shop.test/invite',
}
const email = { productName: 'Shop & <Co>' }
const token = 'Zm9vYmFy_-'
const expiresAtMs = Date.UTC(2030, 0, 2, 3, 4, 5)
const request = { email: 'ada@shop.test', name: 'Ada', token, expiresAtMs }
const kinds: readonly MailKind[] = [
  'verifyEmail',
  'resetPassword',
  'passwordChanged',
  'accountExists',
  'invitation',
]

describe.each(kinds)('the built-in mail %s', (kind) => {
  const mail = renderMail(kind, request, { email, urls })

  test('names the product, escaped in HTML', () => {
    expect(mail.subject).toContain('Shop & <Co>')
    expect(mail.text).toContain('Shop & <Co>')
    expect(mail.html).toContain('Shop &amp; &lt;Co&gt;')
    expect(mail.html).not.toContain('<Co>')
  })

  test('loads nothing and runs nothing', () => {
    expect(mail.html).not.toMatch(/<img|<script|<link|<iframe|\bsrc=|url\(|@import/i)
  })

  test('does not say what a stranger who signs up with the address wrote', () => {
    const name = 'You have won <a href="https://evil.test">a prize</a>'
    const told = renderMail(kind, { ...request, name }, { email, urls })
    expect(JSON.stringify(told)).not.toMatch(/prize|evil/)
  })
})

test('the mails with a token have its link in both forms, and say when it ends', () => {
  for (const [kind, page] of [
    ['verifyEmail', urls.verify],
    ['resetPassword', urls.reset],
    ['invitation', urls.invite],
  ] as const) {
    const { text, html } = renderMail(kind, request, { email, urls })
    expect(text).toContain(`${page}#token=${token}\n`)
    expect(html).toContain(`href="${page}#token=${token}"`)
    for (const form of [text, html]) expect(form).toContain('2030-01-02 03:04 UTC')
  }
})

test('without a page to lead to, they have the token itself', () => {
  const none = { reset: undefined, verify: undefined, invite: undefined }
  const { text, html } = renderMail('resetPassword', request, { email, urls: none })
  expect(text).toContain(`\n${token}\n`)
  expect(html).toContain(`<code>${token}</code>`)
})

test('the other mails have no link and no token', () => {
  for (const kind of ['passwordChanged', 'accountExists'] as const) {
    const { text, html } = renderMail(kind, request, { email, urls })
    expect(`${text}${html}`).not.toMatch(/https?:|Zm9v/)
  }
})

test('a template of the user gets every fact, and replaces one mail only', () => {
  const templates = {
    resetPassword: (facts: object) => ({ subject: 'Reset', text: JSON.stringify(facts) }),
  }
  const settings = { email: { ...email, templates }, urls }
  const { html, text } = renderMail('resetPassword', request, settings)
  expect(html).toBeUndefined()
  expect(JSON.parse(text)).toEqual({
    productName: 'Shop & <Co>',
    name: 'Ada',
    email: 'ada@shop.test',
    link: `${urls.reset}#token=${token}`,
    token,
    expiresAt: '2030-01-02T03:04:05.000Z',
  })
  expect(renderMail('verifyEmail', request, settings).text).toContain(urls.verify)
})

test('no subject of a template becomes another header', () => {
  const subject = `Hi\r\nBcc: eve@evil.test\u2028${'x'.repeat(300)}`
  const templates = { resetPassword: () => ({ subject, text: '' }) }
  const mail = renderMail('resetPassword', request, { email: { templates }, urls })
  expect(mail.subject).toMatch(/^Hi Bcc: eve@evil\.test x+$/)
  expect(mail.subject).toHaveLength(200)
})
