/** @module One engine for each of three worlds, on each kind of database. */
import type { Permission } from '@engine/core'
import { toManyName, toOneName } from '../policy/random-filter.ts'
import { type Policy, relationshipConfig } from '../policy/random-policy.ts'
import { type RunOptions, wideLimits } from '../runs/session.ts'
import type { World } from '../world/world.ts'
import {
  type OpenedDatabase,
  type OpenOptions,
  openMysqlWorld,
  openPostgresWorld,
  openSqliteWorld,
} from './open-databases.ts'

/** One kind of database, three times. */
export interface Triple {
  readonly name: string
  readonly databases: readonly OpenedDatabase[]
}

/** @param schemas where the worlds are already loaded in PostgreSQL. */
export async function openTriples(
  worlds: readonly World[],
  policy: Policy,
  schemas: readonly string[],
  { url, mysqlUrl }: RunOptions,
  isOnPostgresOnly: boolean,
): Promise<readonly Triple[]> {
  const optionsOf = (world: World): OpenOptions => ({
    world,
    config: {
      auth: { secret: 'a secret for the fuzzer, of thirty-two bytes' },
      permissions: policy as Readonly<Record<string, Permission>>,
      limits: wideLimits,
    },
    connection: { relationships: relationshipConfig(world, toOneName, toManyName) },
    looksAtTables: false,
  })
  const triple = async (
    name: string,
    open: (options: OpenOptions, index: number) => Promise<OpenedDatabase>,
  ): Promise<Triple> => {
    const databases: OpenedDatabase[] = []
    for (const [i, world] of worlds.entries()) databases.push(await open(optionsOf(world), i))
    return { name, databases }
  }
  const postgres = await triple('postgres', (options, i) =>
    openPostgresWorld(url, schemas[i] ?? '', options),
  )
  if (isOnPostgresOnly) return [postgres]
  return [
    postgres,
    await triple('sqlite', (options) => openSqliteWorld(options)),
    ...(mysqlUrl === undefined
      ? []
      : [await triple('mysql', (options) => openMysqlWorld(mysqlUrl, options))]),
  ]
}

export async function closeTriples(triples: readonly Triple[]): Promise<void> {
  for (const { databases } of triples) {
    for (const { close } of databases) await close()
  }
}
