import { createHash } from 'node:crypto'
import { silentLog } from '@engine/core'
import { describe, expect, test } from 'vitest'
import { createCancellation } from '../request/cancellation.ts'
import { createRouteHandler } from '../route-handler.ts'
import { type RootOptions, rootRoutes } from './root.ts'

const handle = createRouteHandler({
  isDevelopment: true,
  log: silentLog,
  headers: { 'Content-Type': 'application/json', 'Content-Security-Policy': "default-src 'none'" },
  crossOrigin: undefined,
  trustProxy: [],
  cancellation: createCancellation(),
})

const ask = (accept: string | undefined, options: Partial<RootOptions> = {}, method = 'GET') => {
  const routes = rootRoutes({ version: '1.2.3', hasAdmin: true, ...options }, handle)
  const headers = new Headers(accept === undefined ? {} : { accept })
  return routes.request('http://gateway.test/', { method, headers })
}

describe('programs', () => {
  test.each([undefined, '*/*', 'application/json', 'text/html;q=0, */*', 'text/html5'])(
    'which accept %s get JSON',
    async (accept) => {
      const response = await ask(accept)
      expect(response.headers.get('content-type')).toBe('application/json')
      expect(response.headers.get('vary')).toBe('Accept')
      expect(await response.json()).toEqual({
        name: 'Engine',
        version: '1.2.3',
        admin: '/admin',
        openapi: '/openapi.json',
        health: '/health/ready',
        documentation: expect.stringMatching(/^https:/),
      })
    },
  )

  test('in production neither the version nor the pages of administrators are named', async () => {
    const hidden = { version: undefined, hasAdmin: false }
    expect(Object.keys((await (await ask('*/*', hidden)).json()) as object)).toEqual([
      'name',
      'openapi',
      'health',
      'documentation',
    ])
    const page = await (await ask('text/html', hidden)).text()
    expect(page).not.toMatch(/1\.2\.3|\/admin/)
  })

  test('other methods are refused', async () => {
    const response = await ask('*/*', {}, 'POST')
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })
})

test.each([
  'text/html',
  'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'application/json, TEXT/HTML; q=0.5',
])(
  'a browser, which accepts %s, gets a page whose policy allows its style alone',
  async (accept) => {
    const response = await ask(accept)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const page = await response.text()
    expect(page).toContain('<h1>Engine 1.2.3</h1>')
    expect(page.match(/href="\/[a-z./]*"/g)).toEqual([
      'href="/admin"',
      'href="/openapi.json"',
      'href="/health/ready"',
    ])
    const [, style = ''] = /<style>(.*)<\/style>/s.exec(page) ?? []
    const digest = createHash('sha256').update(style).digest('base64')
    expect(response.headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    )
    expect(page).not.toMatch(/<script|style=|src=/)
  },
)
