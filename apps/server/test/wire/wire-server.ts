/** @module The program, as a server of the wire protocol for the shop of the wire clients. */
import { type WireSurroundings, type WireTarget, wireTables } from '@engine/wire-clients'
import { masterKey } from '../support/accounts.ts'
import { createFolder } from '../support/folder.ts'
import { startServer } from '../support/server-process.ts'
import { secret } from '../support/tokens.ts'

/** A server in a process of its own. */
export interface WireServer {
  /** As an administrator. */
  readonly target: WireTarget
  stop(): Promise<void>
}

/**
 * Serves one connection, `main`, to clients with a token or the master key. The role `user` has all rights on all
 * tables except `customers`, where it sees only its own row.
 */
export async function startWireServer(
  kind: WireSurroundings['kind'],
  connection: object,
  pgWire: object = {},
): Promise<WireServer> {
  const folder = createFolder()
  const config = {
    port: 0,
    connections: { main: connection },
    masterKey,
    auth: { secret, roles: { claim: 'roles' } },
    permissions: permissions(),
    limits: { maxRows: 1_000_000 },
    pgWire: { port: 0, auth: { strategy: ['jwt', 'apiKey'] }, ...pgWire },
  }
  folder.write('engine.config.json', JSON.stringify(config))
  const server = startServer([], { cwd: folder.path, env: { NODE_ENV: 'development' } })
  const { pgWire: address } = await server.readyLine()
  const { hostname, port } = new URL(`postgres://${address}`)
  return {
    target: {
      host: hostname,
      port: Number(port),
      user: 'ada',
      password: masterKey,
      database: 'shop',
      server: 'engine',
      kind,
    },
    stop: async () => {
      server.signal('SIGTERM')
      await server.exit()
      folder.remove()
    },
  }
}

function permissions(): object {
  const everything = { select: {}, insert: {}, update: {}, delete: {} }
  const all = wireTables.map((name) => [
    name,
    { table: `main.${name}`, roles: ['user'], ...everything },
  ])
  const own = {
    table: 'main.customers',
    roles: ['user'],
    select: { where: { id: '$user.customer' } },
  }
  return { ...Object.fromEntries(all), customers: own }
}
