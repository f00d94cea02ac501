/**
 * @module How fluent large pages are, as JSON lines: `pnpm --filter @engine/admin measure`. No test asserts on time: they
 *   assert on the number of elements in the page.
 */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { openAdminPage } from './admin-page.ts'
import { openAdminWorld } from './admin-world.ts'
import { fillAudit, showLargeMatrix } from './many-rows.ts'
import { settled } from './visit.ts'

const admin = await openAdminPage(openAdminWorld)
const visitor = await admin.visit()
const { page } = visitor
await visitor.signIn()

fillAudit(join(admin.world.folder, 'service.db'))
await visitor.go('/audit?kind=query')
const audit = page.getByRole('table', { name: 'Audit' })
while (Number(await audit.getAttribute('aria-rowcount')) < 1_500) {
  await page
    .getByRole('region', { name: 'Audit' })
    .evaluate((element) => element.scrollTo(0, element.scrollHeight))
  await settled(page)
}
report('audit of 100 000 entries: scrolling', await scrolling(page, 'Audit'))

await showLargeMatrix(page)
for (let run = 1; run <= 5; run += 1) {
  await visitor.go('')
  report(`matrix of 500 x 20: shown, run ${run}`, { milliseconds: await opening(page) })
}
report('matrix of 500 x 20: scrolling', await scrolling(page, 'Matrix'))
const search = await page.evaluate(`new Promise((resolve) => {
  const input = document.querySelector('main input[type=search]')
  const start = performance.now()
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, 't42')
  input.dispatchEvent(new Event('input', { bubbles: true }))
  requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)))
})`)
report('matrix of 500 x 20: search', { milliseconds: Math.round(search as number) })

await admin.close()

function report(what: string, figures: object): void {
  process.stdout.write(`${JSON.stringify({ what, ...figures })}\n`)
}

/** From the press of the link, with data that is in memory, until the first frame that has rows. */
async function opening(shown: Page): Promise<number> {
  // Its code and data are there: what is measured is making the page.
  await shown.getByRole('link', { name: 'Permissions' }).click()
  await shown.getByRole('table', { name: 'Permissions by table and role' }).waitFor()
  await shown.getByRole('link', { name: 'Overview' }).click()
  await settled(shown)
  const milliseconds = await shown.evaluate(`new Promise((resolve) => {
    const start = performance.now()
    document.querySelector('nav a[href$="/permissions"]').click()
    const look = () => {
      if (document.querySelector('main [role=rowheader]') === null) requestAnimationFrame(look)
      else setTimeout(() => resolve(performance.now() - start))
    }
    requestAnimationFrame(look)
  })`)
  return Math.round(milliseconds as number)
}

/** Frames while a region scrolls by three rows a frame, for three seconds. */
async function scrolling(shown: Page, name: string): Promise<object> {
  const region = shown.getByRole('region', { name, exact: true })
  await region.evaluate((element) => element.scrollTo(0, 0))
  return (await shown.evaluate(`new Promise((resolve) => {
    const element = document.querySelector('main [role=region][aria-label=${name}]')
    const gaps = []
    let most = 0
    let last = performance.now()
    const begin = last
    const step = (now) => {
      gaps.push(now - last)
      last = now
      most = Math.max(most, element.querySelectorAll('*').length)
      element.scrollBy(0, 108)
      if (now - begin < 3000) requestAnimationFrame(step)
      else {
        const sorted = gaps.slice(2).toSorted((a, b) => a - b)
        const at = (part) => Math.round(sorted[Math.floor(sorted.length * part)] * 10) / 10
        resolve({ frames: sorted.length, perSecond: Math.round(sorted.length / 3), medianMs: at(0.5), p95Ms: at(0.95), longestMs: at(0.999), elements: most })
      }
    }
    requestAnimationFrame(step)
  })`)) as object
}
