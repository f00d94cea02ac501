import { expect, test } from 'vitest'
import { invitationSteps } from './invitation-steps.ts'

const url = 'http://127.0.0.1:3001'
const secret = 'a secret of at least thirty-two bytes'

test('without a mail server and a page: where the mail is, and the request that uses its code', () => {
  const steps = invitationSteps({ auth: { secret } }, url)
  expect(steps).toContain(
    `curl ${url}/admin/api/outbox -H "Authorization: Bearer $ENGINE_MASTER_KEY"`,
  )
  expect(steps).toContain(`curl ${url}/auth/accept-invitation `)
  expect(steps).toContain('auth.urls.invite')
})

test('with the mailbox of development: its page', () => {
  const steps = invitationSteps({ auth: { secret, email: { mailbox: true } } }, url)
  expect(steps).toMatch(/^The mail is at http:\/\/127\.0\.0\.1:3001\/auth\/mailbox\.\n/)
})

test('with a mail server and a page: the page, and no request', () => {
  const email = { smtp: 'smtp://127.0.0.1', from: 'shop@example.com' }
  const urls = { invite: 'https://shop.example.com/invite' }
  const steps = invitationSteps({ auth: { secret, email, urls } }, url)
  expect(steps).toBe(
    [
      'The mail is sent by the SMTP server of auth.email.smtp.',
      'The link in the mail leads to https://shop.example.com/invite, which asks for a password.',
    ].join('\n'),
  )
})
