/** @module The administrator's pages where the configuration is stored: editing permissions and connections in a real browser. */
import { describeBrowser } from '@engine/test-browser'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type AdminPage, openAdminPage } from './admin-page.ts'
import { type AdminWorld, masterKey } from './admin-world.ts'
import { openStoredWorld } from './stored-world.ts'
import { tabTo } from './tab-to.ts'
import { accessibilityFaults, settled, type Visitor } from './visit.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 300_000 })

describeBrowser('the pages of an administrator with a stored configuration', () => {
  let admin: AdminPage
  let world: AdminWorld
  let visitor: Visitor

  beforeAll(async () => {
    admin = await openAdminPage(openStoredWorld)
    world = admin.world
  })
  afterAll(() => admin?.close())
  afterEach(() => visitor?.close())

  const permission = async (name: string) => {
    const answer = await world.api('GET', `/admin/api/config/permissions/${name}`)
    return answer.status === 200 ? ((await answer.json()) as Record<string, unknown>) : undefined
  }
  /** A change of the newest revision, as a script makes it. */
  const change = async (path: string, body: unknown) => {
    const { status } = await fetch(`${world.server.url}/admin/api/config${path}`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${masterKey}`,
        'content-type': 'application/json',
        'if-match': '*',
      },
      body: JSON.stringify(body),
    })
    expect(status).toBe(200)
  }
  const main = (page: Page) => page.locator('main')

  test.each(['light', 'dark'] as const)(
    'pages and drawers in %s: no errors, no violations of the policy, accessible',
    async (colorScheme) => {
      visitor = await admin.visit({ colorScheme })
      const { page, complaints, origins } = visitor
      await visitor.signIn()
      for (const path of ['/permissions/support-moves-orders', '/new-permission', '/revisions']) {
        await visitor.go(path)
        await main(page).getByText('Stored', { exact: true }).waitFor()
        expect(await accessibilityFaults(page)).toEqual([])
      }
      await visitor.go('/connections')
      await page.getByRole('row').filter({ hasText: 'shop.db' }).click()
      await page.getByRole('dialog', { name: 'main' }).waitFor()
      expect(await accessibilityFaults(page)).toEqual([])
      expect(complaints).toEqual([])
      expect([...origins]).toEqual([new URL(world.url).origin])
    },
  )

  test('keyboard only, from sign-in to a saved permission', async () => {
    visitor = await admin.visit()
    const { page, complaints } = visitor
    const { keyboard } = page
    await page.goto(world.url)
    await page.getByLabel('Master key').waitFor()
    await keyboard.type(masterKey)
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await settled(page)
    await keyboard.press('g')
    await keyboard.press('p')
    await page.getByRole('heading', { name: 'Permissions', level: 1 }).waitFor()
    await tabTo(page, 'New rule')
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'New rule' }).waitFor()
    await settled(page)
    await tabTo(page, 'Table')
    await keyboard.type('main.customers')
    await page.getByRole('option', { name: 'main.customers' }).waitFor()
    await keyboard.press('ArrowDown')
    await keyboard.press('Enter')
    await tabTo(page, 'Name of the rule')
    await keyboard.type('auditors-norway')
    await tabTo(page, 'Another role')
    await keyboard.type('auditor')
    await keyboard.press('Enter')
    await tabTo(page, 'Condition')
    await keyboard.press('Enter')
    await tabTo(page, 'Column')
    await keyboard.press('Enter')
    await page.getByRole('option', { name: /^country/ }).waitFor()
    await keyboard.type('country')
    await keyboard.press('Enter')
    await tabTo(page, 'Value')
    await keyboard.type('Norway')
    await tabTo(page, 'Save…')
    await keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Save auditors-norway' })
    await dialog.getByText('permissions.auditors-norway').waitFor()
    await tabTo(page, 'Note')
    await keyboard.type('for the audit of May')
    await keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    expect(await permission('auditors-norway')).toEqual({
      table: 'main.customers',
      roles: ['auditor'],
      select: { where: { country: 'Norway' } },
    })
    // The preview of a condition without a value is refused with 422.
    expect(complaints.filter((text) => !text.includes('422'))).toEqual([])
  })

  test('the preview shows what POST /data would answer, before anything is saved', async () => {
    visitor = await admin.visit()
    const { page } = visitor
    await visitor.signIn()
    await visitor.go('/new-permission?table=main.products&role=visitor')
    const preview = page.getByRole('region', { name: 'Preview' })
    await page.getByLabel('Rule', { exact: true }).fill(
      JSON.stringify({
        table: 'main.products',
        roles: ['visitor'],
        select: { columns: ['id', 'name'], where: { discontinued: true } },
      }),
    )
    await preview.getByText('Hidden columns').waitFor()
    const seen = Number(await preview.getByText(/^\d+$/).first().textContent())
    const asked = { sql: 'select id from main.products where discontinued', as: 'admin' }
    const all = (await (await world.api('POST', '/admin/api/query', asked)).json()) as {
      readonly rowCount: number
    }
    expect(seen).toBe(all.rowCount)
    expect(seen).toBeGreaterThan(0)
    await preview
      .getByRole('textbox', { name: 'Statement' })
      .fill('delete from main.products where id = 1')
    await preview.getByRole('button', { name: 'Simulate' }).click()
    await preview.getByText('PERMISSION_DENIED').waitFor()
    await page.getByRole('button', { name: 'Condition', exact: true }).click()
    await expect
      .poll(() => page.getByLabel('Rule', { exact: true }).inputValue())
      .toContain('"id": ""')
    expect(await permission('visitor-products')).toBeUndefined()
  })

  test('two tabs edit one permission: the second sees the difference, and decides', async () => {
    visitor = await admin.visit()
    const { page, context, complaints } = visitor
    await visitor.signIn()
    const path = '/permissions/support-reads-colleagues'
    await visitor.go(path)
    const other = await context.newPage()
    await other.goto(`${world.url}${path}`)
    const saving = (tab: Page) => tab.getByRole('dialog', { name: /^Save support/ })
    const save = async (tab: Page, columns: readonly string[]) => {
      const json = tab.getByLabel('Rule', { exact: true })
      const rule = JSON.parse(await json.inputValue()) as object
      await json.fill(JSON.stringify({ ...rule, select: { columns } }))
      await tab.getByRole('button', { name: 'Save…' }).click()
    }
    await other.getByLabel('Rule', { exact: true }).waitFor()
    await save(page, ['id', 'title'])
    await saving(page).getByLabel('Note').fill('titles only')
    await saving(page).getByRole('button', { name: 'Save', exact: true }).click()
    await saving(page).waitFor({ state: 'hidden' })
    await save(other, ['id', 'first_name'])
    const conflict = other.getByRole('alert', { name: 'Changed meanwhile' })
    await conflict.getByText('titles only').waitFor()
    await conflict.getByText('permissions.support-reads-colleagues.select.columns').waitFor()
    await conflict.getByRole('button', { name: 'Take theirs, drop mine' }).click()
    const json = other.getByLabel('Rule', { exact: true })
    await expect.poll(() => json.inputValue()).toContain('"title"')
    expect(await json.inputValue()).not.toContain('first_name')
    await save(other, ['id', 'last_name'])
    await saving(other).getByRole('button', { name: 'Save', exact: true }).click()
    await saving(other).waitFor({ state: 'hidden' })
    await save(page, ['id'])
    await page.getByRole('button', { name: 'Go on with mine' }).click()
    await saving(page).getByRole('button', { name: 'Save', exact: true }).click()
    await saving(page).waitFor({ state: 'hidden' })
    expect(await permission('support-reads-colleagues')).toMatchObject({
      select: { columns: ['id'] },
    })
    // Answers 409 are expected.
    expect(complaints.filter((text) => !text.includes('409'))).toEqual([])
  })

  test('a change is taken back from the list of revisions', async () => {
    await change('/limits?note=small%20answers', { maxRows: 77 })
    visitor = await admin.visit()
    const { page } = visitor
    await visitor.signIn()
    await visitor.go('/revisions')
    await page.getByRole('row').filter({ hasText: 'small answers' }).click()
    await page.getByRole('button', { name: 'Undo…' }).click()
    const dialog = page.getByRole('dialog', { name: /^Undo revision/ })
    await dialog.getByRole('button', { name: 'Undo', exact: true }).click()
    await dialog.waitFor({ state: 'hidden' })
    const limits = await (await world.api('GET', '/admin/api/config/limits')).json()
    expect(limits ?? {}).not.toHaveProperty('maxRows')
  })

  test('rights for several cells of the matrix at once', async () => {
    visitor = await admin.visit()
    const { page } = visitor
    await visitor.signIn()
    await visitor.go('/permissions')
    const tables = page.getByRole('rowheader')
    await tables.filter({ hasText: 'main.accounts' }).waitFor()
    await page.getByRole('button', { name: 'Only tables with rules' }).click()
    await tables.filter({ hasText: 'main.accounts' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Select cells' }).click()
    await page.getByRole('button', { name: /^customer on main\.employees/ }).click()
    await page.getByRole('button', { name: /^customer on main\.categories/ }).click()
    await page.getByRole('button', { name: 'Apply to 2…' }).click()
    await page.getByRole('button', { name: 'Review…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Grant rights' })
    await dialog.getByRole('button', { name: 'Grant', exact: true }).click()
    await dialog.waitFor({ state: 'hidden' })
    expect(await permission('customer-employees')).toEqual({
      table: 'main.employees',
      roles: ['customer'],
      select: {},
    })
  })

  test('a connection is tested and added; its password is in no answer', async () => {
    visitor = await admin.visit()
    const { page } = visitor
    const answers: string[] = []
    page.on('response', async (response) => {
      answers.push(await response.text().catch(() => ''))
    })
    await visitor.signIn()
    await visitor.go('/connections')
    await page.getByRole('button', { name: 'Add connection' }).click()
    const drawer = page.getByRole('dialog', { name: 'Add a connection' })
    await drawer.getByLabel('Name').fill('reports')
    await drawer
      .getByLabel('URL or path')
      .fill('postgres://engine:tr0ub4dor-secret@127.0.0.1:9/shop')
    await drawer.getByRole('button', { name: 'Test' }).click()
    const result = drawer.getByRole('status', { name: 'Test' })
    await result.getByText('Not connected').waitFor()
    await result.getByText('refused').waitFor()
    await drawer.getByRole('button', { name: 'Save…' }).click()
    await page.getByRole('list', { name: 'Faults' }).or(page.getByRole('alert')).first().waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await settled(page)
    expect(answers.length).toBeGreaterThan(5)
    expect(answers.join('\n')).not.toContain('tr0ub4dor')
    await page.getByLabel('URL or path').fill('./reports.db')
    await page.getByLabel('More options').fill('{ "create": true }')
    await page.getByRole('button', { name: 'Save…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save reports' })
    await dialog.getByText('connections.reports').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  })

  test('a connection is removed with what needs it, after its name is typed', async () => {
    visitor = await admin.visit()
    const { page } = visitor
    await visitor.signIn()
    await visitor.go('/connections')
    await page.getByRole('row').filter({ hasText: 'extra.db' }).click()
    await page.getByRole('button', { name: 'Remove…' }).click()
    const confirm = page.getByRole('dialog', { name: 'Remove extra' })
    const remove = confirm.getByRole('button', { name: /^Remove/ })
    await confirm.getByText('Rules on it').waitFor()
    expect(await remove.isDisabled()).toBe(true)
    await confirm.getByLabel('Type extra to confirm').fill('extra')
    await remove.click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await confirm.waitFor({ state: 'hidden' })
    const { status } = await world.api('GET', '/admin/api/config/connections/extra')
    expect(status).toBe(404)
  })
})
