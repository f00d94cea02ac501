/** @module The whole site: built, every link followed, and a few pages looked at in a browser. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describeBrowser, launchBrowser, type PageServer } from '@engine/test-browser'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { siteFolder, siteRoot } from '../src/pages/folders.ts'
import { samplePages, serveSite } from './serve-site.ts'

// A build renders a hundred pages.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 300_000 })

const run = promisify(execFile)
let said: string

beforeAll(async () => {
  const words = ['--conditions=@engine/source', 'src/main.ts', 'build']
  const { stdout } = await run(process.execPath, words, { cwd: siteRoot, maxBuffer: 64 << 20 })
  said = stdout
})

test('no link leads nowhere, and every page of docs is there', () => {
  expect(said).toContain(' 0 dead links')
  for (const page of ['getting-started', 'decisions/index', 'packages/core', 'reference/options']) {
    expect(existsSync(join(siteFolder, `${page}.html`)), page).toBe(true)
  }
})

describeBrowser('in a browser', () => {
  let server: PageServer
  let browser: Browser
  beforeAll(async () => {
    server = await serveSite()
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })

  /** Opens a page; everything that goes wrong on it, and every request to another origin, is in the list. */
  async function visit(
    path: string,
    width: number,
    colorScheme: 'light' | 'dark',
  ): Promise<{ readonly page: Page; readonly faults: readonly string[] }> {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme })
    const faults: string[] = []
    page.on('pageerror', ({ message }) => faults.push(message))
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text())
    })
    page.on('request', (request) => {
      const url = new URL(request.url())
      if (url.protocol.startsWith('http') && url.origin !== server.url) faults.push(url.href)
    })
    await page.goto(`${server.url}${path}`)
    await page.locator('#app h1').first().waitFor()
    return { page, faults }
  }

  const places = Object.entries(samplePages).flatMap(([name, path]) =>
    [1_440, 390].flatMap((width) =>
      (['light', 'dark'] as const).map((scheme) => ({ name, path, width, scheme })),
    ),
  )

  test.each(places)('$name, $width wide, $scheme', async ({ path, width, scheme }) => {
    const { page, faults } = await visit(path, width, scheme)
    const wide = await page.evaluate('document.documentElement.scrollWidth')
    const background = await page.evaluate('getComputedStyle(document.body).backgroundColor')
    await page.close()
    expect(faults).toEqual([])
    expect(wide).toBeLessThanOrEqual(width)
    expect(background).toBe(scheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(13, 13, 16)')
  })

  test('the search finds a page by its words', async () => {
    const { page, faults } = await visit('/index.html', 1_440, 'light')
    await page.keyboard.press('Control+k')
    await page.getByRole('searchbox').fill('masked cells')
    await page
      .getByRole('option', { name: /Masked cells/ })
      .first()
      .click()
    await page.getByRole('heading', { level: 1, name: 'Permission cookbook' }).waitFor()
    await page.close()
    expect(faults).toEqual([])
  })
})
