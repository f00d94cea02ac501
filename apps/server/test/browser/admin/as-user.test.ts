/** @module Acting as a user whose rights are in a row of the user table, in a real browser. */
import { join } from 'node:path'
import { describeBrowser } from '@engine/test-browser'
import Database from 'better-sqlite3'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type AdminPage, openAdminPage } from './admin-page.ts'
import { type AdminWorld, openAdminWorld } from './admin-world.ts'
import { openStoredWorld } from './stored-world.ts'
import { accessibilityFaults, settled, type Visitor } from './visit.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 300_000 })

const password = 'correct horse battery staple'
const count = 'select count(*) from main.orders'

describeBrowser('as a user', () => {
  let admin: AdminPage
  let world: AdminWorld
  let visitor: Visitor
  let ada = { id: '', token: '' }

  const made = async (email: string, more: object = {}): Promise<string> => {
    const answer = await world.api('POST', '/admin/api/users', { email, ...more })
    expect(answer.status).toBe(201)
    return ((await answer.json()) as { readonly user: { readonly id: string } }).user.id
  }
  const data = async (sql: string) => {
    const answer = await fetch(`${world.server.url}/data`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ sql, params: [], method: 'values' }),
    })
    const body = (await answer.json()) as { readonly rows?: readonly (readonly string[])[] }
    return { status: answer.status, body }
  }

  beforeAll(async () => {
    admin = await openAdminPage(openAdminWorld)
    world = admin.world
    // The account that is looked for is older than those that a list begins with.
    const id = await made('ada@needle.example', { name: 'Ada Lovelace', password })
    const shop = new Database(join(world.folder, 'shop.db'))
    shop.prepare('update accounts set customer_id = 7 where id = ?').run(id)
    shop.close()
    for (let i = 0; i < 25; i += 1) await made(`user${i}@haystack.example`)
    const answer = await fetch(`${world.server.url}/auth/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ada@needle.example', password }),
    })
    const { session } = (await answer.json()) as { readonly session: { readonly token: string } }
    ada = { id, token: session.token }
  })
  afterAll(() => admin?.close())
  afterEach(() => visitor?.close())

  const choose = async (typed: string, option: RegExp) => {
    const { page } = visitor
    await page.getByLabel('As whom').click()
    await page.getByRole('option', { name: 'User or API key' }).click()
    await page.getByLabel('Who', { exact: true }).fill(typed)
    await page.getByRole('option', { name: option }).click()
  }

  test('the picker finds one of many, and the answer is that of POST /data', async () => {
    const own = await data(count)
    expect(own.status).toBe(200)
    const orders = own.body.rows?.[0]?.[0] ?? ''
    expect(Number(orders)).toBeGreaterThan(0)

    visitor = await admin.visit()
    const { page, complaints } = visitor
    await visitor.signIn()
    await visitor.go(`/query?${new URLSearchParams({ sql: count })}`)
    await choose('lovelace', /ada@needle\.example/)
    const run = page.getByRole('button', { name: 'Run as ada@needle.example' })
    await run.click()
    await page
      .getByRole('table', { name: 'Result' })
      .getByRole('cell', { name: orders, exact: true })
      .waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    // The address keeps the id; the page finds the address of the account.
    await page
      .getByRole('link', { name: /Explain/ })
      .last()
      .click()
    await page.getByText(`As user ${ada.id}, with customer.`).waitFor()
    await expect
      .poll(() => page.getByLabel('Who', { exact: true }).inputValue())
      .toBe('ada@needle.example')
    await page.getByRole('button', { name: 'Explain for ada@needle.example' }).waitFor()
    // So does the list of sessions.
    await visitor.go('/sessions')
    await page.getByRole('cell', { name: 'ada@needle.example' }).first().waitFor()
    expect(await page.locator('main').getByText(ada.id).count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('"Why?" tells the reason for the caller of the entry', async () => {
    const sql = 'select first_name, salary_cents from main.employees'
    expect((await data(sql)).status).toBe(403)
    visitor = await admin.visit()
    const { page, complaints } = visitor
    await visitor.signIn()
    await page.getByRole('link', { name: 'Why?' }).first().click()
    await page.getByText(`As user ${ada.id}, with customer.`).waitFor()
    await page.getByText('403 PERMISSION_DENIED').waitFor()

    expect((await data(count)).status).toBe(200)
    await visitor.go(`/audit?${new URLSearchParams({ caller: ada.id, kind: 'query' })}`)
    await page.getByText(count).first().click()
    await page.getByRole('dialog').getByText('ada@needle.example').waitFor()
    await page.getByRole('link', { name: 'Explain this statement' }).click()
    await page.getByText(`As user ${ada.id}, with customer.`).waitFor()
    await page.getByText('It would read').waitFor()
    expect(await page.getByText(/lacks \$user/).count()).toBe(0)
    expect(await page.getByText(/claims that are not recorded/).count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('what the engine looked up and what administrators did are apart', async () => {
    expect((await data(count)).status).toBe(200)
    visitor = await admin.visit()
    const { page } = visitor
    await visitor.signIn()
    await visitor.go('/audit')
    const rows = page.locator('main [role="row"]')
    await rows.filter({ hasText: count }).first().waitFor()
    expect(await rows.filter({ hasText: 'limit 2' }).count()).toBe(0)
    await page.getByLabel('Whose').click()
    await page.getByRole('option', { name: 'The engine itself' }).click()
    await rows.filter({ hasText: 'limit 2' }).first().waitFor()
    expect(await rows.filter({ hasText: count }).count()).toBe(0)
    await page.getByLabel('Whose').click()
    await page.getByRole('option', { name: 'Administrators' }).click()
    await rows.filter({ hasText: 'user-created' }).first().waitFor()
    expect(await rows.filter({ hasText: 'limit 2' }).count()).toBe(0)
  })

  test('a caller who is refused says why, and the administrator stays signed in', async () => {
    const id = await made('gone@needle.example')
    await world.api('PATCH', `/admin/api/users/${id}`, { disabled: true })
    visitor = await admin.visit()
    const { page } = visitor
    await visitor.signIn()
    await visitor.go(`/query?${new URLSearchParams({ sql: count })}`)
    await choose('gone@', /gone@needle\.example.*disabled/)
    await page.getByRole('button', { name: 'Run as gone@needle.example' }).click()
    await page.getByText('The account is disabled.').waitFor()
    await settled(page)
    expect(await page.getByLabel('Master key').count()).toBe(0)
  })

  test('the preview of a new rule asks with the roles that are chosen in it', async () => {
    const stored = await openStoredWorld(admin.browser.site)
    try {
      visitor = await admin.browser.visit(stored)
      const { page } = visitor
      await visitor.signIn()
      await visitor.go('/new-permission?table=main.customers')
      // The first one is that of the rule, the second that of the preview.
      await page.getByLabel('Another role').first().fill('clerk')
      await page.getByLabel('Another role').first().press('Enter')
      const preview = page.getByRole('complementary', { name: 'Preview for a caller' })
      await preview.getByRole('button', { name: 'clerk', pressed: true }).waitFor()
      await preview.getByRole('region', { name: 'Preview' }).waitFor()
      await expect.poll(() => preview.getByText(/may not select/).count()).toBe(0)
    } finally {
      await stored.close()
    }
  })
})
