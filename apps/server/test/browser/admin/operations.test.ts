/** @module What runs now, in a real browser: statements, connections of the wire protocol, a configuration file that is refused. */
import { join } from 'node:path'
import { describeBrowser } from '@engine/test-browser'
import Database from 'better-sqlite3'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type AdminPage, openAdminPage } from './admin-page.ts'
import { type AdminWorld, masterKey, openAdminWorld } from './admin-world.ts'
import { accessibilityFaults, settled, type Visitor } from './visit.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 300_000 })

const endless =
  'select count(*) from main.numbers a, main.numbers b, main.numbers c where a.n + b.n + c.n < 0'

describeBrowser('what runs now', () => {
  let admin: AdminPage
  let world: AdminWorld
  let visitor: Visitor

  beforeAll(async () => {
    admin = await openAdminPage((site) =>
      openAdminWorld(site, (folder) => {
        const shop = new Database(join(folder, 'shop.db'))
        shop.exec('create table numbers (n integer primary key)')
        shop.exec(
          'insert into numbers with recursive c(n) as (select 1 union all select n + 1 from c where n < 3000) select n from c',
        )
        shop.close()
        return { pgWire: { port: 0, catalog: 'builtin', auth: { strategy: ['apiKey'] } } }
      }),
    )
    world = admin.world
  })
  afterAll(() => admin?.close())
  afterEach(() => visitor?.close())

  const status = async () =>
    (await (await world.api('GET', '/admin/api/status')).json()) as {
      readonly load: { readonly running: number }
    }
  /** Chooses the administrator, who alone sees all tables. */
  const asAdministrator = async () => {
    const { page } = visitor
    await page.getByLabel('As whom').click()
    await page.getByRole('option', { name: 'Unrestricted' }).click()
  }

  test('a statement that runs is cancelled, in the database too', async () => {
    visitor = await admin.visit()
    const { page, complaints } = visitor
    await visitor.signIn()
    await visitor.go(`/query?${new URLSearchParams({ sql: endless })}`)
    await asAdministrator()
    await page.getByRole('button', { name: 'Run as unrestricted' }).click()
    await page.getByText(/Running for/).waitFor()
    await expect.poll(async () => (await status()).load.running).toBe(1)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Cancelled').waitFor()
    await expect.poll(async () => (await status()).load.running).toBe(0)
    expect(complaints).toEqual([])
  })

  test('an error is marked at its place, until the text changes', async () => {
    visitor = await admin.visit()
    const { page } = visitor
    await visitor.signIn()
    const sql = 'select n,\n  nope\nfrom main.numbers'
    await visitor.go(`/query?${new URLSearchParams({ sql })}`)
    await asAdministrator()
    await page.getByRole('button', { name: 'Run as unrestricted' }).click()
    await page.getByText('At line 2, column 3.').waitFor()
    expect(await page.locator('.cm-fault').textContent()).toBe('nope')
    expect(await accessibilityFaults(page)).toEqual([])
    await page.locator('.cm-fault').click()
    await page.keyboard.type('x')
    await page.locator('.cm-fault').waitFor({ state: 'detached' })
  })

  test('statements are remembered in this browser, without secrets, until sign-out', async () => {
    visitor = await admin.visit()
    const { page, complaints } = visitor
    await visitor.signIn()
    const run = async (sql: string, params: string) => {
      await visitor.go(`/query?${new URLSearchParams({ sql, params })}`)
      await asAdministrator()
      await page.getByRole('button', { name: 'Run as unrestricted' }).click()
      await page.getByRole('table', { name: 'Result' }).waitFor()
    }
    await run('select n from main.numbers where n < $1', '[5]')
    await run('select $1::text as password', '["correct horse"]')
    await run("select 'ek_0123456789abcdef' as key", '[]')
    const past = page.getByRole('region', { name: 'History' })
    await past.getByText('select $1::text as password').waitFor()
    expect(await past.getByRole('listitem').count()).toBe(2)
    const kept = await page.evaluate('JSON.stringify(localStorage)')
    expect(kept).toContain('n < $1')
    expect(kept).not.toMatch(/correct horse|ek_0123|master key/)
    await visitor.go('/query')
    await past.getByText('n < $1').click()
    expect(await page.getByLabel('Parameters', { exact: true }).inputValue()).toBe('[5]')
    await page.locator('.cm-content').getByText('main.numbers').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Master key').waitFor()
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('numbers')
    expect(complaints).toEqual([])
  })

  test('a connection of the wire protocol is seen, its statement stopped, and it is ended', async () => {
    const [host, port] = (world.server.pgWireAddress ?? '').split(':')
    const client = new pg.Client({
      host,
      port: Number(port),
      user: 'x',
      password: masterKey,
      database: 'x',
      application_name: 'nightly <b>report</b>',
    })
    const ended = new Promise<string>((resolve) => {
      client.on('error', (error: Error & { readonly code?: string }) => resolve(error.code ?? ''))
    })
    await client.connect()
    const stopped = client.query(endless).catch((error: { readonly code: string }) => error.code)
    visitor = await admin.visit()
    const { page, complaints } = visitor
    await visitor.signIn()
    await visitor.go('/wire-connections')
    const row = page.getByRole('row').filter({ hasText: 'nightly <b>report</b>' })
    await row.getByText('Runs').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await row.click()
    const drawer = page.getByRole('dialog', { name: /^Connection / })
    await drawer.getByText('main.numbers').first().waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await drawer.getByRole('button', { name: 'Cancel statement' }).click()
    expect(await stopped).toBe('57014')
    await drawer.getByText('Idle').waitFor()
    await drawer.getByRole('button', { name: 'End…' }).click()
    const confirm = page.getByRole('dialog', { name: 'End this connection?' })
    await confirm.getByRole('button', { name: 'End connection' }).click()
    expect(await ended).toBe('57P01')
    await page.getByText('No client is connected').waitFor()
    await client.end().catch(() => undefined)
    expect(complaints).toEqual([])
  })

  test('relations are a diagram that leads to the other tables', async () => {
    visitor = await admin.visit()
    const { page, complaints } = visitor
    await visitor.signIn()
    await visitor.go('/schema/main/orders')
    await page.getByRole('tab', { name: /^Relations/ }).click()
    const diagram = page.getByRole('group', { name: 'Tables around main.orders' })
    await diagram.getByText('customer_id → id').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await diagram.getByRole('link', { name: /main\.customers/ }).click()
    await page.getByRole('heading', { name: 'main.customers' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('a configuration file that was refused says why on the overview', async () => {
    visitor = await admin.visit()
    const { page, complaints } = visitor
    world.server.noteRefusal({
      at: new Date().toISOString(),
      file: 'engine.config.ts',
      line: 12,
      faults: [{ path: 'limits.maxRows', message: 'expected number, <b>received</b> string' }],
    })
    await visitor.signIn()
    const alert = page.getByRole('alert', { name: 'Refused configuration' })
    await alert.getByText('engine.config.ts, line 12, was changed and refused').waitFor()
    await alert.getByText('limits.maxRows').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    world.server.noteRefusal(undefined)
    await page.reload()
    await settled(page)
    expect(await alert.count()).toBe(0)
    expect(complaints).toEqual([])
  })
})
