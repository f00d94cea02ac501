/** @module Buttons that change something, in a real browser: pressed twice they send once, and what is cancelled is never sent. */
import { describeBrowser } from '@engine/test-browser'
import type { Locator, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type AdminPage, openAdminPage } from './admin-page.ts'
import { type AdminWorld, fillWorld } from './admin-world.ts'
import { openStoredWorld } from './stored-world.ts'
import { settled, type Visitor } from './visit.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 300_000 })

interface Press {
  /** The page, and what is done there before the button is pressed. */
  readonly at: string
  readonly prepare?: (page: Page) => Promise<void>
  readonly button: (page: Page) => Locator
  /** Method and path of what it sends. */
  readonly sends: RegExp
  /** Part of its body, where the page sends others there by itself. */
  readonly body?: RegExp
}

const named = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name, exact: true })
const inDialog = (name: string) => (page: Page) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true })
const click = (name: string | RegExp) => (page: Page) => named(name)(page).first().click()
const ofMenu = (menu: string, entry: string) => async (page: Page) => {
  await named(menu)(page).click()
  await page.getByRole('menuitem', { name: entry }).click()
}
const review = (name: string | RegExp) => async (page: Page) => {
  await click(name)(page)
  await page.getByRole('dialog').getByLabel('Note').waitFor()
}
const editRule = async (page: Page) => {
  const json = page.getByLabel('Rule', { exact: true })
  const rule = JSON.parse(await json.inputValue()) as object
  await json.fill(JSON.stringify({ ...rule, select: { limit: Math.floor(Math.random() * 1e6) } }))
  await review('Save…')(page)
}
const ada = 'Actions for ada@nordwind.example'
const invited = 'Actions for new@nordwind.example'

const presses: Readonly<Record<string, Press>> = {
  'an API key': {
    at: '/api-keys',
    prepare: async (page) => {
      await click('New key')(page)
      await page.getByLabel('Name').fill('made once')
    },
    button: named('Create key'),
    sends: /^POST \/api-keys$/,
  },
  'the end of an API key': {
    at: '/api-keys',
    prepare: click('Revoke made once'),
    button: inDialog('Revoke'),
    sends: /^DELETE \/api-keys\//,
  },
  'a user': {
    at: '/users',
    prepare: async (page) => {
      await click('New user')(page)
      await page.getByLabel('Address', { exact: true }).fill('once@nordwind.example')
    },
    button: named('Create user'),
    sends: /^POST \/users$/,
  },
  'an invitation': {
    at: '/users',
    prepare: async (page) => {
      await click('Invite')(page)
      await page.getByLabel('Address', { exact: true }).fill('new@nordwind.example')
    },
    button: named('Send invitation'),
    sends: /^POST \/invitations$/,
  },
  'an invitation again': {
    at: '/users?tab=invitations',
    prepare: ofMenu(invited, 'Send again'),
    button: inDialog('Send mail'),
    sends: /^POST \/invitations\/.*resend$/,
  },
  'the end of an invitation': {
    at: '/users?tab=invitations',
    prepare: ofMenu(invited, 'Revoke'),
    button: inDialog('Revoke'),
    sends: /^DELETE \/invitations\//,
  },
  'roles of a user': {
    at: '/users',
    prepare: ofMenu(ada, 'Edit roles'),
    button: inDialog('Save'),
    sends: /^PATCH \/users\//,
  },
  'a reset mail': {
    at: '/users',
    prepare: ofMenu(ada, 'Send a reset mail'),
    button: inDialog('Send mail'),
    sends: /^POST \/users\/.*reset$/,
  },
  'the end of one session': {
    at: '/sessions',
    prepare: click('End'),
    button: inDialog('End session'),
    sends: /^DELETE \/sessions\//,
  },
  'the end of all sessions': {
    at: '/users',
    prepare: ofMenu(ada, 'End all sessions'),
    button: inDialog('End sessions'),
    sends: /^DELETE \/users\/.*sessions$/,
  },
  'a disabled user': {
    at: '/users',
    prepare: ofMenu(ada, 'Disable'),
    button: inDialog('Disable'),
    sends: /^PATCH \/users\//,
  },
  'a rule': {
    at: '/permissions/support-reads-colleagues',
    prepare: editRule,
    button: inDialog('Save'),
    sends: /^PATCH \/config\/permissions$/,
  },
  'the undo of a rule': {
    at: '/permissions/support-reads-colleagues',
    prepare: async (page) => {
      await editRule(page)
      await inDialog('Save')(page).click()
    },
    button: named('Undo'),
    sends: /^POST \/config\/revisions\/\d+\/undo$/,
  },
  settings: {
    at: '/settings',
    prepare: async (page) => {
      await page.getByLabel('Max queued requests').fill('77')
      await review('Save…')(page)
    },
    button: inDialog('Save'),
    sends: /^PATCH \/config$/,
  },
  'a renamed role': {
    at: '/settings/roles',
    prepare: async (page) => {
      await click('Rename manager')(page)
      await page.getByLabel('New name').fill('managers')
      await review('Review…')(page)
    },
    button: inDialog('Rename'),
    sends: /^PATCH \/config\/roles$/,
  },
  'a new row': {
    at: '/data/main/categories?as=described&role=manager',
    prepare: async (page) => {
      await click('New row')(page)
      await page.getByRole('dialog').getByLabel('name', { exact: true }).fill('Pressed twice')
    },
    button: inDialog('Insert'),
    sends: /^POST \/query$/,
    body: /insert into/,
  },
  'a statement': {
    at: '/query?sql=select%201',
    button: named(/^Run as/),
    sends: /^POST \/query$/,
  },
  'an explanation': {
    at: '/explain?sql=select%201',
    button: named(/^Explain for/),
    sends: /^POST \/explain$/,
  },
  'a simulation': {
    at: '/explain?sql=select%201',
    button: named('Simulate'),
    sends: /^POST \/simulate$/,
  },
  'an action': {
    at: '/actions/restock',
    prepare: (page) => page.getByLabel('product', { exact: true }).fill('7'),
    button: named(/^Run as/),
    sends: /^POST \/actions\/restock$/,
  },
  'a tried write': {
    at: '/permissions/support-reads-colleagues',
    prepare: (page) =>
      page.getByLabel('Statement', { exact: true }).fill('delete from main.employees'),
    button: named('Simulate'),
    sends: /^POST \/config\/preview$/,
    body: /"write"/,
  },
  'a schema that is read again': {
    at: '/schema',
    button: named('Refresh'),
    sends: /^POST \/schema\/refresh$/,
  },
  'a tested connection': {
    at: '/connections',
    prepare: async (page) => {
      await page.getByRole('row').filter({ hasText: 'extra' }).click()
    },
    button: named('Test'),
    sends: /^POST \/config\/connections\/extra\/test$/,
  },
  'a saved connection': {
    at: '/connections',
    prepare: async (page) => {
      await page.getByRole('row').filter({ hasText: 'extra' }).click()
      await page.getByLabel('Max connections').fill('3')
      await review('Save…')(page)
    },
    button: inDialog('Save'),
    sends: /^PUT \/config\/connections\/extra$/,
  },
  'the key of the first run': {
    at: '/start/use?connection=main&role=customer',
    button: named('Create key'),
    sends: /^POST \/api-keys$/,
  },
  'signing out': {
    at: '',
    button: named('Sign out'),
    sends: /^POST \/sign-out$/,
  },
}

const cancellable = ['an API key', 'roles of a user', 'a rule', 'a saved connection']

describeBrowser('buttons that change something', () => {
  let admin: AdminPage
  let world: AdminWorld
  let visitor: Visitor

  beforeAll(async () => {
    admin = await openAdminPage(openStoredWorld)
    world = admin.world
    await fillWorld(world)
    visitor = await admin.visit()
    await visitor.signIn()
  })
  afterAll(() => admin?.close())

  /** Requests that match are counted and wait. */
  const hold = async ({ sends, body = /^/ }: Pick<Press, 'sends' | 'body'>) => {
    const held: Route[] = []
    let isHeld = true
    let count = 0
    const pattern = /\/admin\/api\//
    await visitor.page.route(pattern, async (route) => {
      const request = route.request()
      const { pathname, searchParams } = new URL(request.url())
      const what = `${request.method()} ${pathname.replace(/^.*\/admin\/api/, '')}`
      const isOther = !sends.test(what) || !body.test(request.postData() ?? '')
      if (isOther || searchParams.has('dryRun')) return route.continue()
      count += 1
      if (isHeld) held.push(route)
      else await route.continue()
    })
    return {
      count: () => count,
      release: async () => {
        isHeld = false
        await Promise.all(held.map((route) => route.continue()))
      },
      drop: async () => {
        isHeld = false
        await Promise.all(held.map((route) => route.abort().catch(() => undefined)))
      },
      end: () => visitor.page.unroute(pattern),
    }
  }

  const prepared = async (name: string) => {
    const press = presses[name] as Press
    // Edits of the test before.
    await visitor.page.evaluate('sessionStorage.clear()')
    await visitor.go(press.at)
    await press.prepare?.(visitor.page)
    const button = press.button(visitor.page).first()
    await button.waitFor()
    await settled(visitor.page)
    return { press, button }
  }

  test.each(cancellable)(
    'cancelled on its way, %s is given up, and the page says so',
    async (name) => {
      const { page } = visitor
      const { press, button } = await prepared(name)
      const requests = await hold(press)
      const failed = page.waitForEvent('requestfailed')
      await button.click()
      await expect.poll(requests.count).toBe(1)
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
      expect((await failed).failure()?.errorText).toBe('net::ERR_ABORTED')
      await page.getByText('Cancelled on its way').first().waitFor()
      await requests.drop()
      await settled(page)
      expect(requests.count()).toBe(1)
      await requests.end()
    },
  )

  test.each(cancellable)(
    '%s that could not be sent and was cancelled is not sent later',
    async (name) => {
      const { page, context } = visitor
      const { press, button } = await prepared(name)
      await context.setOffline(true)
      await button.click()
      const dialog = page.getByRole('dialog')
      await page.getByText('The server cannot be reached').first().waitFor()
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      const requests = await hold(press)
      await requests.release()
      await context.setOffline(false)
      await page.waitForResponse(/\/admin\/api\/status/)
      await settled(page)
      expect(requests.count()).toBe(0)
      await requests.end()
    },
  )

  test.each(Object.keys(presses))('pressed twice, the button sends once: %s', async (name) => {
    const { page } = visitor
    const { press, button } = await prepared(name)
    const requests = await hold(press)
    await button.dblclick()
    await expect.poll(requests.count).toBe(1)
    await requests.release()
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
    await settled(page)
    expect(requests.count()).toBe(1)
    await requests.end()
  })

  test('pressed twice, signing in sends once', async () => {
    const { page } = visitor
    await page.getByLabel('Master key').fill('not the key of this engine, but as long')
    const requests = await hold({ sends: /^POST \/sign-in$/ })
    await page.getByRole('button', { name: 'Sign in' }).dblclick()
    await expect.poll(requests.count).toBe(1)
    await requests.release()
    await page.getByText('This is not the master key.').waitFor()
    expect(requests.count()).toBe(1)
  })
})
