/** @module `GET /auth/mailbox`: for development, on this machine, and for nobody else. */
import { afterEach, describe, expect, test } from 'vitest'
import { type Accounts, type CallOptions, openAccounts, signUp } from '../support/accounts.ts'

const email = { mailbox: true, productName: '<b>Shop</b> & Co' }
const urls = { verify: 'http://localhost:5173/#/verify' }

let accounts: Accounts | undefined
afterEach(async () => {
  await accounts?.close()
  accounts = undefined
})

async function open(
  auth: Parameters<typeof openAccounts>[0] = { email, urls },
  more: Parameters<typeof openAccounts>[1] = {},
): Promise<Accounts> {
  accounts = await openAccounts(auth, { isDevelopment: true, ...more })
  return accounts
}

const local = { headers: { host: 'localhost:3001' } }
const read = ({ call }: Accounts, options: CallOptions = local) =>
  call('GET', '/auth/mailbox', options)

test('shows mails with links, escaped, on a page that runs nothing', async () => {
  const opened = await open()
  expect((await read(opened)).text).toContain('No mail yet.')
  const member = await signUp(opened)
  const token = await opened.mailedToken(member.email, /confirm/i)
  const { status, text, headers } = await read(opened)
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(text).toContain(`to ${member.email}`)
  expect(text).toContain(`<a href="http://localhost:5173/#/verify?token=${token}">`)
  expect(text).toContain('&lt;b&gt;Shop&lt;/b&gt; &amp; Co')
  expect(text).not.toMatch(/<b>|<script/)
})

test('hides from other machines, from proxies, and from names that lead here', async () => {
  const opened = await open()
  for (const options of [
    { ip: '192.0.2.1', ...local },
    { ip: '10.0.0.1', ...local },
    { headers: {} },
    ...[
      'evil.test',
      'localhost.evil.test',
      '127.0.0.1.evil.test',
      '127.0.0.1@evil.test',
      'a b',
    ].map((host) => ({ headers: { host } })),
    ...['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'].map((name) => ({
      headers: { ...local.headers, [name]: '127.0.0.1' },
    })),
  ]) {
    expect(await read(opened, options), JSON.stringify(options)).toMatchObject({ status: 404 })
  }
  for (const host of ['127.0.0.1', '127.0.0.1:3001', '[::1]:3001', 'LOCALHOST']) {
    expect(await read(opened, { headers: { host } })).toMatchObject({ status: 200 })
  }
  expect(await read(opened, { ip: '::1', ...local })).toMatchObject({ status: 200 })
})

test('gives no page of another origin its content, also none that may call the engine', async () => {
  const origin = 'http://localhost:5173'
  const opened = await open(
    { email, urls },
    { config: { security: { cors: { origin: [origin] } } } },
  )
  const { headers } = await read(opened, { headers: { ...local.headers, origin } })
  expect(headers.get('access-control-allow-origin')).toBeNull()
  expect(await opened.call('POST', '/auth/mailbox', local)).toMatchObject({ status: 405 })
})

describe('the option', () => {
  test('the option for a mailbox is off by default', async () => {
    expect(await read(await open({}))).toMatchObject({ status: 404 })
  })

  test('the option for a mailbox keeps production from starting, and does not go with smtp', async () => {
    const fault = (message: RegExp) => ({
      problem: 'invalidConfiguration',
      message: expect.stringMatching(message),
    })
    await expect(open({ email }, { isDevelopment: false })).rejects.toMatchObject(
      fault(/auth\.email\.mailbox.*never in production/),
    )
    const smtp = { ...email, smtp: 'smtp://localhost' }
    await expect(open({ email: smtp })).rejects.toMatchObject(
      fault(/auth\.email\.mailbox.*no smtp/),
    )
  })
})
