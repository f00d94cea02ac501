/** @module The design gallery in a real browser: tokens and components, accessible in both themes, and in no published file. */
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { describeBrowser, launchBrowser } from '@engine/test-browser'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { builtSite, runVite } from './built-site.ts'
import { accessibilityFaults } from './visit.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 300_000 })

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
}

describeBrowser('the design gallery', () => {
  let directory: string
  let server: Server
  let url: string
  let browser: Browser

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'engine-gallery-'))
    await runVite(['--mode', 'gallery', '--outDir', directory])
    server = createServer(({ url: path = '/' }, response) => {
      try {
        const bytes = readFileSync(join(directory, new URL(path, 'http://gallery').pathname))
        response.writeHead(200, { 'content-type': types[extname(path)] ?? 'text/plain' }).end(bytes)
      } catch {
        response.writeHead(404).end()
      }
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/gallery/index.html`
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    server?.close()
    rmSync(directory, { recursive: true })
  })

  const open = async (colorScheme: 'light' | 'dark', width: number) => {
    const context = await browser.newContext({
      colorScheme,
      viewport: { width, height: 900 },
      reducedMotion: width < 1_000 ? 'reduce' : 'no-preference',
    })
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    await page.goto(url)
    await page.getByRole('heading', { name: 'Design', level: 1 }).waitFor()
    await page.locator('[data-editor]').waitFor()
    return { page, complaints, close: () => context.close() }
  }

  test.each([
    ['light', 1_440],
    ['dark', 1_440],
    ['light', 390],
    ['dark', 390],
  ] as const)('in %s, %i wide: accessible, nothing too wide', async (colorScheme, width) => {
    const { page, complaints, close } = await open(colorScheme, width)
    expect(await accessibilityFaults(page)).toEqual([])
    expect(await page.locator('[data-weak]').count()).toBe(0)
    expect(
      await page.evaluate('document.documentElement.scrollWidth - innerWidth'),
    ).toBeLessThanOrEqual(0)
    expect(complaints).toEqual([])
    await close()
  })

  test('what opens is accessible, and closes with the keyboard', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, complaints, close } = await open(colorScheme, 1_440)
      for (const [name, role] of overlays) {
        await page.getByRole('button', { name, exact: true }).click()
        await page.getByRole(role).waitFor()
        await stillness(page)
        expect({ name, faults: await accessibilityFaults(page) }).toEqual({ name, faults: [] })
        await page.keyboard.press('Escape')
        await page.getByRole(role).waitFor({ state: 'hidden' })
      }
      await page.getByLabel('Role', { exact: true }).click()
      await page.getByRole('option', { name: 'support' }).waitFor()
      await stillness(page)
      expect(await accessibilityFaults(page)).toEqual([])
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Failed toast' }).click()
      await page.getByText('The audit cannot be written.').waitFor()
      await stillness(page)
      expect(await accessibilityFaults(page)).toEqual([])
      expect(complaints).toEqual([])
      await close()
    }
  })

  test('nothing moves for somebody who prefers that', async () => {
    const { page, close } = await open('light', 390)
    const durations =
      await page.evaluate(`[...document.querySelectorAll('*')].flatMap((element) => {
      const { transitionDuration, animationDuration } = getComputedStyle(element)
      return [transitionDuration, animationDuration].join(', ').split(', ').filter((each) => !['0s', '0ms', 'auto'].includes(each))
    })`)
    expect(durations).toEqual([])
    await close()
  })

  test('the published files have nothing of it', async () => {
    const { directory: published } = await builtSite()
    const files = readdirSync(published, { recursive: true, withFileTypes: true })
    const texts = files
      .filter((file) => file.isFile() && /\.(?:js|css|html)$/.test(file.name))
      .map((file) => readFileSync(join(file.parentPath, file.name), 'utf8'))
    expect(texts.length).toBeGreaterThan(10)
    expect(texts.filter((text) => text.includes('every component in every state'))).toEqual([])
    expect(files.filter(({ name }) => name.includes('gallery'))).toEqual([])
  })
})

const overlays = [
  ['Dialog', 'dialog'],
  ['Drawer', 'dialog'],
  ['Confirm', 'dialog'],
  ['Menu', 'menu'],
] as const

/** Animations of what has just opened have ended. */
async function stillness(page: Page): Promise<void> {
  await page.evaluate(
    'Promise.all(document.getAnimations().filter(({ effect }) => effect.getTiming().iterations === 1).map(({ finished }) => finished.catch(() => undefined)))',
  )
}
