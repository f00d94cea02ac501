/** @module `pnpm --filter @engine/site screenshots`: pictures of some pages of the site that was built last. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { launchBrowser } from '@engine/test-browser'
import type { Page } from 'playwright-core'
import { siteFolder } from '../src/pages/folders.ts'
import { openSearch, samplePages, serveSite } from './serve-site.ts'

const folder = join(siteFolder, '..', 'screenshots')
mkdirSync(folder, { recursive: true })
const server = await serveSite()
const browser = await launchBrowser()
for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1_440, 390]) {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme })
    for (const [name, path] of Object.entries(samplePages)) {
      await page.goto(`${server.url}${path}`)
      await page.locator('#app h1').first().waitFor()
      await picture(page, name)
    }
    await openSearch(page, 'rate limit')
    await picture(page, 'search')
    await page.close()

    async function picture(of: Page, name: string): Promise<void> {
      await of.evaluate('document.fonts.ready.then(() => undefined)')
      await of.screenshot({ path: join(folder, `${name}-${colorScheme}-${width}.png`) })
    }
  }
}
await browser.close()
await server.close()
console.log(folder)
