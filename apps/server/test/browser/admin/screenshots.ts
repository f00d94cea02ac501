/** @module Writes the pictures of docs/screenshots: `pnpm --filter @engine/admin screenshots`. */
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { launchBrowser } from '@engine/test-browser'
import { buildSite, fillWorld, openAdminWorld } from './admin-world.ts'
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
await browser.close()
await world.close()
site.remove()
