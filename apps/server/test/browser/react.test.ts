/** @module apps/example-react in a real browser, its page and its engine on different origins. */
import { setTimeout as sleep } from 'node:timers/promises'
import { silentLog } from '@engine/core'
import { notesConfig } from '@engine/example-react'
import {
  describeBrowser,
  launchBrowser,
  type PageServer,
  startPageServer,
} from '@engine/test-browser'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type RunningServer, serve } from '../../src/serve.ts'
import { newEmail, password } from '../support/accounts.ts'
import { createFolder, type TestFolder } from '../support/folder.ts'
import { buildExample } from './build-example.ts'

describeBrowser('a React page in a browser', () => {
  let folder: TestFolder
  let pages: PageServer
  let engine: RunningServer
  let browser: Browser
  /** The tabs of one visitor: they share cookies and storage. */
  let visitor: BrowserContext
  /** Errors and warnings of the page. */
  let complaints: string[]

  beforeAll(async () => {
    folder = createFolder()
    pages = await startPageServer()
    const config = notesConfig({ folder: folder.path, page: pages.url, mailbox: true })
    engine = await serve({
      config: {
        ...config,
        // A token is renewed as soon as a second has passed.
        auth: { ...config.auth, session: { expiresIn: '1h', refreshWindow: '3599s' } },
      },
      port: 0,
      host: '127.0.0.1',
      isDevelopment: true,
      log: silentLog,
    })
    pages.show(await buildExample('example-react', engine.url))
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await engine?.stop(0)
    await pages?.close()
    folder?.remove()
  })
  beforeEach(async () => {
    complaints = []
    visitor = await browser.newContext()
    visitor.setDefaultTimeout(10_000)
  })
  afterEach(() => visitor.close())

  async function openTab(path = '/'): Promise<Page> {
    const tab = await visitor.newPage()
    tab.on('pageerror', (error) => complaints.push(String(error)))
    await tab.goto(`${pages.url}${path}`)
    return tab
  }
  async function signUp(tab: Page): Promise<string> {
    const email = newEmail()
    await tab.getByLabel('E-mail').fill(email)
    await tab.getByLabel('Password').fill(password)
    await tab.getByRole('button', { name: 'Sign up' }).click()
    await tab.getByText(email).waitFor()
    return email
  }
  async function addNote(tab: Page, text: string): Promise<void> {
    await tab.getByLabel('New note').fill(text)
    await tab.getByRole('button', { name: 'Add' }).click()
    await tab.getByRole('listitem').filter({ hasText: text }).waitFor()
  }
  const notes = (tab: Page) => tab.getByRole('listitem').allTextContents()
  const press = (tab: Page, name: string) => tab.getByRole('button', { name }).click()
  const token = (tab: Page): Promise<string | undefined> =>
    tab.evaluate(() => JSON.parse(localStorage.getItem('engine.session') ?? '{}').token)

  test('a visitor signs up, queries with Drizzle, runs an action and signs out', async () => {
    const tab = await openTab()
    await signUp(tab)
    await addNote(tab, 'buy milk')
    await addNote(tab, 'call <b>Ada</b>')
    await tab.getByLabel('buy milk').click()
    await expect.poll(() => tab.getByLabel('buy milk').isChecked()).toBe(true)
    await press(tab, 'Tidy up')
    await expect.poll(() => notes(tab)).toEqual(['call <b>Ada</b>'])
    const used = await token(tab)
    expect(await whoIs(engine, used)).toBe(200)
    await press(tab, 'Sign out')
    await tab.getByRole('button', { name: 'Sign in' }).waitFor()
    expect(await token(tab)).toBeUndefined()
    expect(await whoIs(engine, used)).toBe(401)
    expect(complaints).toEqual([])
  })

  test('no user sees the notes of another', async () => {
    const tab = await openTab()
    await signUp(tab)
    await addNote(tab, 'mine')
    await press(tab, 'Sign out')
    await signUp(tab)
    await addNote(tab, 'of somebody else')
    expect(await notes(tab)).toEqual(['of somebody else'])
  })

  test('a session outlives a reload, and tabs sign in and out together', async () => {
    const tab = await openTab()
    const other = await openTab()
    const email = await signUp(tab)
    await other.getByText(email).waitFor()
    await addNote(other, 'from the other tab')
    await tab.reload()
    await expect.poll(() => notes(tab)).toEqual(['from the other tab'])
    await press(other, 'Sign out')
    await tab.getByRole('button', { name: 'Sign in' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('a page that comes back from where the browser kept it sees what happened meanwhile', async () => {
    const tab = await openTab()
    await signUp(tab)
    await tab.evaluate(
      `localStorage.clear(), dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`,
    )
    await tab.getByRole('button', { name: 'Sign in' }).waitFor()
  })

  test('of two tabs with an old token one renews it', async () => {
    const tab = await openTab()
    const other = await openTab()
    const email = await signUp(tab)
    const old = await token(tab)
    // All requests that sign-up caused in the tabs have been answered.
    await other.getByText(email).waitFor()
    await Promise.all([tab, other].map((each) => each.waitForLoadState('networkidle')))
    await addNote(tab, 'settled')
    await addNote(other, 'settled too')
    await sleep(1_100)
    await tab.evaluate(() => {
      const kept = JSON.parse(localStorage.getItem('engine.session') ?? '')
      const receivedAtMs = Date.now() - kept.lifeMs + 10_000
      localStorage.setItem('engine.session', JSON.stringify({ ...kept, receivedAtMs }))
    })
    const asked: string[] = []
    // Long enough for the other tab to send the same request.
    await visitor.route('**/auth/session', async (route) => {
      await sleep(500)
      await route.continue()
    })
    visitor.on('request', (request) =>
      asked.push(`${request.method()} ${new URL(request.url()).pathname}`),
    )
    await Promise.all([tab.reload(), other.reload()])
    await Promise.all([tab.getByText(email).waitFor(), other.getByText(email).waitFor()])
    await expect
      .poll(() => asked.filter((line) => line === 'POST /data'), { timeout: 10_000 })
      .toHaveLength(2)
    expect(asked.filter((line) => line === 'GET /auth/session')).toHaveLength(1)
    expect(await token(tab)).not.toBe(old)
    expect(await token(other)).toBe(await token(tab))
  })

  test('a wrong password is reported', async () => {
    const tab = await openTab()
    const email = await signUp(tab)
    await press(tab, 'Sign out')
    await tab.getByLabel('E-mail').fill(email)
    await tab.getByLabel('Password').fill('wrong password')
    await press(tab, 'Sign in')
    expect(await tab.getByRole('alert').textContent()).toContain('not the password')
  })

  test('the token of a link leaves the address bar before it is used', async () => {
    const tab = await openTab('/?lang=en#/reset?token=not-a-token-of-ours')
    await tab.getByLabel('New password').fill('an even better password')
    expect(tab.url()).toBe(`${pages.url}/?lang=en`)
    await press(tab, 'Save')
    await tab.getByRole('alert').waitFor()
    expect(complaints).toEqual([])
  })

  /** Opens the newest mail to an address in the mailbox, and follows its link. */
  async function followMail(tab: Page, email: string, subject: RegExp): Promise<void> {
    const mail = tab.getByRole('article').filter({ hasText: email }).filter({ hasText: subject })
    await expect
      .poll(
        async () => {
          await tab.goto(`${engine.url}/auth/mailbox`)
          return mail.count()
        },
        { timeout: 10_000 },
      )
      .toBeGreaterThan(0)
    await mail.first().getByRole('link').click()
  }

  test('an address is confirmed with the mail in the mailbox', async () => {
    const tab = await openTab()
    const email = await signUp(tab)
    await tab.getByText('Please confirm your address').waitFor()
    await press(tab, 'Mail it again')
    await tab.getByText('Another mail is on its way').waitFor()
    await followMail(tab, email, /confirm/i)
    await press(tab, 'Yes, confirm it')
    await tab.getByText(email).waitFor()
    expect(await tab.getByText('confirm').count()).toBe(0)
    expect(tab.url()).toBe(`${pages.url}/`)
    expect(complaints).toEqual([])
  })

  test('a forgotten password is replaced with the mail in the mailbox', async () => {
    const tab = await openTab()
    const email = await signUp(tab)
    await press(tab, 'Sign out')
    await tab.getByLabel('E-mail').fill(email)
    await press(tab, 'Forgot it')
    await tab.getByText('a mail is on its way').waitFor()
    await followMail(tab, email, /reset/i)
    await tab.getByLabel('New password').fill('an even better password')
    await press(tab, 'Save')
    await tab.getByLabel('E-mail').fill(email)
    await tab.getByLabel('Password').fill('an even better password')
    await press(tab, 'Sign in')
    await tab.getByText(email).waitFor()
    expect(complaints).toEqual([])
  })

  test('a page of another origin gets no answer', async () => {
    const tab = await openTab()
    await tab.goto(pages.url.replace('127.0.0.1', 'localhost'))
    await tab.getByLabel('E-mail').fill(newEmail())
    await tab.getByLabel('Password').fill(password)
    await press(tab, 'Sign up')
    expect(await tab.getByRole('alert').textContent()).toBe('The server cannot be reached.')
  })
})

/** Status of `GET /auth/session` with a token. */
async function whoIs(engine: RunningServer, token: string | undefined): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  return (await fetch(`${engine.url}/auth/session`, { headers })).status
}
