/** @module What interrupts an administrator, in a real browser: no connection, other pages, reloads, the end of a session. Edits live through it. */
import { describeBrowser } from '@engine/test-browser'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type AdminPage, openAdminPage } from './admin-page.ts'
import { type AdminWorld, masterKey } from './admin-world.ts'
import { openStoredWorld } from './stored-world.ts'
import { accessibilityFaults, settled, type Visitor } from './visit.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 300_000 })

interface Form {
  readonly at: string
  /** Opens the form, where the page alone does not. */
  readonly open?: (page: Page) => Promise<void>
  readonly edit: (page: Page) => Promise<void>
  /** What the form shows of it. */
  readonly shown: (page: Page) => Promise<string | null>
  readonly edited: string
}

const rulePage = '/permissions/support-reads-colleagues'
const json = (page: Page) => page.getByLabel('Rule', { exact: true })
const limited = (limit: number) => ({
  table: 'main.employees',
  roles: ['support'],
  select: { limit },
})
const statement = (page: Page) => page.locator('.cm-content')
const ofRow = (page: Page) => page.getByRole('dialog').getByLabel('name', { exact: true })

const forms: Readonly<Record<string, Form>> = {
  'a rule': {
    at: rulePage,
    edit: (page) => json(page).fill(JSON.stringify(limited(901))),
    shown: (page) => json(page).inputValue(),
    edited: JSON.stringify(limited(901)),
  },
  'a rule that is not JSON yet': {
    at: rulePage,
    edit: (page) => json(page).fill('{ "table": '),
    shown: (page) => json(page).inputValue(),
    edited: '{ "table": ',
  },
  'a new rule': {
    at: '/new-permission?table=main.orders&role=support',
    edit: (page) => page.getByLabel('Name of the rule').fill('mine'),
    shown: (page) => page.getByLabel('Name of the rule').inputValue(),
    edited: 'mine',
  },
  settings: {
    at: '/settings',
    edit: (page) => page.getByLabel('Max queued requests').fill('4321'),
    shown: (page) => page.getByLabel('Max queued requests').inputValue(),
    edited: '4321',
  },
  'a statement': {
    at: '/query',
    edit: async (page) => {
      await statement(page).click()
      await page.keyboard.type('select 1 as kept')
    },
    shown: (page) => statement(page).textContent(),
    edited: 'select 1 as kept',
  },
  'a statement to explain': {
    at: '/explain',
    edit: async (page) => {
      await statement(page).click()
      await page.keyboard.type('select 2 as kept')
    },
    shown: (page) => statement(page).textContent(),
    edited: 'select 2 as kept',
  },
  'the input of an action': {
    at: '/actions/restock',
    edit: (page) => page.getByLabel('product', { exact: true }).fill('77'),
    shown: (page) => page.getByLabel('product', { exact: true }).inputValue(),
    edited: '77',
  },
  'a connection': {
    at: '/connections',
    open: (page) => page.getByRole('row').filter({ hasText: 'extra' }).click(),
    edit: async (page) => {
      // The path of this test looks like a secret.
      await page.getByLabel('URL or path').fill('extra.db')
      await page.getByLabel('Max connections').fill('3')
    },
    shown: (page) => page.getByLabel('Max connections').inputValue(),
    edited: '3',
  },
  'a row': {
    at: '/data/main/categories?as=described&role=manager',
    open: (page) => page.getByRole('row').nth(1).click(),
    edit: (page) => ofRow(page).fill('Edited'),
    shown: (page) => ofRow(page).inputValue(),
    edited: 'Edited',
  },
  'a new row': {
    at: '/data/main/categories?as=described&role=manager',
    open: (page) => page.getByRole('button', { name: 'New row' }).click(),
    edit: (page) => ofRow(page).fill('Added'),
    shown: (page) => ofRow(page).inputValue(),
    edited: 'Added',
  },
}

describeBrowser('what interrupts an administrator', () => {
  let admin: AdminPage
  let world: AdminWorld
  let visitor: Visitor

  beforeAll(async () => {
    admin = await openAdminPage(openStoredWorld)
    world = admin.world
  })
  afterAll(() => admin?.close())
  afterEach(() => visitor?.close())

  const restored = (page: Page) => page.getByText(/You have unsaved changes of \d\d:\d\d: restored/)
  const ended = (page: Page) => page.getByRole('dialog', { name: 'Sign in again' })
  const limitOf = async () => {
    const answer = await world.api('GET', '/admin/api/config/permissions/support-reads-colleagues')
    return ((await answer.json()) as { readonly select?: { readonly limit?: number } }).select
      ?.limit
  }
  /** The server forgets the session, as it does when one is over. */
  const endSession = async (context: BrowserContext) => {
    const [cookie] = await context.cookies()
    await fetch(`${world.server.url}/admin/api/sign-out`, {
      method: 'POST',
      headers: {
        cookie: `${cookie?.name}=${cookie?.value}`,
        'x-engine-admin': 'page',
        'sec-fetch-site': 'same-origin',
      },
    })
  }
  const signInAgain = async (page: Page) => {
    await ended(page).getByLabel('Master key').fill(masterKey)
    await ended(page).getByRole('button', { name: 'Sign in' }).click()
    await ended(page).waitFor({ state: 'detached' })
  }

  test('without a connection a bar says so, and figures look old until they are read again', async () => {
    visitor = await admin.visit()
    const { page, context } = visitor
    await visitor.signIn()
    await context.setOffline(true)
    await page.getByText(/No connection since \d\d:\d\d/).waitFor()
    await page.getByText(/As of \d\d:\d\d:\d\d/).waitFor()
    expect(await page.locator('[data-old]').count()).toBe(1)
    expect(await accessibilityFaults(page)).toEqual([])
    await context.setOffline(false)
    await page.getByText(/No connection since/).waitFor({ state: 'detached' })
    expect(await page.locator('[data-old]').count()).toBe(0)
  })

  test('a server that is gone ends no session', async () => {
    visitor = await admin.visit()
    const { page, context } = visitor
    await visitor.signIn()
    await visitor.go(rulePage)
    await json(page).fill(JSON.stringify(limited(902)))
    await context.setOffline(true)
    await page.getByText(/No connection since/).waitFor()
    const asked = page.waitForEvent('requestfailed', (request) =>
      request.url().endsWith('/session'),
    )
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    await asked
    await context.setOffline(false)
    await page.getByText(/No connection since/).waitFor({ state: 'detached' })
    expect(await json(page).inputValue()).toBe(JSON.stringify(limited(902)))
  })

  test('edits live through other pages and reloads, and are discarded', async () => {
    visitor = await admin.visit()
    const { page, complaints } = visitor
    await visitor.signIn()
    for (const [name, { at, open, edit, shown, edited }] of Object.entries(forms)) {
      await visitor.go(at)
      await open?.(page)
      const before = await shown(page)
      await edit(page)
      expect(await shown(page), name).toBe(edited)
      if (open !== undefined) await page.keyboard.press('Escape')
      await page.getByRole('link', { name: 'Audit' }).click()
      await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor()
      await page.goBack()
      await open?.(page)
      await restored(page).waitFor()
      expect(await shown(page), name).toBe(edited)
      await page.reload()
      await settled(page)
      await open?.(page)
      await restored(page).waitFor()
      expect(await shown(page), name).toBe(edited)
      expect(await accessibilityFaults(page)).toEqual([])
      await page.getByRole('button', { name: 'Discard' }).first().click()
      await restored(page).waitFor({ state: 'detached' })
      expect(await shown(page), name).toBe(before)
      await page.reload()
      await settled(page)
      await open?.(page)
      expect(await shown(page), name).toBe(before)
      expect(await page.evaluate('JSON.stringify(sessionStorage)')).toBe('{}')
    }
    expect(complaints).toEqual([])
  })

  test('what is not stored, such as a secret, is asked for before a reload', async () => {
    visitor = await admin.visit()
    const { page, complaints } = visitor
    const reloadAsks = async () => {
      const asked = page.waitForEvent('dialog')
      await page.evaluate('setTimeout(() => location.reload())')
      expect((await asked).type()).toBe('beforeunload')
    }
    await visitor.signIn()
    await visitor.go('/connections')
    await page.getByRole('button', { name: 'Add connection' }).click()
    await page.getByLabel('URL or path').fill('postgres://engine:correct-horse@host/shop')
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).toBe('{}')
    await page.getByLabel('URL or path').fill('')
    await visitor.go('/api-keys')
    await page.getByRole('button', { name: 'New key' }).first().click()
    await page.getByLabel('Name').fill('not kept')
    await reloadAsks()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await visitor.go('/query')
    await statement(page).click()
    await page.keyboard.type("select 'ek_0123456789abcdef' as key")
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).toBe('{}')
    await reloadAsks()
    expect(complaints).toEqual(['dialog: ', 'dialog: '])
    expect(await statement(page).textContent()).toContain('ek_0123456789abcdef')
    await page.getByRole('link', { name: 'Audit' }).click()
    await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor()
    await page.goBack()
    await restored(page).waitFor()
    expect(await statement(page).textContent()).toContain('ek_0123456789abcdef')
  })

  test('edits that others have overtaken meanwhile are shown with theirs before they are saved', async () => {
    visitor = await admin.visit()
    const { page } = visitor
    await visitor.signIn()
    await visitor.go(rulePage)
    await json(page).fill(JSON.stringify(limited(903)))
    const { status } = await fetch(`${world.server.url}/admin/api/config/permissions`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${masterKey}`,
        'content-type': 'application/json',
        'if-match': '*',
      },
      body: JSON.stringify({ 'support-reads-colleagues': limited(904) }),
    })
    expect(status).toBe(200)
    await page.reload()
    await restored(page).waitFor()
    await page.getByRole('button', { name: 'Save…' }).click()
    await page.getByRole('alert', { name: 'Changed meanwhile' }).getByText('904').waitFor()
    await page.getByRole('button', { name: 'Take theirs, drop mine' }).click()
    await expect.poll(() => json(page).inputValue()).toContain('904')
    expect(await restored(page).count()).toBe(0)
  })

  test('signing in again is a dialog over the page: edits stay, and nothing is sent by itself', async () => {
    visitor = await admin.visit()
    const { page, context } = visitor
    await visitor.signIn()
    await visitor.go(rulePage)
    const before = await limitOf()
    await json(page).fill(JSON.stringify(limited(905)))
    await page.getByRole('button', { name: 'Save…' }).click()
    const saving = page.getByRole('dialog', { name: /^Save support/ })
    await saving.getByLabel('Note').fill('while the session lasted')
    await endSession(context)
    await saving.getByRole('button', { name: 'Save', exact: true }).click()
    await ended(page).getByText('Your session has ended').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.keyboard.press('Escape')
    await ended(page).getByLabel('Master key').fill('not the key of this engine, but as long')
    await ended(page).getByRole('button', { name: 'Sign in' }).click()
    await ended(page).getByText('This is not the master key.').waitFor()
    await signInAgain(page)
    await settled(page)
    expect(await limitOf()).toBe(before)
    expect(await saving.getByLabel('Note').inputValue()).toBe('while the session lasted')
    await saving.getByRole('button', { name: 'Save', exact: true }).click()
    await saving.waitFor({ state: 'hidden' })
    expect(await limitOf()).toBe(905)
    await page.reload()
    await settled(page)
    expect(await restored(page).count()).toBe(0)
  })

  test('a drawer stays open under the dialog, with its edits', async () => {
    visitor = await admin.visit()
    const { page, context } = visitor
    await visitor.signIn()
    await visitor.go('/data/main/categories?as=described&role=manager')
    await page.getByRole('button', { name: 'New row' }).click()
    await ofRow(page).fill('Over the end of a session')
    await endSession(context)
    await page.getByRole('button', { name: 'Insert' }).click()
    await signInAgain(page)
    expect(await ofRow(page).inputValue()).toBe('Over the end of a session')
  })

  test('another account leaves the page, and sees no edits of the first', async () => {
    visitor = await admin.visit()
    const { page, context } = visitor
    await visitor.signIn()
    await visitor.go(rulePage)
    await json(page).fill(JSON.stringify(limited(906)))
    await endSession(context)
    await page.getByRole('link', { name: 'Audit' }).click()
    await ended(page).waitFor()
    const sessions = '**/admin/api/session'
    await page.route(sessions, async (route) => {
      const response = await route.fetch()
      const { session } = (await response.json()) as { readonly session: object | null }
      await route.fulfill({
        response,
        json: { session: session && { ...session, account: 'somebody else' } },
      })
    })
    await signInAgain(page)
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await visitor.go(rulePage)
    expect(await json(page).inputValue()).not.toContain('906')
    expect(await restored(page).count()).toBe(0)
    // The first account finds its edits again.
    await page.unroute(sessions)
    await page.reload()
    await restored(page).waitFor()
    expect(await json(page).inputValue()).toContain('906')
  })

  test('two tabs: the session of one is that of the other; signing out asks, and takes no edit of another tab', async () => {
    visitor = await admin.visit()
    const { page, context } = visitor
    await visitor.signIn()
    await visitor.go(rulePage)
    await json(page).fill(JSON.stringify(limited(907)))
    const other = await context.newPage()
    await other.goto(`${world.url}/settings`)
    await other.getByLabel('Max queued requests').fill('5555')
    await endSession(context)
    await page.getByRole('link', { name: 'Audit' }).click()
    await ended(page).waitFor()
    await other.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    await ended(other).waitFor()
    await signInAgain(page)
    await ended(other).waitFor({ state: 'detached' })
    expect(await other.getByLabel('Max queued requests').inputValue()).toBe('5555')
    await page.getByRole('button', { name: 'Sign out' }).click()
    const asking = page.getByRole('dialog', { name: /drop unsaved changes/ })
    await asking.getByRole('button', { name: 'Cancel' }).click()
    await asking.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Sign out' }).click()
    await asking.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in to Engine' }).waitFor()
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).toBe('{}')
    await other.getByRole('heading', { name: 'Sign in to Engine' }).waitFor()
    await other.getByLabel('Master key').fill(masterKey)
    await other.getByRole('button', { name: 'Sign in' }).click()
    await restored(other).waitFor()
    expect(await other.getByLabel('Max queued requests').inputValue()).toBe('5555')
    await visitor.go(rulePage)
    expect(await json(page).inputValue()).not.toContain('907')
  })
})
