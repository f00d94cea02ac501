/** @module The administrator's pages with names and values of attackers, and with very many rows. */
import { join } from 'node:path'
import type { AdminSite } from '@engine/admin'
import { describeBrowser } from '@engine/test-browser'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type AdminPage, openAdminPage } from './admin-page.ts'
import { type AdminWorld, openAdminWorld } from './admin-world.ts'
import {
  createHostileDatabase,
  expectHarmless,
  longCell,
  markup,
  names,
  quoted,
} from './hostile-names.ts'
import { fillAudit, showLargeMatrix } from './many-rows.ts'
import { settled, type Visitor } from './visit.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 300_000 })

describeBrowser('the pages of an administrator', () => {
  let admin: AdminPage
  let world: AdminWorld
  let visitor: Visitor

  beforeAll(async () => {
    admin = await openAdminPage(openHostileWorld)
    world = admin.world
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
    visitor = await admin.visit()
    await visitor.signIn()
  })
  afterAll(() => admin?.close())

  const pages: readonly (readonly [name: string, path: string])[] = [
    ['overview', ''],
    ['the first run', '/start'],
    ['schema', '/schema'],
    ['browse', '/data'],
    ['query', '/query'],
    ['explain', '/explain'],
    ['a new rule', '/new-permission'],
    ['metrics', '/metrics'],
    ['outbox', '/outbox'],
    [
      'an address of attackers',
      `/query?${new URLSearchParams({ sql: names.join(' '), params: markup, as: 'described', role: markup, fields: markup })}`,
    ],
    [
      'filters of attackers',
      `/audit?${new URLSearchParams({ kind: 'query', text: markup, caller: markup })}`,
    ],
    [
      'a search of attackers',
      `/permissions?${new URLSearchParams({ search: markup, role: markup })}`,
    ],
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
    visitor.complaints.length = 0
    await visitor.go(path)
    await expectHarmless(visitor)
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
    expect(await dialog.locator('code').textContent()).toBe(longCell)
    expect(complaints).toEqual([])
  })

  test('cells of 100 kB are cut in answers of statements, and when rows are browsed', async () => {
    const { page, complaints } = visitor
    complaints.length = 0
    const sql = `select * from "hostile".${quoted(markup)}`
    await visitor.go(`/query?${new URLSearchParams({ sql })}`)
    await page.getByLabel('As whom').click()
    await page.getByRole('option', { name: 'Unrestricted' }).click()
    await page.getByRole('button', { name: 'Run as unrestricted' }).click()
    const result = page.getByRole('table', { name: 'Result' })
    await result.getByTitle('Show all').first().waitFor()
    await settled(page)
    expect((await page.locator('main').innerHTML()).length).toBeLessThan(60_000)
    await expectHarmless(visitor)

    await visitor.go(`/data/hostile/${encodeURIComponent(markup)}`)
    await page.getByRole('button', { name: 'Choose a caller' }).last().click()
    await page.getByLabel('As whom').click()
    await page.getByRole('option', { name: 'Unrestricted' }).click()
    await page.getByRole('button', { name: 'Browse as unrestricted' }).click()
    const rows = page.getByRole('table', { name: 'Rows' })
    await rows.getByRole('cell').first().waitFor()
    await settled(page)
    expect((await page.locator('main').innerHTML()).length).toBeLessThan(60_000)
    await expectHarmless(visitor)
  })

  test('a hundred thousand entries of the audit: few of them are in the page', async () => {
    fillAudit(join(world.folder, 'service.db'))
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
    await showLargeMatrix(page)
    await visitor.go('/permissions')
    const matrix = page.getByRole('table', { name: 'Permissions by table and role' })
    expect(await matrix.getByRole('row').count()).toBeLessThan(60)
    expect(await page.locator('main *').count()).toBeLessThan(10_000)
    const roles = await matrix
      .getByRole('columnheader')
      .evaluateAll((names) => names.map((name) => name.getBoundingClientRect().right))
    expect(roles.filter((end) => end < 1_440).length).toBeGreaterThan(12)
    await page
      .getByRole('region', { name: 'Matrix' })
      .evaluate((element) => element.scrollTo(0, element.scrollHeight))
    await matrix.getByText('main.t499', { exact: true }).waitFor()
    await page.getByLabel('Search tables').fill('t42')
    await expect.poll(() => matrix.getAttribute('aria-rowcount')).toBe('12')
    await page.unroute('**/admin/api/permissions/matrix')
  })
})

/** The demo shop, and a database with hostile names and a rule for each of its tables. */
function openHostileWorld(site: AdminSite): Promise<AdminWorld> {
  return openAdminWorld(site, (folder) => {
    createHostileDatabase(join(folder, 'hostile.db'))
    return {
      connections: { main: join(folder, 'shop.db'), hostile: join(folder, 'hostile.db') },
      permissions: names.map((name) => ({
        name,
        table: `hostile.${name}`,
        roles: [name],
        select: { where: { [markup]: name } },
      })),
    }
  })
}
