/** @module apps/example-saas in a real browser: two organisations on PostgreSQL, and nothing of one in the other. */
import { silentLog } from '@engine/core'
import { saasConfig } from '@engine/example-saas'
import {
  describeBrowser,
  launchBrowser,
  type PageServer,
  startPageServer,
} from '@engine/test-browser'
import { describePostgres } from '@engine/test-databases/vitest'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningServer, serve } from '../../src/serve.ts'
import { newEmail, password } from '../support/accounts.ts'
import { createFolder, type TestFolder } from '../support/folder.ts'
import { createSaasDatabase, query } from '../support/saas-database.ts'
import { buildExample } from './build-example.ts'

/** A person with a browser of their own. */
interface Visitor {
  readonly tab: Page
  readonly email: string
  /** Every answer of the engine to the page. */
  readonly answers: () => Promise<string>
  /** Errors of the page. */
  readonly complaints: readonly string[]
}

interface Answer {
  readonly status: number
  readonly text: string
}

const saasTests = (): void => {
  let folder: TestFolder
  let database: string
  let pages: PageServer
  let engine: RunningServer
  let browser: Browser

  beforeAll(async () => {
    folder = createFolder()
    database = await createSaasDatabase()
    pages = await startPageServer()
    engine = await serve({
      config: saasConfig({
        database,
        serviceDatabase: `${folder.path}/engine.db`,
        page: pages.url,
        mailbox: true,
      }),
      port: 0,
      host: '127.0.0.1',
      isDevelopment: true,
      log: silentLog,
    })
    pages.show(await buildExample('example-saas', engine.url))
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await engine?.stop(0)
    await pages?.close()
    folder?.remove()
  })

  async function arrive(email = newEmail()): Promise<Visitor> {
    const context = await browser.newContext()
    context.setDefaultTimeout(10_000)
    const tab = await context.newPage()
    const complaints: string[] = []
    const texts: Promise<string>[] = []
    tab.on('pageerror', (error) => complaints.push(String(error)))
    tab.on('response', (response) => {
      if (response.url().startsWith(engine.url)) texts.push(response.text().catch(() => ''))
    })
    await tab.goto(pages.url)
    return { tab, email, complaints, answers: async () => (await Promise.all(texts)).join('\n') }
  }
  const press = (tab: Page, name: string) => tab.getByRole('button', { name }).click()
  const items = (tab: Page, list: string) =>
    tab.getByRole('list', { name: list }).getByRole('listitem').locator('strong').allTextContents()

  async function found(organisation: string, name: string): Promise<Visitor> {
    const visitor = await arrive()
    const { tab, email } = visitor
    await press(tab, 'Create an account')
    await tab.getByLabel('Name').fill(name)
    await tab.getByLabel('E-mail').fill(email)
    await tab.getByLabel('Password').fill(password)
    await press(tab, 'Sign up')
    await tab.getByLabel('Organisation').fill(organisation)
    await press(tab, 'Create it')
    await tab.getByRole('heading', { name: organisation }).waitFor()
    return visitor
  }
  async function invite({ tab }: Visitor, email: string, role = 'member'): Promise<void> {
    await tab.getByLabel('E-mail of the colleague').fill(email)
    await tab.getByLabel('Role').selectOption(role)
    await press(tab, 'Send the invitation')
  }
  /** Follows the link of the invitation in the mailbox. */
  async function openInvitation({ tab, email }: Visitor): Promise<void> {
    const mail = tab
      .getByRole('article')
      .filter({ hasText: email })
      .filter({ hasText: /invited/i })
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
  async function accept(visitor: Visitor, name: string): Promise<void> {
    const { tab, email } = visitor
    await openInvitation(visitor)
    await expect.poll(() => tab.getByLabel('E-mail').inputValue()).toBe(email)
    expect(tab.url()).toBe(`${pages.url}/`)
    await tab.getByLabel('Name').fill(name)
    await tab.getByLabel('Password').fill(password)
    await press(tab, 'Join')
  }
  async function addProject({ tab }: Visitor, title: string): Promise<void> {
    await tab.getByLabel('New project').fill(title)
    await press(tab, 'Add')
    await expect.poll(() => items(tab, 'Projects')).toContain(title)
  }
  /** A request with the token of the visitor, as a program in the page could send it. */
  async function send({ tab }: Visitor, path: string, body: object): Promise<Answer> {
    const stored = await tab.evaluate(() => localStorage.getItem('engine.session') ?? '{}')
    const { token } = JSON.parse(stored)
    const response = await fetch(`${engine.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: response.status, text: await response.text() }
  }
  const sql = (visitor: Visitor, text: string, params: readonly unknown[] = []) =>
    send(visitor, '/data', { sql: text, params, method: 'all' })

  test('two organisations work beside each other, and neither sees anything of the other', async () => {
    const ada = await found('Acme', 'Ada')
    const eve = await found('Birch', 'Eve')
    await addProject(ada, 'Rocket skates')
    await addProject(eve, 'Paper planes')

    const bob = await arrive()
    await invite(ada, bob.email)
    await expect.poll(() => items(ada.tab, 'Invitations')).toEqual([bob.email])
    await accept(bob, 'Bob')
    await bob.tab.getByRole('heading', { name: 'Acme' }).waitFor()
    await expect.poll(() => items(bob.tab, 'Projects')).toEqual(['Rocket skates'])
    await addProject(bob, 'Giant magnet')
    // A member neither invites nor deletes.
    expect(await bob.tab.getByRole('button', { name: 'Delete' }).count()).toBe(0)
    expect(await bob.tab.getByLabel('E-mail of the colleague').count()).toBe(0)

    await ada.tab.reload()
    await expect.poll(() => items(ada.tab, 'Projects')).toEqual(['Rocket skates', 'Giant magnet'])
    await expect.poll(() => items(ada.tab, 'Members')).toEqual(['Ada (you)', 'Bob'])
    expect(await items(ada.tab, 'Invitations')).toEqual([])
    await eve.tab.reload()
    await expect.poll(() => items(eve.tab, 'Projects')).toEqual(['Paper planes'])
    expect(await items(eve.tab, 'Members')).toEqual(['Eve (you)'])

    const foreign = /Acme|Rocket|magnet|Ada|Bob/
    expect(await eve.answers()).not.toMatch(foreign)
    expect(await ada.answers()).not.toMatch(/Birch|Paper|Eve/)
    expect([...ada.complaints, ...bob.complaints, ...eve.complaints]).toEqual([])
  })

  test('statements and actions that ask for the other organisation get nothing', async () => {
    const ada = await found('Cedar', 'Ada')
    const eve = await found('Dune', 'Eve')
    await addProject(ada, 'Secret garden')
    const invited = newEmail()
    await invite(ada, invited)
    await expect.poll(() => items(ada.tab, 'Invitations')).toEqual([invited])
    const [cedar] = await query(
      database,
      `select o.id, p.id as project, u.id as ada from organisations o
        join projects p on p.organisation_id = o.id join users u on u.organisation_id = o.id
        where o.name = 'Cedar'`,
    )
    const { id, project, ada: owner } = cedar as Record<'id' | 'project' | 'ada', string>
    const listed = await send(ada, '/actions/invitations', {})
    const [{ id: invitation }] = JSON.parse(listed.text)
    const before = await everything(database)

    const answers = [
      await sql(eve, 'select * from main.projects'),
      await sql(eve, 'select title from main.projects where id = $1', [project]),
      await sql(eve, 'select id, email, name, role from main.users'),
      await sql(eve, 'select * from main.organisations'),
      await sql(eve, 'select count(*) from main.projects where created_by = $1', [owner]),
      await sql(eve, 'update main.projects set title = $1 where id = $2', ['mine', project]),
      await sql(eve, 'delete from main.projects where id = $1', [project]),
      await sql(eve, 'insert into main.projects (title, organisation_id) values ($1, $2)', [
        'x',
        id,
      ]),
      await sql(eve, 'update main.projects set organisation_id = $1', [id]),
      await sql(eve, 'update main.users set role = $1', ['owner']),
      await sql(eve, 'update main.users set organisation_id = $1', [id]),
      await send(eve, '/actions/invitations', { organisation_id: id, scope: id }),
      await send(eve, '/actions/revokeInvitation', { id: invitation }),
      await send(eve, '/actions/revokeInvitation', { id: invitation, scope: id }),
      await send(eve, '/actions/invite', { email: newEmail(), role: 'admin' }),
      await send(eve, '/actions/createOrganisation', { name: 'Another' }),
    ]
    expect(answers.map(({ text }) => text).join('\n')).not.toMatch(
      new RegExp(`Cedar|Secret|${ada.email}|${invited}|Ada`),
    )
    expect(answers.slice(7, 11).map(({ status }) => status)).toEqual([403, 403, 403, 403])
    expect(answers.slice(11).map(({ status }) => status)).toEqual([200, 404, 404, 400, 403])
    expect(await everything(database)).toEqual(before)

    // An invitation that names another organisation in its input leads to that of the inviting owner.
    const guest = await arrive()
    const fields = { organisation_id: id }
    const sent = { email: guest.email, role: 'member', scope: id, fields, organisation_id: id }
    expect((await send(eve, '/actions/invite', sent)).status).toBe(200)
    await accept(guest, 'Guest')
    await guest.tab.getByRole('heading', { name: 'Dune' }).waitFor()
    expect(await items(guest.tab, 'Projects')).toEqual([])
  })

  test('no owner takes over a member of another organisation', async () => {
    const ada = await found('Elm', 'Ada')
    const eve = await found('Fjord', 'Eve')
    await invite(eve, ada.email, 'member')
    await expect.poll(() => items(eve.tab, 'Invitations')).toEqual([ada.email])
    await openInvitation(ada)
    await ada.tab.getByLabel('Password').fill('another good password')
    await ada.tab.getByLabel('Name').fill('Ada')
    await press(ada.tab, 'Join')
    await ada.tab.getByRole('alert').waitFor()
    expect(await ada.tab.getByRole('alert').textContent()).toContain('There is an account')
    await press(ada.tab, 'Not now')
    await ada.tab.getByRole('heading', { name: 'Elm' }).waitFor()
    await press(eve.tab, 'Revoke')
    await expect.poll(() => items(eve.tab, 'Invitations')).toEqual([])
    expect(await items(eve.tab, 'Members')).toEqual(['Eve (you)'])
  })

  test('an invitation with an unknown token is refused, and the token leaves the address bar', async () => {
    const { tab } = await arrive()
    const opened = await tab.context().newPage()
    await opened.goto(`${pages.url}/#/invitation?token=${'A'.repeat(43)}`)
    await opened.getByRole('alert').waitFor()
    expect(opened.url()).toBe(`${pages.url}/`)
  })

  test.each([1440, 390])('nothing is wider than a window of %i pixels', async (width) => {
    const owner = await found(`Grove ${width}, a company with a rather long name`, 'Ada Lovelace')
    const { tab } = owner
    await tab.setViewportSize({ width, height: 900 })
    await addProject(owner, 'Pneumonoultramicroscopicsilicovolcanoconiosis'.repeat(2))
    await addProject(owner, 'Ship the first version')
    await addProject(owner, 'Write to all customers who waited for it since spring')
    const shipped = tab.getByRole('checkbox', { name: 'Ship the first version' })
    await shipped.click()
    await expect.poll(() => shipped.isChecked()).toBe(true)
    await invite(owner, `grace.hopper.${width}@a-long-name-of-a-company.example.com`)
    await expect.poll(() => items(tab, 'Invitations')).toHaveLength(1)
    const overflow = () =>
      tab.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      )
    expect(await overflow()).toBe(0)
    await press(tab, 'Sign out')
    await press(tab, 'Create an account')
    expect(await overflow()).toBe(0)
  })
}

describePostgres('a SaaS of several organisations', () => {
  describeBrowser('in a browser', saasTests)
})

/** Every row of the application, as PostgreSQL has it. */
async function everything(database: string): Promise<readonly unknown[]> {
  const all: unknown[] = []
  for (const table of ['organisations', 'users', 'projects']) {
    all.push(await query(database, `select * from ${table} order by id`))
  }
  return all
}
