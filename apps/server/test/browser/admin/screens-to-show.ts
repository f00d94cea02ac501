/** @module The screens of a stored configuration and of the first run, and what is done before each is shown. */
import type { Page } from 'playwright-core'

export interface Shot {
  readonly name: string
  /** Within `/admin`; undefined: where the page is. */
  readonly path?: string
  readonly prepare?: (page: Page) => Promise<void>
}

export const storedShots: readonly Shot[] = [
  {
    name: 'permission-editor',
    path: '/permissions/support-moves-orders',
    prepare: async (page) => {
      await page.getByRole('tab', { name: 'Update' }).click()
      await page.getByRole('region', { name: 'Preview' }).waitFor()
    },
  },
  {
    name: 'connection',
    path: '/connections',
    prepare: async (page) => {
      await page.getByRole('row').filter({ hasText: 'shop.db' }).click()
      await page.getByRole('button', { name: 'Test' }).click()
      await page.getByRole('status', { name: 'Test' }).waitFor()
    },
  },
  { name: 'settings', path: '/settings' },
  { name: 'settings-actions', path: '/settings/actions' },
]

/** @param shop the path of a database. Each goes on where the one before it ended. */
export function firstRunShots(shop: string): readonly Shot[] {
  return [
    {
      name: 'start-connect',
      prepare: async (page) => {
        await page.getByRole('radio', { name: 'SQLite' }).check()
        await page.getByLabel('File', { exact: true }).fill(shop)
        await page.getByRole('button', { name: 'Test the connection' }).click()
        await page
          .getByRole('status', { name: 'Test' })
          .getByText('Connected', { exact: true })
          .waitFor()
      },
    },
    {
      name: 'start-tables',
      prepare: async (page) => {
        await page.getByRole('button', { name: 'Save and continue' }).click()
        await page
          .getByRole('row')
          .filter({ hasText: /^orders/ })
          .waitFor()
      },
    },
    {
      name: 'start-rules',
      prepare: async (page) => {
        await page.getByRole('button', { name: 'Continue' }).click()
        await page.getByLabel('Access to products').click()
        await page.getByRole('option', { name: 'Read', exact: true }).click()
        await page.getByText('Every row, for everybody').waitFor()
      },
    },
    {
      name: 'start-try',
      prepare: async (page) => {
        await page.getByRole('button', { name: 'Review and save…' }).click()
        await page
          .getByRole('dialog')
          .getByRole('button', { name: 'Save', exact: true })
          .click({ timeout: 60_000 })
        await page.getByLabel('Table', { exact: true }).click()
        await page.getByRole('option', { name: 'orders', exact: true }).click()
        await page.getByRole('button', { name: 'Find values' }).click()
        await page.getByRole('button', { name: '7', exact: true }).click()
        await page.getByText('shipped').first().waitFor()
      },
    },
    {
      name: 'start-use',
      prepare: async (page) => {
        await page.getByRole('button', { name: 'Continue' }).click()
        await page.getByRole('button', { name: 'Create key' }).click()
        await page.getByRole('region', { name: 'key' }).waitFor()
      },
    },
  ]
}
