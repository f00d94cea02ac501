import { afterEach, describe, expect, test } from 'vitest'
import { type Accounts, masterKey, openAccounts } from '../support/accounts.ts'

let accounts: Accounts
afterEach(() => accounts.close())

const paths = ['/admin', '/admin/api', '/admin/api/status', '/admin/api/nothing', '/admin/x/y']

describe('with a master key', () => {
  test('it opens every route, from an allowed address', async () => {
    accounts = await openAccounts()
    const answer = await accounts.call('GET', '/admin/api/status', { token: masterKey })
    expect(answer.status).toBe(200)
    for (const path of paths.filter((each) => each !== '/admin/api/status')) {
      const nothing = await accounts.call('GET', path, { token: masterKey })
      expect(nothing).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } })
    }
  })

  test('without it, or with another, every path is 401 in the shape of errors', async () => {
    accounts = await openAccounts()
    const { body } = await accounts.call('POST', '/auth/sign-up', {
      body: { email: 'ada@example.com', password: 'correct horse battery staple' },
    })
    for (const path of paths) {
      for (const token of [undefined, `${masterKey}x`, body.session.token as string]) {
        const ip = `127.0.0.${1 + paths.indexOf(path)}`
        const options = token === undefined ? { ip } : { ip, token }
        const answer = await accounts.call('GET', path, options)
        expect(answer).toMatchObject({ status: 401, body: { error: 'UNAUTHORIZED' } })
        expect(answer.headers.get('www-authenticate')).toContain('Bearer')
      }
    }
  })

  test('it is not taken from anywhere but the Authorization header', async () => {
    accounts = await openAccounts()
    const tries = [
      ['/admin/api/status?token=', {}],
      [`/admin/api/status?masterKey=${encodeURIComponent(masterKey)}`, {}],
      ['/admin/api/status', { cookie: `masterKey=${encodeURIComponent(masterKey)}` }],
      ['/admin/api/status', { 'x-master-key': masterKey }],
      ['/admin/api/status', { authorization: `Basic ${btoa(`admin:${masterKey}`)}` }],
    ] as const
    for (const [path, headers] of tries) {
      expect((await accounts.call('GET', path, { headers })).status).toBe(401)
    }
  })

  test('a hundred wrong keys close the door to an address, for the right key too; others may come in', async () => {
    accounts = await openAccounts()
    const call = (token: string, ip: string) =>
      accounts.call('GET', '/admin/api/status', { token, ip })
    for (let i = 0; i < 100; i += 1) expect((await call('wrong', '127.0.0.9')).status).toBe(401)
    const closed = await call('wrong', '127.0.0.9')
    expect(closed).toMatchObject({ status: 429, body: { error: 'RATE_LIMITED' } })
    expect(Number(closed.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await call(masterKey, '127.0.0.9')).status).toBe(429)
    expect((await call(masterKey, '127.0.0.10')).status).toBe(200)
    accounts.pass(15 * 60_000)
    expect((await call(masterKey, '127.0.0.9')).status).toBe(200)
  })

  test('the right key is never counted, nor is none at all', async () => {
    accounts = await openAccounts()
    for (let i = 0; i < 30; i += 1) {
      expect((await accounts.call('GET', '/admin/api/status')).status).toBe(401)
      const answer = await accounts.call('GET', '/admin/api/status', { token: masterKey })
      expect(answer.status).toBe(200)
    }
  })

  test('answers are not kept, framed or shared with other sites', async () => {
    accounts = await openAccounts(
      {},
      { config: { security: { cors: { origin: ['https://app.example.com'] } } } },
    )
    for (const token of [masterKey, 'wrong']) {
      const answer = await accounts.call('GET', '/admin/api/status', {
        token,
        headers: { origin: 'https://app.example.com' },
      })
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(answer.headers.get('x-frame-options')).toBe('DENY')
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  test('wrong methods are 405 and name the right ones, for admitted clients', async () => {
    accounts = await openAccounts()
    const answer = await accounts.call('PUT', '/admin/api/api-keys', { token: masterKey })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('GET, POST')
    const outside = await accounts.call('PUT', '/admin/api/api-keys', { ip: '203.0.113.1' })
    expect(outside.status).toBe(403)
    expect(outside.headers.get('allow')).toBeNull()
  })

  test('refusals are written down', async () => {
    accounts = await openAccounts({}, { config: { audit: { enabled: true } } })
    await accounts.call('GET', '/admin/api/status', { token: 'wrong' })
    await accounts.call('GET', '/admin/api/status', { token: masterKey, ip: '203.0.113.1' })
    // A search waits for entries that are being written, but not for long.
    const denials = async () =>
      (await accounts.call('GET', '/admin/api/audit?kind=denial', { token: masterKey })).body
        .entries
    await expect.poll(denials).toMatchObject([
      { via: 'admin', error: 'PERMISSION_DENIED', ip: '203.0.113.1' },
      { via: 'admin', error: 'UNAUTHORIZED', ip: '127.0.0.1' },
    ])
  })
})

describe('the allow-list of addresses', () => {
  const status = (ip: string, headers = {}) =>
    accounts
      .call('GET', '/admin/api/status', { token: masterKey, ip, headers })
      .then((answer) => answer.status)

  test('the allow-list of addresses is loopback by default', async () => {
    accounts = await openAccounts()
    for (const ip of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1']) {
      expect(await status(ip)).toBe(200)
    }
    for (const ip of ['10.0.0.1', '203.0.113.1', '2001:db8::1', '::ffff:10.0.0.1', '', 'x']) {
      expect(await status(ip)).toBe(403)
    }
  })

  test('the allow-list of addresses holds for ranges of both families, and for IPv4 written as IPv6', async () => {
    const adminIpAllowlist = ['10.1.0.0/16', '2001:db8:1::/48', '192.0.2.7']
    accounts = await openAccounts({}, { config: { security: { adminIpAllowlist } } })
    for (const ip of ['10.1.2.3', '::ffff:10.1.2.3', '2001:db8:1:2::3', '192.0.2.7']) {
      expect(await status(ip)).toBe(200)
    }
    for (const ip of ['10.2.0.1', '2001:db8:2::1', '192.0.2.8', '127.0.0.1', '::1']) {
      expect(await status(ip)).toBe(403)
    }
  })

  test('admits no client when it is empty', async () => {
    accounts = await openAccounts({}, { config: { security: { adminIpAllowlist: [] } } })
    expect(await status('127.0.0.1')).toBe(403)
  })

  test('the allow-list of addresses is not passed by headers that claim another address', async () => {
    accounts = await openAccounts()
    for (const name of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'cf-connecting-ip']) {
      const value = name === 'forwarded' ? 'for=127.0.0.1' : '127.0.0.1'
      expect(await status('203.0.113.1', { [name]: value })).toBe(403)
    }
  })

  test('looks past trusted proxies, up to the first address that is none of them', async () => {
    accounts = await openAccounts(
      {},
      { config: { security: { adminIpAllowlist: ['192.0.2.0/24'], trustProxy: ['10.0.0.0/8'] } } },
    )
    expect(await status('10.0.0.1', { 'x-forwarded-for': '192.0.2.1' })).toBe(200)
    expect(await status('10.0.0.1', { 'x-forwarded-for': '192.0.2.1, 203.0.113.1' })).toBe(403)
    expect(await status('10.0.0.1', { 'x-forwarded-for': '192.0.2.1, rubbish' })).toBe(403)
    expect(await status('203.0.113.1', { 'x-forwarded-for': '192.0.2.1' })).toBe(403)
  })
})

test('without a master key there is no /admin, from anywhere', async () => {
  accounts = await openAccounts({}, { config: { masterKey: undefined } as never })
  for (const path of paths) {
    for (const ip of ['127.0.0.1', '203.0.113.1']) {
      const answer = await accounts.call('GET', path, { token: masterKey, ip })
      expect(answer).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } })
    }
  }
})
