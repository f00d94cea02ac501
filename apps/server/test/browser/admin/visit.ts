/** @module A visitor of the administrator's pages who notes everything that a page must not do. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { type AdminWorld, masterKey } from './admin-world.ts'

export interface Visitor {
  readonly context: BrowserContext
  readonly page: Page
  /** Errors and warnings of the console, uncaught errors, violations of the policy, alerts. */
  readonly complaints: string[]
  /** Origins of all requests. */
  readonly origins: Set<string>
  /** Goes to a page within `/admin`, whatever was typed on the one before. */
  go(path: string): Promise<void>
  /** @param heading of the page that opens. */
  signIn(heading?: string): Promise<void>
  close(): Promise<void>
}

export interface VisitorOptions {
  readonly colorScheme?: 'light' | 'dark'
  readonly width?: number
}

export async function visit(
  browser: Browser,
  world: AdminWorld,
  { colorScheme = 'light', width = 1440 }: VisitorOptions = {},
): Promise<Visitor> {
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } })
  context.setDefaultTimeout(30_000)
  const page = await context.newPage()
  const complaints: string[] = []
  const origins = new Set<string>()
  let isLeaving = false
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('dialog', (dialog) => {
    if (isLeaving && dialog.type() === 'beforeunload') {
      void dialog.accept()
      return
    }
    complaints.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol !== 'data:') origins.add(origin)
  })
  return {
    context,
    page,
    complaints,
    origins,
    go: async (path) => {
      isLeaving = true
      await page.goto(`${world.url}${path}`)
      isLeaving = false
      await settled(page)
    },
    signIn: async (heading = 'Overview') => {
      await page.goto(world.url)
      await page.getByLabel('Master key').fill(masterKey)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('heading', { name: heading }).waitFor()
      await settled(page)
    },
    close: () => context.close(),
  }
}

/** Nothing loads or moves any more. */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.locator('main [aria-busy="true"]').first().waitFor({ state: 'detached' })
  // Lists and dialogs that are opening or closing.
  const moving = page.locator('[data-starting-style], [data-ending-style]')
  await moving.first().waitFor({ state: 'detached' })
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeViolation {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** Serious faults of accessibility in the page: rule, and the first element. */
export async function accessibilityFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe)
  const { violations } = (await page.evaluate(
    'axe.run(document, { resultTypes: ["violations"] })',
  )) as { readonly violations: readonly AxeViolation[] }
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`)
}

const explained = new URLSearchParams({
  sql: 'select id, status from main.orders where total_cents > 1000',
  as: 'described',
  role: 'customer',
  fields: '{"customer_id":7}',
})

/** Every page, by its name. */
export const routes: Readonly<Record<string, string>> = {
  overview: '',
  start: '/start',
  schema: '/schema',
  table: '/schema/main/orders',
  data: '/data',
  rows: '/data/main/orders?as=described&role=manager',
  actions: '/actions',
  action: '/actions/restock',
  query: '/query?sql=select%201',
  permissions: '/permissions',
  permission: '/permissions/customers-own-orders',
  explain: `/explain?${explained}`,
  users: '/users',
  sessions: '/sessions',
  'api-keys': '/api-keys',
  metrics: '/metrics',
  audit: '/audit',
  outbox: '/outbox',
  connections: '/connections',
  'wire-connections': '/wire-connections',
  revisions: '/revisions',
  'new-permission': '/new-permission',
  settings: '/settings',
  'settings-actions': '/settings/actions',
  'settings-roles': '/settings/roles',
  configuration: '/configuration',
  nowhere: '/no/such/page',
}

/** An hour of figures, the same each time: a node that has just started has none. */
export async function showMetrics(page: Page): Promise<void> {
  const points = Array.from({ length: 360 }, (_, index) => {
    const wave = Math.sin(index / 24) + Math.sin(index / 7) / 3 + 1.6
    return {
      at: new Date(Date.now() - (360 - index) * 10_000).toISOString(),
      requests: Math.round(wave * 160),
      errors: index % 90 === 40 ? 12 : 0,
      denials: index % 31 === 3 ? 30 : 2,
      p50Ms: 2 + wave,
      p95Ms: index === 359 ? 123 : 9 + wave * 6,
      running: Math.round(wave * 2),
      waiting: index % 60 < 4 ? 3 : 0,
      poolBusy: Math.round(wave * 2),
      poolSize: 10,
      memoryBytes: 110_000_000 + index * 30_000 - (index % 50) * 300_000,
    }
  })
  const connections = { main: { statements: 48_210, p50Ms: 1.4, p95Ms: 8.6 } }
  const body = JSON.stringify({ stepSeconds: 10, points, connections })
  await page.route('**/admin/api/metrics', (route) =>
    route.fulfill({ body, contentType: 'application/json' }),
  )
}
