/** @module The pages that change a stored configuration, with names and values of attackers. */
import { join } from 'node:path'
import { describeBrowser } from '@engine/test-browser'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type AdminPage, openAdminPage } from './admin-page.ts'
import { type AdminWorld, masterKey } from './admin-world.ts'
import { openEmptyWorld } from './empty-world.ts'
import { createHostileDatabase, expectHarmless, longCell, markup, names } from './hostile-names.ts'
import { settled, type Visitor } from './visit.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 300_000 })

describeBrowser('pages that change a configuration', () => {
  let admin: AdminPage
  let world: AdminWorld
  let visitor: Visitor

  beforeAll(async () => {
    admin = await openAdminPage(openEmptyWorld)
    world = admin.world
    const path = join(world.folder, 'hostile.db')
    createHostileDatabase(path)
    const rules = names.map((name) => [
      name,
      { table: `hostile.${name}`, roles: [name], select: { where: { [markup]: name } } },
    ])
    await change('PUT', '/connections/hostile', path)
    await change('PATCH', '/permissions', Object.fromEntries(rules))
    visitor = await admin.visit()
    await visitor.signIn()
  })
  afterAll(() => admin?.close())
  afterEach(() => {
    visitor.complaints.length = 0
  })

  /** A change whose note is hostile, too. */
  const change = async (method: string, path: string, body: unknown) => {
    const note = encodeURIComponent(names.join(' '))
    const { status } = await fetch(`${world.server.url}/admin/api/config${path}?note=${note}`, {
      method,
      headers: {
        authorization: `Bearer ${masterKey}`,
        'content-type': 'application/json',
        'if-match': '*',
      },
      body: JSON.stringify(body),
    })
    expect(status).toBe(200)
  }

  test('a connection, its test and its removal', async () => {
    const { page } = visitor
    await visitor.go('/connections')
    await page.getByRole('row').filter({ hasText: 'hostile' }).click()
    await expectHarmless(visitor)
    await page.getByRole('button', { name: 'Test' }).click()
    await page.getByRole('status', { name: 'Test' }).waitFor()
    await expectHarmless(visitor)
    await page.getByLabel('URL or path').fill(`./${markup}.db`)
    await page.getByRole('button', { name: 'Test' }).click()
    await page.getByText('Not connected').waitFor()
    await expectHarmless(visitor)
    await page.getByRole('button', { name: 'Remove…' }).click()
    await page.getByText('Rules on it').waitFor()
    await expectHarmless(visitor)
    await page.keyboard.press('Escape')
  })

  test('revisions, and what one changed', async () => {
    const { page } = visitor
    await visitor.go('/revisions')
    await expectHarmless(visitor)
    await page.locator('main [role="row"][tabindex="0"]').first().click()
    await page.getByRole('button', { name: 'Undo…' }).click()
    await page.getByRole('dialog', { name: /^Undo revision/ }).waitFor()
    await settled(page)
    await expectHarmless(visitor)
    await page.keyboard.press('Escape')
  })

  test.each(names)('the rule %s in the editor, and before it is saved', async (name) => {
    const { page } = visitor
    await visitor.go(`/permissions/${encodeURIComponent(name)}`)
    await page.getByRole('region', { name: 'Preview' }).waitFor()
    await expectHarmless(visitor)
    const json = page.getByLabel('Rule', { exact: true })
    const rule = JSON.parse(await json.inputValue()) as object
    await json.fill(JSON.stringify({ ...rule, select: { where: { [name]: 'another' } } }))
    await page.getByRole('button', { name: 'Save…' }).click()
    await page.getByRole('dialog', { name: /^Save/ }).getByLabel('Note').waitFor()
    await expectHarmless(visitor)
    await page.keyboard.press('Escape')
  })

  test('the first run: tables, rules, a caller, a key', async () => {
    const { page } = visitor
    await visitor.go('/start/connect')
    await expectHarmless(visitor)
    await visitor.go('/start/tables')
    await expectHarmless(visitor)
    await page.getByRole('row').filter({ hasText: markup }).first().click()
    await page.getByRole('dialog').getByRole('tab', { name: 'Columns' }).waitFor()
    await expectHarmless(visitor)
    await page.keyboard.press('Escape')

    await visitor.go(
      `/start/rules?${new URLSearchParams({ role: markup, access: markup, by: markup, field: markup })}`,
    )
    await page.getByLabel(`Access to ${markup}`).click()
    await page.getByRole('option', { name: 'Read', exact: true }).click()
    await page.getByText('Every row, for everybody').waitFor()
    await page.getByText('The rules as JSON').click()
    await expectHarmless(visitor)
    await page.getByRole('button', { name: 'Review and save…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { name: 'Try it as that role' }).waitFor()

    const seen = page.getByRole('region', { name: 'What the caller sees' })
    await seen.getByTitle('Show all').first().waitFor()
    await expectHarmless(visitor)
    expect((await seen.innerHTML()).length).toBeLessThan(60_000)
    await seen.getByTitle('Show all').first().click()
    const shown = page.getByRole('dialog').locator('code')
    expect(await shown.textContent()).toBe(longCell)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('region', { name: 'key' }).waitFor()
    for (const tab of ['curl', 'TypeScript', 'Drizzle']) {
      await page.getByRole('tab', { name: tab }).click()
      await expectHarmless(visitor)
    }
  })
})
