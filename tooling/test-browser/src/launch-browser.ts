import { type Browser, chromium } from 'playwright-core'
import { findChromium } from './find-chromium.ts'

/**
 * Starts the machine's Chromium without a window. Nothing is downloaded.
 *
 * @throws {Error} when there is none: call it inside `describeBrowser`.
 */
export async function launchBrowser(): Promise<Browser> {
  const source = findChromium()
  if (source.kind === 'missing') throw new Error(source.reason)
  return chromium.launch({
    executablePath: source.path,
    // Root and many containers cannot use the sandbox; the pages are ours.
    chromiumSandbox: false,
    // Containers have little shared memory, and no graphics.
    args: ['--disable-dev-shm-usage', '--disable-gpu'],
  })
}
