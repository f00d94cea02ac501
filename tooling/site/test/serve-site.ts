/** @module The built site on loopback. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type PageServer, startPageServer } from '@engine/test-browser'
import type { Page } from 'playwright-core'
import { siteFolder } from '../src/pages/folders.ts'

/** Serves what was built last. */
export async function serveSite(): Promise<PageServer> {
  const server = await startPageServer()
  const paths = globSync('**/*.*', { cwd: siteFolder }).map((path) => path.replaceAll('\\', '/'))
  server.show(new Map(paths.map((path) => [`/${path}`, readFileSync(join(siteFolder, path))])))
  return server
}

/** One page of each kind. */
export const samplePages = {
  home: '/index.html',
  guide: '/permission-cookbook.html',
  tables: '/configuration.html',
  databases: '/databases.html',
  functions: '/reference/functions.html',
  reference: '/reference/constructs.html',
  program: '/reference/api/client.html',
} as const

/** Writes words into the search, and waits for results. */
export async function openSearch(page: Page, words: string): Promise<void> {
  // On narrow windows the button has only its sign.
  await page.locator('#local-search button').first().click()
  await page.getByRole('searchbox').fill(words)
  await page.getByRole('option').first().waitFor()
}
