/** @module Forms of settings, many rules at once, export and import, where the configuration is stored. */
import { readFile } from 'node:fs/promises'
import { describeBrowser } from '@engine/test-browser'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type AdminPage, openAdminPage } from './admin-page.ts'
import type { AdminWorld } from './admin-world.ts'
import { openStoredWorld } from './stored-world.ts'
import { accessibilityFaults, type Visitor } from './visit.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 300_000 })

describeBrowser('settings of a stored configuration', () => {
  let admin: AdminPage
  let world: AdminWorld
  let visitor: Visitor

  beforeAll(async () => {
    admin = await openAdminPage(openStoredWorld)
    world = admin.world
  })
  afterAll(() => admin?.close())
  afterEach(() => visitor?.close())

  const stored = async (part: string) =>
    (await (await world.api('GET', `/admin/api/config/${part}`)).json()) as unknown
  const saving = (page: Page) => page.getByRole('dialog', { name: 'Save settings' })
  const save = async (page: Page, note: string) => {
    await page.getByRole('button', { name: 'Save…' }).click()
    await saving(page).getByLabel('Note').fill(note)
    await saving(page).getByRole('button', { name: 'Save', exact: true }).click()
    await saving(page).waitFor({ state: 'hidden' })
  }

  test('values of several sections are one revision, and go back to the built-in ones', async () => {
    visitor = await admin.visit()
    const { page, complaints } = visitor
    await visitor.signIn()
    await visitor.go('/settings')
    await page.getByLabel('Max rows').fill('many')
    await page.getByRole('button', { name: 'Save…' }).click()
    await page.getByText('Write a whole number.').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByLabel('Max rows').fill('250')
    await page.getByRole('tab', { name: 'Security' }).click()
    await page.getByLabel('Allowed origins').fill('https://app.example.com')
    await page.getByLabel('More headers').fill('X-Robots-Tag: none')
    await page.getByRole('tab', { name: 'Audit' }).click()
    await page.getByRole('switch', { name: /Values of parameters/ }).click()
    await page.getByText('4 edited values').waitFor()
    await save(page, 'for the pilot')
    expect(await stored('limits')).toEqual({ maxRows: 250 })
    expect(await stored('security')).toEqual({
      cors: { origin: ['https://app.example.com'] },
      headers: { 'X-Robots-Tag': 'none' },
    })
    expect(await stored('audit')).toEqual({ enabled: true, logParams: true })
    await page.getByRole('tab', { name: 'Limits' }).click()
    await page.getByRole('button', { name: 'Use built-in limits.maxRows' }).click()
    await page.getByText('Back to built-in').waitFor()
    await save(page, 'back')
    expect(await stored('limits')).toEqual({})
    expect(await page.getByLabel('Max rows').inputValue()).toBe('10000')
    expect(complaints).toEqual([])
  })

  test('what the server refuses is said with its path, and the address of the page stays', async () => {
    visitor = await admin.visit()
    const { page, complaints } = visitor
    await visitor.signIn()
    await visitor.go('/settings/security')
    await page.getByLabel('Allowed addresses of /admin').fill('203.0.113.0/24')
    await page.getByRole('button', { name: 'Save…' }).click()
    const faults = saving(page).getByRole('alert', { name: 'Faults' })
    await faults.getByText('security.adminIpAllowlist').waitFor()
    await saving(page).getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Discard' }).click()
    expect(await page.getByLabel('Allowed addresses of /admin').inputValue()).toContain('127.0.0.0')
    expect(page.url()).toContain('/settings/security')
    expect(complaints).toEqual([expect.stringContaining('422')])
  })

  test('an action is switched off and given to other roles', async () => {
    visitor = await admin.visit()
    const { page, complaints } = visitor
    await visitor.signIn()
    await visitor.go('/settings/actions')
    await page.getByRole('switch', { name: /restock/ }).click()
    await page.getByRole('button', { name: 'support', exact: true }).click()
    await save(page, 'stocktaking')
    expect(await stored('actions')).toEqual({
      restock: { enabled: false, roles: ['manager', 'support'] },
    })
    await visitor.go('/actions')
    await page.getByText('restock').waitFor({ state: 'detached' })
    await visitor.go('/settings/actions')
    await page.getByRole('switch', { name: /restock/ }).click()
    await page.getByRole('button', { name: 'support', exact: true }).click()
    await save(page, 'done')
    expect(await stored('actions')).toEqual({})
    expect(complaints).toEqual([])
  })

  test('two tabs edit settings: the second sees what the first has saved', async () => {
    visitor = await admin.visit()
    const { page, context, complaints } = visitor
    await visitor.signIn()
    await visitor.go('/settings')
    const other = await context.newPage()
    await other.goto(`${world.url}/settings`)
    await other.getByLabel('Max queued requests').waitFor()
    await page.getByLabel('Max queued requests').fill('40')
    await save(page, 'a shorter queue')
    await other.getByLabel('Max queued requests').fill('50')
    await other.getByRole('button', { name: 'Save…' }).click()
    const conflict = saving(other).getByRole('alert', { name: 'Changed meanwhile' })
    await conflict.getByText('a shorter queue').waitFor()
    await conflict.getByText('maxQueued').waitFor()
    await conflict.getByRole('button', { name: 'Take theirs, drop mine' }).click()
    await expect.poll(() => other.getByLabel('Max queued requests').inputValue()).toBe('40')
    expect(complaints).toEqual([])
  })

  test('rights for all tables of a role and all roles of a table, over changes of others, and undo', async () => {
    visitor = await admin.visit()
    const { page, context } = visitor
    await visitor.signIn()
    const before = await stored('permissions')
    await visitor.go('/permissions?search=categories')
    await page.getByRole('button', { name: 'Select cells' }).click()
    await page.getByRole('button', { name: /All roles on main\.categories/ }).click()
    await page.getByLabel('Search tables').fill('employees')
    await page.getByRole('button', { name: /All tables for customer/ }).click()
    expect(await accessibilityFaults(page)).toEqual([])
    const apply = page.getByRole('button', { name: /^Apply to/ })
    const chosen = Number(/\d+/.exec((await apply.textContent()) ?? '')?.[0])
    expect(chosen).toBeGreaterThan(2)
    await apply.click()
    await page.getByLabel('What to do').click()
    await page.getByRole('option', { name: 'Revoke all rights' }).click()
    // Meanwhile another tab gives one of those rules another row filter.
    const other = await context.newPage()
    const path = '/permissions/support-reads-colleagues'
    await other.goto(`${world.url}${path}`)
    const json = other.getByLabel('Rule', { exact: true })
    const rule = JSON.parse(await json.inputValue()) as object
    await json.fill(JSON.stringify({ ...rule, roles: ['helpers', 'customer'] }))
    await other.getByRole('button', { name: 'Save…' }).click()
    const theirs = other.getByRole('dialog', { name: /^Save support/ })
    await theirs.getByRole('button', { name: 'Save', exact: true }).click()
    await theirs.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Review…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Revoke rights' })
    await dialog.getByRole('button', { name: 'Go on with mine' }).click()
    await dialog.getByRole('button', { name: 'Revoke', exact: true }).click()
    await dialog.waitFor({ state: 'hidden' })
    const rules = (await stored('permissions')) as Readonly<Record<string, { roles: unknown }>>
    // Theirs is kept, without the role that was revoked.
    expect(rules['support-reads-colleagues']?.roles).toEqual(['helpers'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone').waitFor()
    expect(await stored('permissions')).toEqual({
      ...(before as object),
      'support-reads-colleagues': { ...rule, roles: ['helpers', 'customer'] },
    })
  })

  test('the configuration is exported, changed, reviewed and imported; again, nothing differs', async () => {
    visitor = await admin.visit()
    const { page, complaints } = visitor
    await visitor.signIn()
    await visitor.go('/revisions')
    const downloading = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Export' }).click()
    const file = await (await downloading).path()
    const document = JSON.parse(await readFile(file, 'utf8')) as Readonly<Record<string, object>>
    const changed = { ...document, limits: { ...document['limits'], maxRows: 321 } }
    const choose = async (content: object) => {
      await page.getByRole('button', { name: 'Import…' }).click()
      await page.getByLabel('File').setInputFiles({
        name: 'engine.stored.json',
        mimeType: 'application/json',
        buffer: Buffer.from(JSON.stringify(content)),
      })
      await expect
        .poll(() => page.getByLabel('Configuration', { exact: true }).inputValue())
        .toContain('connections')
      await page.getByRole('button', { name: 'Review…' }).click()
    }
    await choose(changed)
    const dialog = page.getByRole('dialog', { name: 'Import a configuration' })
    await dialog.getByText('maxRows').waitFor()
    expect(await stored('limits')).not.toMatchObject({ maxRows: 321 })
    expect(await accessibilityFaults(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    await dialog.waitFor({ state: 'hidden' })
    expect(await stored('limits')).toMatchObject({ maxRows: 321 })
    await choose(changed)
    await dialog.getByText('Nothing differs.').waitFor()
    await visitor.go('/configuration')
    await page.getByRole('tab', { name: 'Differs from code' }).click()
    await page.getByText('maxRows').first().waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    expect(complaints).toEqual([])
  })

  test('a role gets another name in all rules, and is removed after its name is typed', async () => {
    visitor = await admin.visit()
    const { page, complaints } = visitor
    await visitor.signIn()
    await visitor.go('/settings/roles')
    await page.getByRole('button', { name: 'Rename support' }).click()
    const renaming = page.getByRole('dialog', { name: 'Rename support' })
    await renaming.getByLabel('New name').fill('advisers')
    await renaming.getByRole('button', { name: 'Review…' }).click()
    await renaming.getByRole('button', { name: 'Rename', exact: true }).click()
    await page.getByRole('link', { name: 'advisers' }).waitFor()
    expect(JSON.stringify(await stored('permissions'))).not.toContain('"support"')
    await page.getByRole('button', { name: 'Remove advisers' }).click()
    const removing = page.getByRole('dialog', { name: 'Remove advisers' })
    const review = removing.getByRole('button', { name: 'Review…' })
    expect(await review.isDisabled()).toBe(true)
    await removing.getByLabel('Type advisers to confirm').fill('advisers')
    await review.click()
    await removing.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByRole('link', { name: 'advisers' }).waitFor({ state: 'detached' })
    expect(JSON.stringify(await stored('permissions'))).not.toContain('"advisers"')
    expect(complaints).toEqual([])
  })
})
