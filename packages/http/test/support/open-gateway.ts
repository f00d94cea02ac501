import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, serviceDatabase } from '@engine/adapters-sqlite'
import type { Config } from '@engine/core'
import { createGateway, type Gateway, type GatewayOptions } from '@engine/http'

export interface TestGateway {
  readonly gateway: Gateway
  /** Handler of the public port. */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** Sends `POST /data`. */
  query(sql: string, headers?: Readonly<Record<string, string>>): Promise<Response>
  close(): Promise<void>
}

export const json: Readonly<Record<string, string>> = { 'content-type': 'application/json' }

/** A gateway for an empty SQLite database; its files are removed when it is closed. */
export async function openGateway(
  config: Partial<Config> = {},
  options: Partial<GatewayOptions> = {},
): Promise<TestGateway> {
  const folder = mkdtempSync(join(tmpdir(), 'engine-http-'))
  const { isDevelopment = false, ...engineOptions } = options
  const gateway = await createGateway(
    {
      connections: { main: { url: join(folder, 'main.db'), create: true } },
      service_db: join(folder, 'service.db'),
      open: true,
      ...config,
    },
    {
      adapters: { '@engine/adapters-sqlite': connect },
      serviceDatabases: { '@engine/adapters-sqlite': serviceDatabase },
      isDevelopment,
      ...engineOptions,
    },
  )
  const send = async (path: string, init?: RequestInit) =>
    gateway.app.fetch(new Request(`http://gateway.test${path}`, init))
  return {
    gateway,
    fetch: send,
    query: (sql, headers = {}) =>
      send('/data', {
        method: 'POST',
        headers: { ...json, ...headers },
        body: JSON.stringify({ sql, params: [], method: 'all' }),
      }),
    close: async () => {
      await gateway.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
