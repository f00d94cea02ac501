/** @module The same server with a stored configuration, so that the pages change it. */
import { join } from 'node:path'
import type { AdminSite } from '@engine/admin'
import { type AdminWorld, openAdminWorld } from './admin-world.ts'

export function openStoredWorld(site: AdminSite): Promise<AdminWorld> {
  return openAdminWorld(site, (folder) => ({
    mode: 'interactive',
    connections: {
      main: join(folder, 'shop.db'),
      extra: { url: join(folder, 'extra.db'), create: true },
    },
  }))
}
