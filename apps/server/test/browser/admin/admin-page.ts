/** @module The pages of an administrator, built and served, with a browser to visit them. */
import type { AdminSite } from '@engine/admin'
import { launchBrowser } from '@engine/test-browser'
import type { AdminWorld } from './admin-world.ts'
import { type BuiltSite, builtSite } from './built-site.ts'
import { type Visitor, type VisitorOptions, visit } from './visit.ts'

/** The built pages, and a browser. */
export interface AdminBrowser extends BuiltSite {
  /** Opens the pages of a server in a context of their own. */
  visit(world: AdminWorld, options?: VisitorOptions): Promise<Visitor>
  close(): Promise<void>
}

/** The pages of one server. */
export interface AdminPage<World extends AdminWorld = AdminWorld> {
  readonly world: World
  readonly browser: AdminBrowser
  /** Opens the pages in a context of their own. */
  visit(options?: VisitorOptions): Promise<Visitor>
  close(): Promise<void>
}

export async function openAdminBrowser(): Promise<AdminBrowser> {
  const built = await builtSite()
  const browser = await launchBrowser()
  return {
    ...built,
    visit: (world, options) => visit(browser, world, options),
    close: () => browser.close(),
  }
}

/** @param open starts the server with the built pages, and fills it. */
export async function openAdminPage<World extends AdminWorld>(
  open: (site: AdminSite) => Promise<World>,
): Promise<AdminPage<World>> {
  const browser = await openAdminBrowser()
  try {
    const world = await open(browser.site)
    return {
      world,
      browser,
      visit: (options) => browser.visit(world, options),
      close: async () => {
        await browser.close()
        await world.close()
      },
    }
  } catch (error) {
    await browser.close()
    throw error
  }
}
