/** @module The pages of an administrator, built and served, with a browser to visit them. */
import type { AdminSite } from '@engine/admin'
import { launchBrowser } from '@engine/test-browser'
import { type AdminWorld, buildSite } from './admin-world.ts'
import { type Visitor, type VisitorOptions, visit } from './visit.ts'

export interface AdminPage {
  readonly world: AdminWorld
  /** Of the built files. */
  readonly directory: string
  /** Opens the pages in a context of their own. */
  visit(options?: VisitorOptions): Promise<Visitor>
  close(): Promise<void>
}

/** @param open starts the server with the built pages, and fills it. */
export async function openAdminPage(
  open: (site: AdminSite) => Promise<AdminWorld>,
): Promise<AdminPage> {
  const { site, directory, remove } = await buildSite()
  const ends: (() => Promise<void> | void)[] = [remove]
  const close = async () => {
    for (const end of ends.toReversed()) await end()
  }
  try {
    const world = await open(site)
    ends.push(world.close)
    const browser = await launchBrowser()
    ends.push(() => browser.close())
    return { world, directory, visit: (options) => visit(browser, world, options), close }
  } catch (error) {
    await close()
    throw error
  }
}
