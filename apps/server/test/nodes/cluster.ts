/** @module Several server processes on one service database, with a load balancer. */
import type { AuthConfig } from '@engine/core'
import { freePort } from '@engine/test-databases'
import type { ConfigFile } from '../../src/configuration/define-config.ts'
import { authSecret, masterKey } from '../support/accounts.ts'
import { createProgram, type Program } from '../support/program.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { type Balancer, startBalancer } from './balancer.ts'

/** A node; it has the same address after restarts. */
export interface ClusterNode {
  readonly url: string
  readonly process: () => ServerProcess
  /** Starts a process; resolves when it is ready. */
  start(): Promise<void>
}

export interface Cluster {
  readonly nodes: readonly ClusterNode[]
  readonly balancer: Balancer
  close(): Promise<void>
}

export interface ClusterOptions {
  readonly count: number
  readonly serviceDatabase: string
  /** URL of the connection `main`, which has `notes (id, owner, note)`. */
  readonly main: string
  readonly auth?: AuthConfig
  readonly config?: Partial<ConfigFile>
}

/** Requirements for the connection `main`. */
export const notesTable =
  'create table notes (id varchar(64) not null primary key, owner varchar(64) not null, note varchar(200))'

/** Starts all nodes at once. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const program = createProgram()
  const nodes: ClusterNode[] = []
  for (let i = 0; i < options.count; i += 1) {
    nodes.push(createClusterNode(program, `node-${i}.json`, await freePort(), options))
  }
  await Promise.all(nodes.map((node) => node.start()))
  const balancer = await startBalancer(nodes.map(({ url }) => url))
  return {
    nodes,
    balancer,
    close: async () => {
      await balancer.close()
      await program.close()
    },
  }
}

function createClusterNode(
  program: Program,
  file: string,
  port: number,
  { serviceDatabase, main, auth, config }: ClusterOptions,
): ClusterNode {
  const own = { owner: '$user.id' }
  const settings = {
    port,
    connections: { main },
    permissions: [
      {
        name: 'own notes',
        table: 'main.notes',
        roles: ['user'],
        select: { where: own },
        insert: { check: own },
      },
    ],
    service_db: serviceDatabase,
    masterKey,
    security: { trustProxy: ['127.0.0.1'] },
    auth: { secret: authSecret, throttle: false, ...auth },
    ...config,
  }
  const path = program.folder.write(file, JSON.stringify(settings))
  let process: ServerProcess | undefined
  return {
    url: `http://127.0.0.1:${port}`,
    process: () => {
      if (process === undefined) throw new Error('the node was not started')
      return process
    },
    start: async () => {
      process = program.start(['--config', path], { NODE_ENV: 'production' })
      await process.ready()
    },
  }
}
