/** @module A real browser for tests. Start at `describeBrowser`. */
export { describeBrowser } from './describe-browser.ts'
export { type ChromiumSource, findChromium } from './find-chromium.ts'
export { launchBrowser } from './launch-browser.ts'
export { type PageServer, startPageServer } from './page-server.ts'
