/** @module Writes the pictures of docs/screenshots: `pnpm --filter @engine/admin screenshots`. */
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { launchBrowser } from '@engine/test-browser'
import { buildSite, fillWorld, openAdminWorld } from './admin-world.ts'
import { openStoredWorld } from './stored-world.ts'
import { routes, settled, showMetrics, visit } from './visit.ts'

const folder = fileURLToPath(new URL('../../../../../docs/screenshots', import.meta.url))
mkdirSync(folder, { recursive: true })

const sql = `select o.id, c.company_name, o.status, o.total_cents, o.notes
from main.orders o join main.customers c on c.id = o.customer_id
order by o.total_cents desc limit 20`
const asManager = new URLSearchParams({ sql, as: 'described', role: 'manager' })
const shown: Readonly<Record<string, string>> = { ...routes, query: `/query?${asManager}` }
const wide = [
  'overview',
  'table',
  'rows',
  'query',
  'permissions',
  'explain',
  'users',
  'api-keys',
  'action',
  'metrics',
  'audit',
]
const narrow = ['overview', 'permissions', 'rows', 'metrics', 'audit']

const site = await buildSite()
const world = await openAdminWorld(site.site)
await fillWorld(world)
const browser = await launchBrowser()
for (const [colorScheme, width, pages] of [
  ['light', 1_440, wide],
  ['dark', 1_440, wide],
  ['light', 390, narrow],
] as const) {
  const visitor = await visit(browser, world, { colorScheme, width })
  const { page } = visitor
  await showMetrics(page)
  await visitor.signIn()
  for (const name of pages) {
    await visitor.go(shown[name] ?? '')
    if (name === 'query') {
      await page.getByRole('button', { name: /^Run as/ }).click()
      await page.getByRole('table', { name: 'Result' }).waitFor()
      await settled(page)
    }
    const suffix = width === 390 ? 'phone' : colorScheme
    await page.screenshot({ path: `${folder}/${name}-${suffix}.png` })
  }
  await visitor.close()
}
await world.close()

const stored = await openStoredWorld(site.site)
for (const colorScheme of ['light', 'dark'] as const) {
  const visitor = await visit(browser, stored, { colorScheme })
  const { page } = visitor
  await visitor.signIn()
  await visitor.go('/permissions/support-moves-orders')
  await page.getByRole('tab', { name: 'Update' }).click()
  await page.getByRole('region', { name: 'Preview' }).waitFor()
  await settled(page)
  await page.screenshot({ path: `${folder}/permission-editor-${colorScheme}.png` })
  await visitor.go('/connections')
  await page.getByRole('row').filter({ hasText: 'shop.db' }).click()
  await page.getByRole('button', { name: 'Test' }).click()
  await page.getByRole('status', { name: 'Test' }).waitFor()
  await page.screenshot({ path: `${folder}/connections-${colorScheme}.png` })
  await visitor.go('/settings')
  await page.screenshot({ path: `${folder}/settings-${colorScheme}.png` })
  await visitor.go('/settings/actions')
  await page.screenshot({ path: `${folder}/settings-actions-${colorScheme}.png` })
  await visitor.close()
}
await browser.close()
await stored.close()
site.remove()
