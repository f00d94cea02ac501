/**
 * @module Writes the pictures that README.md and docs/admin.md show into docs/screenshots:
 *   `pnpm --filter @engine/admin screenshots [name …]`. A page names a picture `<screen>-<light or dark>-<width>.webp`.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { openAdminBrowser } from './admin-page.ts'
import { fillWorld, openAdminWorld } from './admin-world.ts'
import { openEmptyWorld } from './empty-world.ts'
import { firstRunShots, type Shot, storedShots } from './screens-to-show.ts'
import { openStoredWorld } from './stored-world.ts'
import { routes, settled, showMetrics } from './visit.ts'

const root = fileURLToPath(new URL('../../../../..', import.meta.url))
const folder = join(root, 'docs/screenshots')
mkdirSync(folder, { recursive: true })

/** File names of the pictures that pages show. */
const shown = new Set(
  ['README.md', 'docs/admin.md'].flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/screenshots\/([\w-]+\.webp)/g)].map(
      ([, picture = '']) => picture,
    ),
  ),
)

const only = new Set(process.argv.slice(2))
const schemes = ['light', 'dark'] as const
const widths = [1_440, 1_024, 390] as const

const sql = `select o.id, c.company_name, o.status, o.total_cents, o.notes
from main.orders o join main.customers c on c.id = o.customer_id
order by o.total_cents desc limit 20`
const query = `/query?${new URLSearchParams({ sql, as: 'described', role: 'manager' })}`

/** Shown with a stored configuration, where they can be used; a page that is not there has nothing to show. */
const elsewhere = new Set([
  'nowhere',
  'start',
  'connections',
  'revisions',
  'permission',
  'new-permission',
  'settings',
  'settings-actions',
  'settings-roles',
])

const ofRoutes = Object.entries(routes).flatMap(([name, path]): readonly Shot[] => {
  if (elsewhere.has(name)) return []
  if (name !== 'query') return [{ name, path }]
  const prepare = async (page: Page) => {
    await page.getByRole('button', { name: /^Run as/ }).click()
    await page.getByRole('table', { name: 'Result' }).waitFor()
  }
  return [{ name, path: query, prepare }]
})

const browser = await openAdminBrowser()

const world = await openAdminWorld(browser.site)
await fillWorld(world)
for (const scheme of schemes) {
  const visitor = await browser.visit(world, { colorScheme: scheme })
  await visitor.page.goto(world.url)
  await visitor.page.getByLabel('Master key').waitFor()
  await take(visitor.page, 'sign-in', scheme)
  await showMetrics(visitor.page)
  await visitor.signIn()
  for (const shot of ofRoutes) await show(visitor, shot, scheme)
  await visitor.close()
}
await world.close()

const changeable = await openStoredWorld(browser.site)
for (const scheme of schemes) {
  const visitor = await browser.visit(changeable, { colorScheme: scheme })
  await visitor.signIn()
  for (const shot of storedShots) await show(visitor, shot, scheme)
  await visitor.close()
}
await changeable.close()

for (const scheme of schemes) {
  const empty = await openEmptyWorld(browser.site)
  const visitor = await browser.visit(empty, { colorScheme: scheme })
  visitor.page.setDefaultTimeout(180_000)
  await visitor.signIn('Connect your database')
  for (const shot of firstRunShots(empty.shop)) await show(visitor, shot, scheme)
  await visitor.close()
  await empty.close()
}
await browser.close()

async function show(
  { page, go }: { readonly page: Page; readonly go: (path: string) => Promise<void> },
  { name, path, prepare }: Shot,
  scheme: string,
): Promise<void> {
  const isWanted = widthsOf(name, scheme).length > 0
  if (!isWanted && path !== undefined) return
  if (path !== undefined) await go(path)
  await prepare?.(page)
  await settled(page)
  await take(page, name, scheme)
}

/** The widths in which a page shows a screen, or none where the arguments name other screens. */
function widthsOf(name: string, scheme: string): readonly number[] {
  if (only.size > 0 && !only.has(name)) return []
  return widths.filter((width) => shown.has(pictureOf(name, scheme, width)))
}

function pictureOf(name: string, scheme: string, width: number): string {
  return `${name}-${scheme}-${width}.webp`
}

/** WebP, which is a third of PNG. */
async function take(page: Page, name: string, scheme: string): Promise<void> {
  const wanted = widthsOf(name, scheme)
  if (wanted.length === 0) return
  const browserSession = await page.context().newCDPSession(page)
  for (const width of wanted) {
    await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
    await settled(page)
    await page.waitForTimeout(250)
    const { data } = await browserSession.send('Page.captureScreenshot', {
      format: 'webp',
      quality: 60,
    })
    writeFileSync(join(folder, pictureOf(name, scheme, width)), Buffer.from(data, 'base64'))
  }
  await browserSession.detach()
  await page.setViewportSize({ width: 1_440, height: 900 })
}
