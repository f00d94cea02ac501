/** @module The first run in a real browser: from an engine without databases to a query of a program. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describeBrowser } from '@engine/test-browser'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type AdminBrowser, openAdminBrowser } from './admin-page.ts'
import { type AdminWorld, masterKey } from './admin-world.ts'
import { openEmptyWorld } from './empty-world.ts'
import { tabTo } from './tab-to.ts'
import { accessibilityFaults, settled, type Visitor } from './visit.ts'

/** Opening a database under a new configuration takes long where many tests run at once. */
const patient = { timeout: 120_000 }

vi.setConfig({ testTimeout: 180_000, hookTimeout: 300_000 })

const shops = `
  create schema billing;
  create schema scratch;
  create table orders (id integer primary key);
  create table billing.invoices (id integer primary key, order_id integer references orders (id));
  create table scratch.notes (id integer primary key);`

describeBrowser('the first run', () => {
  let browser: AdminBrowser
  let world: AdminWorld & { readonly shop: string }
  let visitor: Visitor

  beforeAll(async () => {
    browser = await openAdminBrowser()
  })
  afterAll(() => browser?.close())
  beforeEach(async () => {
    world = await openEmptyWorld(browser.site)
  })
  afterEach(async () => {
    await visitor?.close()
    await world.close()
  })

  const connect = async (page: Page) => {
    await page.getByRole('radio', { name: 'SQLite' }).check()
    await page.getByLabel('File', { exact: true }).fill(world.shop)
    await page.getByRole('button', { name: 'Test the connection' }).click()
    await page
      .getByRole('status', { name: 'Test' })
      .getByText('Connected', { exact: true })
      .waitFor()
    await page.getByRole('button', { name: 'Save and continue' }).click()
    await page.getByRole('heading', { name: 'See its tables' }).waitFor(patient)
  }
  const saveRules = async (page: Page) => {
    await page.getByRole('button', { name: 'Review and save…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Rules of customer' })
    await dialog.getByText('permissions.customer-orders').waitFor()
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { name: 'Try it as that role' }).waitFor()
  }

  test.each(['light', 'dark'] as const)(
    'five steps in %s: no errors, accessible, on a phone too; the key that it makes sees what was shown',
    async (colorScheme) => {
      visitor = await browser.visit(world, { colorScheme })
      const { page, complaints, origins } = visitor
      const check = async () => {
        await settled(page)
        expect(await accessibilityFaults(page)).toEqual([])
        for (const width of [390, 1440]) {
          await page.setViewportSize({ width, height: 900 })
          const overflow = 'document.documentElement.scrollWidth - innerWidth'
          expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0)
        }
        expect(complaints).toEqual([])
      }
      await visitor.signIn('Connect your database')
      await check()
      await page.getByRole('radio', { name: 'SQLite' }).check()
      await page.getByLabel('File', { exact: true }).fill('./nowhere/shop.db')
      await page.getByRole('button', { name: 'Test the connection' }).click()
      await page.getByRole('status', { name: 'Test' }).getByText('Not connected').waitFor()
      await check()
      await connect(page)
      await check()

      await page
        .getByRole('row')
        .filter({ hasText: /^orders/ })
        .click()
      const drawer = page.getByRole('dialog', { name: 'orders' })
      await drawer.getByRole('tab', { name: 'Columns' }).waitFor()
      await page.keyboard.press('Escape')
      await drawer.waitFor({ state: 'hidden' })
      await page.getByRole('button', { name: 'Continue' }).click()

      await page.getByRole('heading', { name: 'Give a role its rules' }).waitFor()
      expect(await page.getByLabel('Role', { exact: true }).inputValue()).toBe('customer')
      await page.getByLabel('Access to products').click()
      await page.getByRole('option', { name: 'Read', exact: true }).click()
      await page.getByText('Every row, for everybody with this role.').waitFor()
      await check()
      await saveRules(page)

      const seen = page.getByRole('region', { name: 'What the caller sees' })
      await page.getByLabel('Table', { exact: true }).click()
      await page.getByRole('option', { name: 'orders', exact: true }).click()
      await page.getByRole('button', { name: 'Find values' }).click()
      await page.getByRole('button', { name: '7', exact: true }).click()
      await expect.poll(() => page.url()).toContain('f.customer_id=7')
      await expect.poll(() => seen.textContent()).toMatch(/^[1-9]\d? of 1,200 rows/)
      await check()
      const shown = Number.parseInt((await seen.textContent()) ?? '', 10)
      await page.getByRole('button', { name: 'Continue' }).click()

      await page.getByRole('heading', { name: 'Use it' }).waitFor()
      await page.getByRole('button', { name: 'Create key' }).click()
      const key = (await page.getByRole('region', { name: 'key' }).textContent()) ?? ''
      expect(key).toMatch(/^ek_/)
      await check()
      const line = (await page.getByRole('region', { name: 'curl line' }).textContent()) ?? ''
      // The server is in this process: a call that blocks would wait for itself.
      const { stdout } = await promisify(execFile)('sh', ['-c', line])
      expect((JSON.parse(stdout) as { rows: unknown[] }).rows.length).toBeGreaterThan(0)
      const asked = await fetch(`${world.server.url}/data`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          sql: 'select count(*)::int from orders',
          params: [],
          method: 'all',
        }),
      })
      expect((await asked.json()) as object).toMatchObject({ rows: [[shown]] })
      await page.getByRole('button', { name: 'To the overview' }).click()
      await page.getByRole('heading', { name: 'Overview' }).waitFor()
      expect(await page.getByRole('link', { name: 'Get started' }).count()).toBe(0)
      expect([...origins]).toEqual([world.server.url])
    },
  )

  test('it can be left, and goes on where it was; a step without its ground leads back', async () => {
    visitor = await browser.visit(world)
    const { page } = visitor
    await visitor.signIn('Connect your database')
    await visitor.go('/start/use')
    await page.getByRole('heading', { name: 'Connect your database' }).waitFor()
    await page.getByRole('button', { name: 'Leave for now' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await visitor.go('')
    await page.getByRole('region', { name: 'Get started' }).getByRole('link').click()
    await connect(page)
    await visitor.go('/')
    await page.getByText('no rule grants anything yet').waitFor()
    await visitor.go('/start')
    await page.getByRole('heading', { name: 'See its tables' }).waitFor(patient)
    await visitor.go('/start/rules?connection=main&role=clerk')
    expect(await page.getByLabel('Role', { exact: true }).inputValue()).toBe('clerk')
    await visitor.go('/start/rules')
    await saveRules(page)
    await visitor.go('/start')
    await page.getByRole('heading', { name: 'Try it as that role' }).waitFor()
  })

  test('a database that answers late gets its first rules as soon as it does', async () => {
    visitor = await browser.visit(world)
    const { page, complaints } = visitor
    await visitor.signIn('Connect your database')
    await connect(page)
    const once = { times: 1 }
    const catalog = { connections: {}, unreached: ['main'] }
    await page.route('**/admin/api/catalog', (route) => route.fulfill({ json: catalog }), once)
    const guess = { scopes: [], tables: {} }
    await page.route(
      '**/admin/api/catalog/rules?*',
      (route) => route.fulfill({ json: guess }),
      once,
    )
    await visitor.go('/start/rules')
    await page.getByText('The database has none yet.').waitFor()
    await page.getByLabel('Access to products').waitFor()
    expect(complaints).toEqual([])
  })

  describePostgres('with schemas', () => {
    test('all schemas of PostgreSQL are offered, and the chosen ones are connected', async () => {
      const url = await createDatabase('first_run')
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      await client.query(shops)
      await client.end()
      visitor = await browser.visit(world)
      const { page, complaints } = visitor
      await visitor.signIn('Connect your database')
      await page.getByLabel('URL', { exact: true }).fill(url)
      await page.getByRole('button', { name: 'Test the connection' }).click()
      const choice = page.getByRole('group', { name: 'Schemas' })
      await choice.getByRole('checkbox').nth(2).waitFor()
      const offered = await choice.locator('label').allTextContents()
      expect(offered).toEqual(['public, 1 table', 'billing, 1 table', 'scratch, 1 table'])
      await choice.getByRole('checkbox', { name: 'scratch' }).uncheck()
      await settled(page)
      expect(await accessibilityFaults(page)).toEqual([])
      await page.getByRole('button', { name: 'Save and continue' }).click()
      await page.getByRole('heading', { name: 'See its tables' }).waitFor(patient)
      await page.getByText('2 tables in main').waitFor(patient)
      await page.getByRole('row').filter({ hasText: 'billing.invoices' }).waitFor()
      expect(complaints).toEqual([])
    })
  })

  test('the keyboard alone connects a database and saves rules', async () => {
    visitor = await browser.visit(world)
    const { page, complaints } = visitor
    const { keyboard } = page
    await page.goto(world.url)
    await page.getByLabel('Master key').waitFor()
    await keyboard.type(masterKey)
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Connect your database' }).waitFor()
    await settled(page)
    await keyboard.press('Shift+Tab')
    await keyboard.press('ArrowDown')
    await keyboard.press('ArrowDown')
    await keyboard.press('Tab')
    await keyboard.type(world.shop)
    await keyboard.press('Enter')
    await page
      .getByRole('status', { name: 'Test' })
      .getByText('Connected', { exact: true })
      .waitFor()
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'See its tables' }).waitFor(patient)
    await settled(page)
    await tabTo(page, 'Continue')
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Give a role its rules' }).waitFor()
    await settled(page)
    await tabTo(page, 'Review and save…')
    await keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Rules of customer' })
    await dialog.getByText('permissions.customer-orders').waitFor()
    await tabTo(page, 'Note')
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Try it as that role' }).waitFor()
    const answer = await world.api('GET', '/admin/api/config/permissions/customer-orders')
    expect(await answer.json()).toMatchObject({
      table: 'main.orders',
      roles: ['customer'],
      select: { where: { customer_id: '$user.customer_id' } },
    })
    expect(complaints).toEqual([])
  })
})
