/** @module The engine of this process. */
import type { Gateway } from '@engine/http'
import { shopConfig } from './shop-config.ts'

// One for the process: Next.js loads modules again in development, and has a copy of them for pages and one for routes.
const shared = globalThis as { shopGateway?: Promise<Gateway> }

export function gateway(): Promise<Gateway> {
  shared.shopGateway ??= openGateway()
  return shared.shopGateway
}

/**
 * Node.js loads the packages, not the bundler: they start worker threads, and load WebAssembly and native code. In a project where
 * they are installed, `serverExternalPackages` of `next.config.ts` does that for imports as well.
 */
async function openGateway(): Promise<Gateway> {
  const [{ createGateway }, { connect, serviceDatabase }] = await Promise.all([
    import(/* turbopackIgnore: true */ '@engine/http'),
    import(/* turbopackIgnore: true */ '@engine/adapters-sqlite'),
  ])
  return createGateway(shopConfig(process.env['SHOP_FOLDER'] ?? '.'), {
    basePath: '/api/engine',
    adapters: { '@engine/adapters-sqlite': connect },
    serviceDatabases: { '@engine/adapters-sqlite': serviceDatabase },
  })
}

/** Rows for a server component, under the permissions of a visitor: the same that the route gives to browsers. */
export async function visibleRows(
  sql: string,
  params: readonly unknown[] = [],
): Promise<readonly (readonly unknown[])[]> {
  const { engine } = await gateway()
  const { body } = await engine.query(
    { sql, params, method: 'all', meta: false, signal: undefined },
    { kind: 'anonymous', roles: ['anonymous'], fields: {} },
  )
  const text = typeof body === 'string' ? body : Buffer.from(body).toString()
  return JSON.parse(text).rows
}
