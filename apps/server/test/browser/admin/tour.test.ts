/** @module The tour of the demo, in a real browser. */
import { describeBrowser } from '@engine/test-browser'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type AdminPage, openAdminPage } from './admin-page.ts'
import { masterKey } from './admin-world.ts'
import { type DemoWorld, openDemoWorld } from './demo-world.ts'
import { tabTo } from './tab-to.ts'
import { accessibilityFaults, settled, type Visitor } from './visit.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 300_000 })

const rule = '/permissions/everyone-reads-the-catalogue'

describeBrowser('the tour of the demo', () => {
  let admin: AdminPage<DemoWorld>
  let visitor: Visitor

  beforeAll(async () => {
    admin = await openAdminPage(openDemoWorld)
  })
  afterAll(() => admin?.close())
  afterEach(() => visitor?.close())

  const begin = async (options: Parameters<AdminPage['visit']>[0] = {}) => {
    visitor = await admin.visit(options)
    const { page } = visitor
    await page.goto(admin.world.link())
    const tour = page.getByRole('region', { name: 'Tour' })
    const card = (name: string) => tour.getByRole('heading', { name }).waitFor()
    const press = (name: string) => tour.getByRole('button', { name, exact: true }).click()
    await card('A customer asks for cost')
    await settled(page)
    return { page, tour, card, press, run: () => press('Run as nordwind@example.com') }
  }

  /** Changes the rule by the API, as a script would. */
  const grant = (columns: readonly string[]) =>
    fetch(`${admin.world.server.url}/admin/api/config/permissions`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${masterKey}`,
        'content-type': 'application/json',
        'if-match': '*',
      },
      body: JSON.stringify({
        'everyone-reads-the-catalogue': {
          table: 'main.products',
          roles: ['customer'],
          select: { columns },
        },
      }),
    })

  test('a refusal, the rule that is changed, the answer, and the demo as it was', async () => {
    const { page, tour, card, press, run } = await begin()
    expect(page.url()).toBe(admin.world.url)
    await run()
    await tour.getByText('Refused with 403').waitFor()
    await tour.getByText(/"cost".*not readable/).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])

    await press('Next')
    await card('Allow it')
    await tour.getByText('Customers cannot read cost yet').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await tour.getByRole('link', { name: 'Open the rule' }).click()
    await page.getByRole('checkbox', { name: /^cost/ }).check()
    await page.getByRole('button', { name: 'Save…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await tour.getByText('Customers can read cost now').waitFor()

    await press('Next')
    await card('The same request again')
    await run()
    await tour.getByText('Answered with 200, 3 rows').waitFor()
    await tour.getByRole('columnheader', { name: 'cost' }).waitFor()
    await settled(page)
    expect(await accessibilityFaults(page)).toEqual([])

    await press('Reset the demo')
    await page.getByText('The demo is reset').waitFor()
    await card('A customer asks for cost')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await run()
    await tour.getByText('Refused with 403').waitFor()
    // The browser itself notes the two refusals.
    expect(visitor.complaints.filter((text) => !text.includes('403'))).toEqual([])
  })

  test('it goes along to other pages and through a reload, sees a change by others, and stays closed', async () => {
    const { page, tour, card, press } = await begin()
    await press('Next')
    await visitor.go(rule)
    await card('Allow it')
    await tour.getByText('Customers cannot read cost yet').waitFor()
    expect((await grant(['name', 'unit_price', 'cost'])).status).toBe(200)
    await tour.getByText('Customers can read cost now').waitFor()

    await tabTo(page, 'Close the tour')
    await page.keyboard.press('Enter')
    await tour.waitFor({ state: 'detached' })
    await visitor.go('')
    const demo = page.getByRole('region', { name: 'Demo' })
    await demo.getByRole('button', { name: 'Reset the demo' }).click()
    await page.getByText('The demo is reset').waitFor()
    expect(await tour.count()).toBe(0)
    await demo.getByRole('button', { name: 'Show the tour' }).click()
    await card('A customer asks for cost')
    await tour.locator('h2:focus').waitFor()
    expect(visitor.complaints).toEqual([])
  })

  test('on a phone it covers a part of the page, moves nothing below, and folds', async () => {
    const { page, tour, press } = await begin({ width: 390, colorScheme: 'dark' })
    const placeOfPage = () => page.getByRole('heading', { name: 'Overview' }).boundingBox()
    const before = await placeOfPage()
    const box = await tour.boundingBox()
    expect(box?.x).toBeGreaterThanOrEqual(0)
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390)
    expect(box?.height).toBeLessThan(900 * 0.56)
    expect(await accessibilityFaults(page)).toEqual([])
    await press('Fold the tour')
    expect((await tour.boundingBox())?.height).toBeLessThan(64)
    await press('Unfold the tour')
    await page.keyboard.press('Escape')
    await tour.waitFor({ state: 'detached' })
    expect(await placeOfPage()).toEqual(before)
    expect(visitor.complaints).toEqual([])
  })
})
