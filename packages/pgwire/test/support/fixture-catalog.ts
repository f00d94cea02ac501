/** @module The fixture in a real PostgreSQL, and the answers of the embedded one for it. */
import { connect } from '@engine/adapters-postgres'
import { admin, createEngine } from '@engine/core'
import type { ClientSession, VisibleCatalog } from '@engine/core/session'
import { createPostgresFixture } from '@engine/fixtures'
import { createDatabase } from '@engine/test-databases/vitest'
import pg from 'pg'
import type { CatalogScope, WireCatalog } from '../../src/catalog/wire-catalog.ts'
import { openCatalog } from './open-catalog.ts'

export interface FixtureCatalog {
  /** Connected to the real database, with `main` first in its search path. */
  readonly real: pg.Client
  readonly catalog: WireCatalog
  readonly session: ClientSession
  readonly visible: VisibleCatalog
  readonly scope: CatalogScope
  readonly close: () => Promise<void>
}

/**
 * Everything is visible: the caller is the administrator.
 *
 * @param more additional statements for the database
 */
export async function openFixtureCatalog(name: string, more = ''): Promise<FixtureCatalog> {
  const url = await createDatabase(name)
  await createPostgresFixture(url, 'main')
  const real = new pg.Client({ connectionString: url })
  await real.connect()
  await real.query('set search_path = main')
  await real.query(more)
  const engine = await createEngine(
    { connections: { main: { url, schema: 'main' } }, auth: { secret: 'x'.repeat(32) } },
    { adapters: { '@engine/adapters-postgres': connect } },
  )
  const session = engine.openSession({
    caller: admin,
    origin: { ip: undefined, via: 'test', credentialId: undefined, correlationId: 'test' },
  })
  const { catalog } = openCatalog()
  const visible = session.visible()
  return {
    real,
    catalog,
    session,
    visible,
    scope: {
      visible,
      user: 'admin',
      database: name,
      processId: 1,
      settings: new Map([['search_path', 'main']]),
    },
    close: async () => {
      await session.end()
      await Promise.all([catalog.close(), engine.close(), real.end()])
    },
  }
}
