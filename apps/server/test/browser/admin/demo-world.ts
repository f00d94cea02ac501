/** @module The demo as `npm start` serves it, with the link that it prints. */
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AdminSite } from '@engine/admin'
import { silentLog } from '@engine/core'
import { prepareDemo } from '../../../src/demo/demo.ts'
import { tourLink } from '../../../src/demo/tour-link.ts'
import { serve } from '../../../src/serve.ts'
import { type AdminWorld, masterKey } from './admin-world.ts'

export interface DemoWorld extends AdminWorld {
  /** A new link that signs in and begins the tour. It works once. */
  link(): string
}

export async function openDemoWorld(adminSite: AdminSite): Promise<DemoWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'engine-demo-world-'))
  const demo = await prepareDemo(folder)
  const server = await serve({
    config: { ...demo.config, masterKey, pgWire: false },
    port: 0,
    host: '127.0.0.1',
    isDevelopment: true,
    log: silentLog,
    adminSite,
    demo: demo.served,
  })
  const paint = (_: string, text: string) => text
  await demo.welcome({ ...server, pgWireAddress: undefined }, paint, false)
  return {
    server,
    folder,
    url: `${server.url}/admin`,
    link: () => {
      const link = tourLink(server)
      if (link === undefined) throw new Error('there is no link')
      return link
    },
    api: (method, path, body) =>
      fetch(`${server.url}${path}`, {
        method,
        headers: { authorization: `Bearer ${masterKey}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    close: async () => {
      await server.stop(0)
      rmSync(folder, { recursive: true })
    },
  }
}
