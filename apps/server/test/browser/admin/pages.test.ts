/** @module The administrator's pages in a real browser: what every page keeps to. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describeBrowser } from '@engine/test-browser'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type AdminPage, openAdminPage } from './admin-page.ts'
import { type AdminWorld, fillWorld, masterKey, openAdminWorld } from './admin-world.ts'
import { accessibilityFaults, routes, settled, showMetrics, type Visitor } from './visit.ts'

// Builds the pages and walks through all of them: the time limit only has to be long enough.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 300_000 })

describeBrowser('the pages of an administrator', () => {
  let admin: AdminPage
  let world: AdminWorld
  let visitor: Visitor

  beforeAll(async () => {
    admin = await openAdminPage(openAdminWorld)
    world = admin.world
    await fillWorld(world)
  })
  afterAll(() => admin?.close())
  afterEach(() => visitor?.close())

  test.each(['light', 'dark'] as const)(
    'every page in %s: no errors, no violations of the policy, no other origin, accessible',
    async (colorScheme) => {
      visitor = await admin.visit({ colorScheme })
      const { page, complaints, origins } = visitor
      await page.goto(world.url)
      await page.getByLabel('Master key').waitFor()
      expect(await accessibilityFaults(page)).toEqual([])
      await visitor.signIn()
      for (const [name, path] of Object.entries(routes)) {
        await visitor.go(path)
        expect({ name, complaints }).toEqual({ name, complaints: [] })
        expect({ name, faults: await accessibilityFaults(page) }).toEqual({ name, faults: [] })
        const overflow = 'document.documentElement.scrollWidth - innerWidth'
        expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0)
      }
      expect([...origins]).toEqual([world.server.url])
      expect(complaints).toEqual([])
    },
  )

  test('on a phone no page is wider than the screen, and the menu leads everywhere', async () => {
    visitor = await admin.visit({ width: 390 })
    const { page, complaints } = visitor
    await visitor.signIn()
    for (const path of Object.values(routes)) {
      await visitor.go(path)
      const overflow = 'document.documentElement.scrollWidth - innerWidth'
      expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0)
      const inside = '(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)'
      const main = `${inside}(document.querySelector('main'))`
      expect({ path, overflow: await page.evaluate(main) }).toEqual({ path, overflow: 0 })
    }
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Audit' }).click()
    await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor()
    expect(complaints).toEqual([])
  })

  test('the keyboard alone signs in, finds a page and opens an entry', async () => {
    visitor = await admin.visit()
    const { page, complaints } = visitor
    await page.goto(world.url)
    await page.getByLabel('Master key').waitFor()
    await page.keyboard.type(masterKey)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor()
    await page.keyboard.type('audit')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor()
    await settled(page)
    await page.locator('main [role="row"][tabindex="0"]').first().focus()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => page.evaluate('document.activeElement?.dataset.index')).toBe('1')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.keyboard.press('g')
    await page.keyboard.press('p')
    await page.getByRole('heading', { name: 'Permissions', level: 1 }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('a link of the start opens the pages signed in, once, and leaves the address', async () => {
    visitor = await admin.visit()
    const { page, context, complaints } = visitor
    const link = world.server.createAdminLink() ?? ''
    await page.goto(link)
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    expect(page.url()).toBe(world.url)
    expect(complaints).toEqual([])
    await context.clearCookies()
    await page.goto('about:blank')
    await page.goto(link)
    await page.getByText('This link was used before, or is too old.').waitFor()
    expect(page.url()).toBe(world.url)
  })

  test('a statement runs as its subject, and a refused one leads to its explanation', async () => {
    visitor = await admin.visit()
    const { page } = visitor
    await visitor.signIn()
    await visitor.go('/query?sql=select%20count(*)%20as%20n%20from%20main.orders')
    await page.getByRole('button', { name: 'Run as anonymous' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByRole('link', { name: 'Explain why' }).click()
    await page.getByText('403 PERMISSION_DENIED').waitFor()
    await page.getByRole('link', { name: 'Open in Query' }).click()
    await page.getByLabel('As whom').click()
    await page.getByRole('option', { name: 'Roles and fields' }).click()
    await page.getByRole('button', { name: 'manager', exact: true }).click()
    await page.getByRole('button', { name: 'Run as manager' }).click()
    await page.getByRole('table', { name: 'Result' }).getByRole('cell').first().waitFor()
    const shown = await page
      .getByRole('table', { name: 'Result' })
      .getByRole('cell')
      .allTextContents()
    const asked = { sql: 'select count(*) as n from main.orders', as: { roles: ['manager'] } }
    const answer = await world.api('POST', '/admin/api/query', asked)
    const { body } = (await answer.json()) as {
      readonly body: { readonly rows: readonly (readonly unknown[])[] }
    }
    expect(shown).toEqual([String(body.rows[0]?.[0])])
  })

  test('rows are those of the chosen caller; a refused change says why beside the value', async () => {
    visitor = await admin.visit()
    const { page, complaints } = visitor
    await visitor.signIn()
    await visitor.go('/data/main/orders')
    await page.getByRole('button', { name: 'Choose a caller' }).last().click()
    await page.getByLabel('As whom').click()
    await page.getByRole('option', { name: 'Roles and fields' }).click()
    await page.getByRole('button', { name: 'support', exact: true }).click()
    await page.getByLabel('Fields').fill('{"employee_id": 2}')
    await page.getByRole('button', { name: 'Browse as support' }).click()
    const rows = page.getByRole('table', { name: 'Rows' })
    await rows.getByRole('cell').first().waitFor()
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByLabel('Column').click()
    await page.getByRole('option', { name: /^status/ }).click()
    await page.getByLabel('Value', { exact: true }).fill('new')
    await page.getByRole('button', { name: 'Add' }).click()
    await expect.poll(() => page.url()).toContain('f=')
    await settled(page)
    const [id = ''] = await rows.getByRole('cell').allTextContents()
    await rows.getByRole('row').nth(1).focus()
    await page.keyboard.press('Enter')
    const drawer = page.getByRole('dialog', { name: /^orders / })
    await drawer.getByLabel('status', { exact: true }).fill('lost')
    await drawer.getByText('update').waitFor()
    await drawer.getByRole('button', { name: 'Save' }).click()
    await drawer.getByRole('alert').waitFor()
    expect(complaints.splice(0)).toEqual([expect.stringContaining('422')])
    await drawer.getByLabel('status', { exact: true }).fill('shipped')
    await drawer.getByRole('button', { name: 'Save' }).click()
    await drawer.waitFor({ state: 'hidden' })
    const asked = { sql: 'select status from main.orders where id = $1', params: [id], as: 'admin' }
    const answer = await world.api('POST', '/admin/api/query', asked)
    expect(((await answer.json()) as { body: { rows: unknown } }).body.rows).toEqual([['shipped']])
    expect(complaints).toEqual([])
  })

  test('an administrator inserts a row, follows its keys and deletes it', async () => {
    visitor = await admin.visit()
    const { page, complaints } = visitor
    await visitor.signIn()
    await visitor.go('/data/main/categories?as=described&role=manager')
    await page.getByRole('button', { name: 'As manager' }).click()
    await page.getByLabel('As whom').click()
    await page.getByRole('option', { name: 'Unrestricted' }).click()
    await page.getByRole('button', { name: 'Browse as unrestricted' }).click()
    await page.getByRole('button', { name: 'New row' }).click()
    const made = page.getByRole('dialog', { name: 'New row' })
    await made.getByLabel('name', { exact: true }).fill('=made in a browser')
    await made.getByRole('button', { name: 'Insert' }).click()
    await made.waitFor({ state: 'hidden' })
    await page.getByRole('cell', { name: '=made in a browser' }).click()
    const drawer = page.getByRole('dialog', { name: /^categories / })
    await drawer.getByRole('button', { name: 'Delete' }).click()
    await drawer.getByText('delete from').waitFor()
    await drawer.getByRole('button', { name: 'Delete row' }).click()
    await drawer.waitFor({ state: 'hidden' })
    await page.getByRole('cell', { name: '=made in a browser' }).waitFor({ state: 'detached' })
    await visitor.go('/data/main/orders?as=described&role=manager')
    await page.getByTitle('customers.id').first().waitFor()
    const alignment = 'getComputedStyle(document.querySelector("main [role=cell]")).textAlign'
    expect(await page.evaluate(alignment)).toBe('end')
    await page.getByTitle('customers.id').first().click()
    await page.getByRole('heading', { name: 'main.customers' }).waitFor()
    await page.getByText('Rows 1–1').waitFor()
    expect(complaints).toEqual([])
  })

  test('an hour of metrics as charts, each with a table that the keyboard reads', async () => {
    visitor = await admin.visit()
    const { page, complaints } = visitor
    await visitor.signIn()
    await showMetrics(page)
    await visitor.go('/metrics')
    expect(await page.locator('canvas').count()).toBe(4)
    const table = page.getByRole('table', { name: 'Requests, as a table', exact: true })
    expect(await table.getAttribute('aria-rowcount')).toBe('361')
    await page.getByRole('region', { name: 'Requests, as a table', exact: true }).focus()
    await page.keyboard.press('End')
    await table.locator('[data-index="359"]').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await visitor.go('')
    await page.getByText('123 ms').first().waitFor()
    expect(await page.locator('main polyline').count()).toBe(4)
    expect(await accessibilityFaults(page)).toEqual([])
    expect(complaints).toEqual([])
  })

  test('an action is a form; its output and its refusal are shown', async () => {
    visitor = await admin.visit()
    const { page, complaints } = visitor
    await visitor.signIn()
    await visitor.go('/actions')
    await page.getByRole('link', { name: 'restock' }).click()
    await page.getByLabel('product', { exact: true }).fill('3')
    await page.getByLabel('units (optional)').fill('1000')
    await page.getByRole('button', { name: 'Run as anonymous' }).click()
    await page.getByText('PERMISSION_DENIED').waitFor()
    await page.getByLabel('As whom').click()
    await page.getByRole('option', { name: 'Roles and fields' }).click()
    await page.getByRole('button', { name: 'manager', exact: true }).click()
    await page.getByRole('button', { name: 'Run as manager' }).click()
    await page.getByText('VALIDATION_ERROR').waitFor()
    await page.getByLabel('units (optional)').fill('5')
    await page.getByRole('button', { name: 'Run as manager' }).click()
    await page.getByText('"ordered": 5').waitFor()
    expect(complaints).toEqual([expect.stringContaining('403'), expect.stringContaining('400')])
    expect(await accessibilityFaults(page)).toEqual([])
  })

  test('the editor completes names of the catalog', async () => {
    visitor = await admin.visit()
    const { page, complaints } = visitor
    await visitor.signIn()
    await visitor.go('/query')
    await page.locator('[data-editor]').click()
    await page.keyboard.type('select * from main.cust')
    await page.getByRole('option', { name: 'customers' }).waitFor()
    // The editor ignores keys in the first 75 ms of a list: they were meant for what stood there before.
    await page.waitForTimeout(100)
    await page.keyboard.press('Enter')
    await page.getByText('select * from main.customers').waitFor()
    expect(complaints).toEqual([])
  })

  test('a new user gets the mail that sets a password', async () => {
    visitor = await admin.visit()
    const { page, complaints } = visitor
    await visitor.signIn()
    await visitor.go('/users')
    await page.getByRole('button', { name: 'New user' }).click()
    const dialog = page.getByRole('dialog', { name: 'New user' })
    await dialog.getByLabel('Address', { exact: true }).fill('katherine@orbit.example')
    await dialog.getByLabel('Name', { exact: true }).fill('Katherine Johnson')
    await dialog.getByLabel('Roles', { exact: true }).fill('support, reader')
    await dialog.getByRole('button', { name: 'Create user' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('cell', { name: 'katherine@orbit.example', exact: true }).waitFor()
    const answer = await world.api('GET', '/admin/api/outbox')
    const { mails } = (await answer.json()) as {
      readonly mails: readonly { readonly to: string }[]
    }
    expect(mails.filter(({ to }) => to === 'katherine@orbit.example')).toHaveLength(1)
    expect(complaints).toEqual([])
  })

  test('an invitation is sent, listed, sent again and revoked', async () => {
    visitor = await admin.visit()
    const { page, complaints } = visitor
    await visitor.signIn()
    await visitor.go('/users')
    const address = 'mary@orbit.example'
    const invite = async (roles: string) => {
      await page.getByRole('button', { name: 'Invite' }).click()
      const dialog = page.getByRole('dialog', { name: 'Invite' })
      await dialog.getByLabel('Address', { exact: true }).fill(address)
      await dialog.getByLabel('Roles', { exact: true }).fill(roles)
      await dialog.getByLabel('Columns of the row').fill('{ "role": "manager" }')
      await dialog.getByRole('button', { name: 'Send invitation' }).click()
      return dialog
    }
    const refused = await invite('support')
    await refused.getByText('give them in fields').waitFor()
    await refused.getByLabel('Roles', { exact: true }).fill('')
    await refused.getByRole('button', { name: 'Send invitation' }).click()
    await refused.waitFor({ state: 'hidden' })
    expect(page.url()).toMatch(/\/users\?tab=invitations$/)
    await page.getByRole('cell', { name: address, exact: true }).waitFor()
    await page.getByText('role: manager').waitFor()
    const mails = async () => {
      const answer = await world.api('GET', '/admin/api/outbox')
      const body = (await answer.json()) as { readonly mails: readonly { readonly to: string }[] }
      return body.mails.filter(({ to }) => to === address).length
    }
    expect(await mails()).toBe(1)
    const choose = async (entry: string, title: string, action: string) => {
      await page.getByRole('button', { name: `Actions for ${address}` }).click()
      await page.getByRole('menuitem', { name: entry }).click()
      const dialog = page.getByRole('dialog', { name: title })
      await dialog.getByRole('button', { name: action }).click()
      await dialog.waitFor({ state: 'hidden' })
    }
    await choose('Send again', 'Send the invitation again?', 'Send mail')
    expect(await mails()).toBe(2)
    await choose('Revoke', 'Revoke the invitation?', 'Revoke')
    await page.getByText('Nobody is invited').waitFor()
    await page.getByRole('tab', { name: 'Accounts' }).click()
    await page.getByText('ada@nordwind.example').waitFor()
    // The browser reports the answer to the first try.
    expect(complaints).toEqual([expect.stringContaining('400')])
  })

  test('a key is shown once, works, and is revoked', async () => {
    visitor = await admin.visit()
    const { page } = visitor
    await visitor.signIn()
    await visitor.go('/api-keys')
    await page.getByRole('button', { name: 'New key' }).first().click()
    await page.getByLabel('Name').fill('made in a browser')
    await page.getByLabel('Roles').fill('manager')
    await page.getByRole('button', { name: 'Create key' }).click()
    const dialog = page.getByRole('dialog', { name: 'Copy the key now' })
    const key = (await dialog.locator('code').textContent()) ?? ''
    expect(key).toMatch(/^ek_/)
    const ask = async () => {
      const body = JSON.stringify({ sql: 'select 1', params: [], method: 'all' })
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      return (await fetch(`${world.server.url}/data`, { method: 'POST', headers, body })).status
    }
    expect(await ask()).toBe(200)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await dialog.waitFor({ state: 'hidden' })
    expect(await page.content()).not.toContain(key)
    await page.getByRole('button', { name: 'Revoke made in a browser' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await expect.poll(ask).toBe(401)
  })

  test('after sign-out the back button shows nothing, in no tab', async () => {
    visitor = await admin.visit()
    const { page, context } = visitor
    await visitor.signIn()
    await visitor.go('/users')
    await page.getByText('ada@nordwind.example').waitFor()
    const other = await context.newPage()
    await other.goto(`${world.url}/audit`)
    await other.getByRole('heading', { name: 'Audit', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Master key').waitFor()
    await other.getByLabel('Master key').waitFor()
    await page.goBack()
    await page.getByLabel('Master key').waitFor()
    expect(await page.content()).not.toContain('nordwind.example')
    expect(await context.cookies()).toEqual([])
  })

  test('a session that has ended shows nothing more, and says so', async () => {
    visitor = await admin.visit()
    const { page, context } = visitor
    await visitor.signIn()
    await visitor.go('/users')
    await page.getByText('ada@nordwind.example').waitFor()
    const [cookie] = await context.cookies()
    const headers = {
      cookie: `${cookie?.name}=${cookie?.value}`,
      'x-engine-admin': 'page',
      'sec-fetch-site': 'same-origin',
    }
    await fetch(`${world.server.url}/admin/api/sign-out`, { method: 'POST', headers })
    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByText('Your session has ended').waitFor()
    expect(await page.content()).not.toContain('nordwind.example')
  })

  test('the key stays nowhere in the browser', async () => {
    visitor = await admin.visit()
    const { page, context } = visitor
    await visitor.signIn()
    const kept = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, location.href])',
    )
    expect(kept).not.toContain('master key')
    expect(JSON.stringify(await context.cookies())).not.toContain('master')
    expect(await page.evaluate('document.cookie')).toBe('')
  })

  test('files have their headers; the policy of the page has no exception', async () => {
    const answer = await fetch(world.url)
    const html = await answer.text()
    const policy = answer.headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).not.toMatch(/unsafe|nonce|https?:/)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'permissions-policy': expect.stringContaining('camera=()'),
    })
    const [, script] = /src="([^"]+\.js)"/.exec(html) ?? []
    const asset = await fetch(`${world.server.url}${script}`)
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(asset.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect((await fetch(`${world.url}/assets/nothing.js`)).status).toBe(404)
    expect((await fetch(world.url, { method: 'POST' })).status).toBe(405)
  })

  test('the first screen and the editor are small', async () => {
    visitor = await admin.visit()
    const { page } = visitor
    const files = new Set<string>()
    page.on('request', (request) => {
      const name = /\/assets\/([^/]+\.(?:js|css))$/.exec(request.url())?.[1]
      if (name !== undefined) files.add(name)
    })
    const weigh = (names: Iterable<string>) =>
      [...names].reduce((sum, name) => {
        const bytes = readFileSync(join(admin.browser.directory, 'assets', name))
        return sum + gzipSync(bytes, { level: 9 }).length
      }, 0)
    await visitor.signIn()
    expect(weigh(files)).toBeLessThanOrEqual(210 * 1_024)
    const first = new Set(files)
    await visitor.go('/query')
    await page.locator('[data-editor]').waitFor()
    const editor = [...files].filter((name) => !first.has(name) && name.startsWith('sql-editor'))
    expect(editor.length).toBeGreaterThan(0)
    expect(weigh(editor)).toBeLessThanOrEqual(130 * 1_024)
  })
})
