import type { Page } from 'playwright-core'

/** Presses Tab until the focus is on the element of that name. */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 120; presses += 1) {
    const focused = (await page.evaluate(`(() => {
      const { activeElement: element } = document
      return element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent
    })()`)) as string | null
    if (focused?.trim() === name) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${name}`)
}
