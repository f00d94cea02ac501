/** @module The administrator's pages with names and values of attackers, and with very many rows. */
import { join } from 'node:path'
import { describeBrowser, launchBrowser } from '@engine/test-browser'
import Database from 'better-sqlite3'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type AdminWorld, buildSite, openAdminWorld } from './admin-world.ts'
import { settled, type Visitor, visit } from './visit.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 300_000 })

const markup = '<img src=x onerror=alert(1)>'
const names = [
  markup,
  '"><script>alert(2)</script>',
  'javascript:alert(3)',
  'invoice\u202efdp.exe',
  "a'b`$\u007balert(4)}`",
  'per%cent/and#hash?query',
]
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

describeBrowser('the pages of an administrator', () => {
  let site: Awaited<ReturnType<typeof buildSite>>
  let world: AdminWorld
  let folder: string
  let browser: Browser
  let visitor: Visitor

  beforeAll(async () => {
    site = await buildSite()
    world = await openAdminWorld(site.site, (directory) => {
      folder = directory
      const database = new Database(join(directory, 'hostile.db'))
      const columns = names.map((name) => `${quoted(name)} text`).join(', ')
      for (const name of names) {
        database.exec(`create table ${quoted(name)} (id integer primary key, ${columns})`)
      }
      const values = names.map(() => '?').join(', ')
      const insert = database.prepare(`insert into ${quoted(markup)} values (1, ${values})`)
      insert.run(...names.map((name, index) => (index === 0 ? markup.repeat(4_000) : name)))
      database.close()
      return {
        connections: {
          main: join(directory, 'shop.db'),
          hostile: join(directory, 'hostile.db'),
        },
        permissions: names.map((name) => ({
          name,
          table: `hostile.${name}`,
          roles: [name],
          select: { where: { [markup]: name } },
        })),
      }
    })
    const headers = { 'content-type': 'application/json' }
    for (const [index, name] of names.entries()) {
      const user = {
        email: `h${index}@example.com`,
        name,
        password: 'correct horse battery staple',
      }
      const body = JSON.stringify(user)
      await fetch(`${world.server.url}/auth/sign-up`, { method: 'POST', headers, body })
      await world.api('POST', '/admin/api/api-keys', { name, roles: [name] })
      const sql = `select '${name.replaceAll("'", "''")}' from ${quoted('hostile')}.${quoted(name)}`
      const asked = JSON.stringify({ sql, params: [], method: 'all' })
      await fetch(`${world.server.url}/data`, { method: 'POST', headers, body: asked })
    }
    browser = await launchBrowser()
    visitor = await visit(browser, world)
    await visitor.signIn()
  })
  afterAll(async () => {
    await browser?.close()
    await world?.close()
    site?.remove()
  })

  const pages: readonly (readonly [name: string, path: string])[] = [
    ['overview', ''],
    ['permissions', '/permissions'],
    ['users', '/users'],
    ['sessions', '/sessions'],
    ['API keys', '/api-keys'],
    ['actions', '/actions'],
    ['audit', '/audit'],
    ['configuration', '/configuration'],
    ['connections', '/connections'],
    ['revisions', '/revisions'],
    ['settings', '/settings'],
    ['roles', '/settings/roles'],
    ['wire connections', '/wire-connections'],
    ['palette', '/schema'],
    ...names.flatMap((name): [string, string][] => [
      [`the table ${name}`, `/schema/hostile/${encodeURIComponent(name)}`],
      [
        `the rows of ${name}`,
        `/data/hostile/${encodeURIComponent(name)}?${new URLSearchParams({ as: 'described', role: name, f: JSON.stringify([name, '<>', name]) })}`,
      ],
      [`the rule ${name}`, `/permissions/${encodeURIComponent(name)}`],
      [
        `a new rule for ${name}`,
        `/new-permission?${new URLSearchParams({ table: `hostile.${name}`, role: name })}`,
      ],
      [
        `an explanation of ${name}`,
        `/explain?${new URLSearchParams({ sql: `select * from "hostile".${quoted(name)}`, as: 'described', role: name })}`,
      ],
    ]),
  ]

  test.each(pages)('%s shows hostile text as text', async (_, path) => {
    const { page, complaints } = visitor
    complaints.length = 0
    await visitor.go(path)
    expect(complaints).toEqual([])
    // CodeMirror sets empty images beside characters that it replaces.
    const foreign = 'img:not(.cm-widgetBuffer), main script, a[href^="javascript:"]'
    expect(await page.locator(foreign).count()).toBe(0)
    const text = await page.evaluate('document.body.innerText')
    expect(text).not.toContain('\u202e')
    expect(text).not.toMatch(/no such (?:table|page|rule)/)
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
    expect(
      await page.evaluate('document.documentElement.scrollWidth - innerWidth'),
    ).toBeLessThanOrEqual(0)
  })

  test('cells of 100 kB are cut, and shown on demand', async () => {
    const { page, complaints } = visitor
    await visitor.go(`/schema/hostile/${encodeURIComponent(markup)}`)
    await page.getByRole('tab', { name: 'Rows' }).click()
    await page.getByRole('button', { name: 'Show rows' }).click()
    const result = page.getByRole('table', { name: 'Result' })
    await result.waitFor()
    expect((await result.innerHTML()).length).toBeLessThan(20_000)
    await result.getByTitle('Show all').first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('112,000 characters').waitFor()
    expect(await dialog.locator('code').textContent()).toBe(markup.repeat(4_000))
    expect(complaints).toEqual([])
  })

  test('a hundred thousand entries of the audit: few of them are in the page', async () => {
    const database = new Database(join(folder, 'service.db'))
    database.exec(`insert into engine_audit (id, at, node, kind, sql_text, row_count)
      with recursive n (i) as (select 0 union all select i + 1 from n where i < 99999)
      select printf('%08x-%04x-7000-8000-%012x', ms / 65536, ms % 65536, i), ms, 'node', 'query',
        'select ' || i, 1 from (select i, 1700000000000 + i as ms from n)`)
    database.close()
    const { page } = visitor
    await visitor.go('/audit?kind=query')
    const table = page.getByRole('table', { name: 'Audit' })
    const inPage = () => table.getByRole('row').count()
    const known = async () => Number(await table.getAttribute('aria-rowcount'))
    for (let before = 0; before < 1_000; ) {
      before = await known()
      await page
        .getByRole('region', { name: 'Audit' })
        .evaluate((element) => element.scrollTo(0, element.scrollHeight))
      await expect.poll(known).toBeGreaterThan(before)
      await settled(page)
      expect(await inPage()).toBeLessThan(60)
    }
  })

  test('five hundred tables and twenty roles: the matrix has the rows in view', async () => {
    const { page } = visitor
    const roles = Array.from({ length: 20 }, (_, index) => `role${index}`)
    const tables = Array.from({ length: 500 }, (_, index) => `main.t${index}`)
    const entries = tables.flatMap((table) =>
      roles.map((role) => ({
        role,
        table,
        operation: 'select',
        grants: [{ permission: 'p' }],
        restrict: [],
        masked: [],
      })),
    )
    const body = JSON.stringify({ isOpen: false, roles, tables, entries })
    await page.route('**/admin/api/permissions/matrix', (route) =>
      route.fulfill({ body, contentType: 'application/json' }),
    )
    await visitor.go('/permissions')
    const matrix = page.getByRole('table', { name: 'Permissions by table and role' })
    expect(await matrix.getByRole('row').count()).toBeLessThan(60)
    await page
      .getByRole('region', { name: 'Matrix' })
      .evaluate((element) => element.scrollTo(0, element.scrollHeight))
    await matrix.getByText('main.t499', { exact: true }).waitFor()
    await page.getByLabel('Search tables').fill('t42')
    await expect.poll(() => matrix.getAttribute('aria-rowcount')).toBe('12')
    await page.unroute('**/admin/api/permissions/matrix')
  })
})
