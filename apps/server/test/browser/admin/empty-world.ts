/** @module A server without databases and rules, to be set up in its pages. */
import { join } from 'node:path'
import type { AdminSite } from '@engine/admin'
import { type AdminWorld, openAdminWorld } from './admin-world.ts'

/** @returns the path of the demo shop, which is not connected. */
export async function openEmptyWorld(
  site: AdminSite,
): Promise<AdminWorld & { readonly shop: string }> {
  let shop = ''
  const world = await openAdminWorld(site, (folder) => {
    shop = join(folder, 'shop.db')
    return {
      mode: 'interactive',
      connections: {},
      permissions: {},
      auth: { secret: 'a secret of at least thirty-two bytes', throttle: false },
    }
  })
  return { ...world, shop }
}
