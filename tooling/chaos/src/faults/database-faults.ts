/** @module Faults of databases. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '@engine/fixtures'
import type { PrivateServer } from '@engine/test-databases'
import Database from 'better-sqlite3'
import type { Target } from '../target.ts'
import type { Direct } from '../world/direct.ts'
import type { World } from '../world/world.ts'
import type { FaultKind } from './fault-kind.ts'

type Happen = (random: Random) => Promise<void>

/** @param longestMs maximum duration of a fault with a chosen length */
export function databaseFaults(world: World, longestMs: number): readonly FaultKind[] {
  const { serviceKind, service, postgres, mariadb, mysql, direct, urls, disk } = world
  const some = (random: Random, leastMs: number) =>
    sleep(random.integer(leastMs, Math.max(leastMs, longestMs)))
  const faultsOf = (target: Target, happenings: Readonly<Record<string, Happen>>) =>
    Object.entries(happenings).map(([name, happen]) => ({
      name: `${target}: ${name}`,
      target,
      excuses: true,
      happen,
    }))
  const serverFaults = (server: PrivateServer): Readonly<Record<string, Happen>> => ({
    restart: () => server.restart(),
    'crash and stay away': async (random) => {
      await server.kill()
      await some(random, 200)
      await server.restart()
    },
    freeze: async (random) => {
      server.freeze()
      await some(random, 500)
      server.thaw()
    },
  })
  const cutPostgres = (own: Direct): Happen => {
    return async () => {
      await own(
        "select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
      )
    }
  }
  const cutMysql = (own: Direct): Happen => {
    return async () => {
      const found = await own(
        'select id from information_schema.processlist where db is not null and id <> connection_id()',
      )
      // The process may have ended since the check, which is fine.
      for (const { id } of found) await own(`kill ${id}`).catch(() => undefined)
    }
  }
  const setReadOnly = async (value: 'on' | 'off') => {
    await direct.service(`alter system set default_transaction_read_only = ${value}`)
    await direct.service('select pg_reload_conf()')
    await sleep(50)
  }
  const readOnly: Happen = async (random) => {
    await setReadOnly('on')
    await some(random, 500)
    await setReadOnly('off')
  }
  const faults = [
    ...faultsOf('service', {
      ...serverFaults(service),
      ...(serviceKind !== 'postgres'
        ? { 'connections cut': cutMysql(direct.service) }
        : { 'connections cut': cutPostgres(direct.service), 'read-only': readOnly }),
    }),
    ...faultsOf('postgres', {
      ...serverFaults(postgres),
      'connections cut': cutPostgres(direct.postgres),
    }),
    ...faultsOf('mariadb', {
      ...serverFaults(mariadb),
      'connections cut': cutMysql(direct.mariadb),
    }),
    ...faultsOf('mysql', {
      ...serverFaults(mysql),
      'connections cut': cutMysql(direct.mysql),
    }),
    ...faultsOf('sqlite', {
      locked: async (random) => {
        const release = lockFile(urls.sqlite)
        await some(random, 500)
        release()
      },
    }),
  ]
  if (disk === undefined) return faults
  const full: Happen = async (random) => {
    const free = disk.fill()
    await some(random, 500)
    free()
  }
  return [...faults, ...faultsOf('sqlite', { 'disk full': full })]
}

/** Another process writes to the file for a long time. @returns a function that stops it. */
function lockFile(path: string): () => void {
  const database = new Database(path, { timeout: 10_000 })
  database.exec('begin immediate')
  return () => {
    database.exec('rollback')
    database.close()
  }
}
