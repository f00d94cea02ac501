import { createLibsqlFixture } from '@engine/fixtures'
import { type LibsqlServer, startLibsql } from '@engine/test-databases'

/** The shop on a new libSQL server. */
export interface LibsqlShop {
  readonly url: string
  reset(): Promise<void>
  stop(): Promise<void>
}

export async function createLibsqlShop(): Promise<LibsqlShop> {
  const server: LibsqlServer = await startLibsql()
  const fixture = await createLibsqlFixture(server.url)
  return {
    url: server.url,
    reset: fixture.reset,
    stop: async () => {
      fixture.close()
      await server.stop()
    },
  }
}
