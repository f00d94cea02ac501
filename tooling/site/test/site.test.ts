/** @module The whole site: built, every link followed, and its pages looked at in a browser. */
import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { repositoryRoot } from '@engine/check-packages'
import { describeBrowser, launchBrowser, type PageServer } from '@engine/test-browser'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { siteFolder, siteRoot } from '../src/pages/folders.ts'
import { openSearch, samplePages, serveSite } from './serve-site.ts'

// A build renders a hundred pages.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 600_000 })

const run = promisify(execFile)
let said: string
/** `guide.html` */
let pages: readonly string[]

beforeAll(async () => {
  const words = ['--conditions=@engine/source', 'src/main.ts', 'build']
  const { stdout } = await run(process.execPath, words, { cwd: siteRoot, maxBuffer: 64 << 20 })
  said = stdout
  pages = globSync('**/*.html', { cwd: siteFolder }).map((path) => path.replaceAll('\\', '/'))
})

test('no link leads nowhere, and every page of docs is there', () => {
  expect(said).toContain(' 0 dead links')
  const guides = globSync('*.md', { cwd: join(repositoryRoot, 'docs') })
  const expected = guides.map((name) => name.replace(/\.md$/, '.html'))
  const others = ['decisions/index.html', 'packages/core.html', 'reference/options.html']
  expect(pages).toEqual(expect.arrayContaining([...expected, ...others]))
})

test('every page has a title of its own', () => {
  const titles = pages.map((page) => {
    const html = readFileSync(join(siteFolder, page), 'utf8')
    return /<title>([^<]+) \| [^<]+<\/title>/.exec(html)?.[1] ?? `none: ${page}`
  })
  expect(titles.filter((title) => title.startsWith('none: '))).toEqual([])
  expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([])
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

  const places = Object.entries(samplePages).flatMap(([name, path]) => [
    { name, path, width: 1_440, scheme: 'light' as const },
    { name, path, width: 390, scheme: 'dark' as const },
  ])

  test.each(places)('$name, $scheme', async ({ path, width, scheme }) => {
    const { page, faults } = await visit(path, width, scheme)
    const wide = await page.evaluate('document.documentElement.scrollWidth')
    const background = await page.evaluate('getComputedStyle(document.body).backgroundColor')
    await page.close()
    expect(faults).toEqual([])
    expect(wide).toBeLessThanOrEqual(width)
    expect(background).toBe(scheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(13, 13, 16)')
  })

  test('no page is wider than a phone', async () => {
    // Pages are laid out before their scripts run, and much faster without them.
    const page = await browser.newPage({
      viewport: { width: 390, height: 900 },
      javaScriptEnabled: false,
    })
    const wide: string[] = []
    // Decisions are plain text, alike and many: the first one stands for them.
    for (const path of pages.filter((each) => !/^decisions\/(?!0001)\d/.test(each))) {
      await page.goto(`${server.url}/${path}`)
      const width = await page.evaluate('document.documentElement.scrollWidth')
      if (width !== 390) wide.push(`${path}: ${width}`)
    }
    await page.close()
    expect(wide).toEqual([])
  })

  test.each([
    ['masked cells', 'Masked cells', 'Permission cookbook'],
    ['rate limit', 'Rates', 'Limits'],
    ['42501', 'On the wire protocol', 'Errors'],
    ['date_trunc', 'Dates and times', 'Functions and operators'],
  ])('the search finds %s', async (words, heading, title) => {
    const { page, faults } = await visit('/index.html', 1_440, 'light')
    await openSearch(page, words)
    await page
      .getByRole('option')
      .filter({ hasText: title })
      .filter({ hasText: heading })
      .first()
      .click()
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await page.close()
    expect(faults).toEqual([])
  })
})
