import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serviceDatabase as libsql } from '@engine/adapters-libsql'
import { serviceDatabase as mysql } from '@engine/adapters-mysql'
import { serviceDatabase as postgres } from '@engine/adapters-postgres'
import { serviceDatabase as sqlite } from '@engine/adapters-sqlite'
import {
  openStore,
  type ServiceDatabaseFactory,
  type Store,
  type StoreKind,
} from '@engine/core/store'
import {
  createDatabase,
  describeEachMysql,
  describeLibsql,
  describePostgres,
  type MysqlOfRun,
} from '@engine/test-databases/vitest'
import { afterAll, describe } from 'vitest'
import { giveBack, stopIdle, takeLibsql } from './libsql-servers.ts'

/** For `OpenStoreOptions` and `GatewayOptions`. */
export const serviceDatabases: Readonly<Record<string, ServiceDatabaseFactory>> = {
  '@engine/adapters-libsql': libsql,
  '@engine/adapters-mysql': mysql,
  '@engine/adapters-postgres': postgres,
  '@engine/adapters-sqlite': sqlite,
}

/** A service database for exclusive use, without tables. */
export interface TestStore {
  readonly store: Store
  readonly url: string
  /** The same database as another node, or the next process, opens it. `remove` closes it. */
  openAgain(): Promise<Store>
  /** Closes every store of it. */
  remove(): Promise<void>
}

export type OpenTestStore = () => Promise<TestStore>

/**
 * The same tests on SQLite, libSQL, PostgreSQL, MariaDB and MySQL.
 *
 * @example
 * eachStore('sessions', (open, kind) => {
 *   let test: TestStore
 *   beforeEach(async () => { test = await open() })
 *   afterEach(() => test.remove())
 * })
 */
export function eachStore(
  name: string,
  tests: (open: OpenTestStore, kind: StoreKind) => void,
): void {
  describe(`${name}, on SQLite`, () => tests(openSqliteStore, 'sqlite'))
  describePostgres(`${name}, on PostgreSQL`, () => tests(openPostgresStore, 'postgres'))
  describeEachMysql(`${name},`, (server) => tests(() => openMysqlStore(server), 'mysql'))
  describeLibsql(`${name}, on libSQL`, () => {
    afterAll(stopIdle)
    tests(openLibsqlStore, 'libsql')
  })
}

export async function openSqliteStore(): Promise<TestStore> {
  const folder = mkdtempSync(join(tmpdir(), 'engine-store-'))
  return testStore(join(folder, 'service.db'), async () => {
    rmSync(folder, { recursive: true, force: true })
  })
}

export async function openPostgresStore(): Promise<TestStore> {
  return testStore(await createDatabase('store'), async () => undefined)
}

export async function openMysqlStore(server: MysqlOfRun): Promise<TestStore> {
  return testStore(await server.createDatabase('store'), async () => undefined)
}

async function openLibsqlStore(): Promise<TestStore> {
  const server = await takeLibsql()
  return testStore(server.url, () => giveBack(server))
}

async function testStore(url: string, end: () => Promise<void>): Promise<TestStore> {
  const open = () => openStore({ url, serviceDatabases })
  const stores = [await open()]
  const [store] = stores as [Store]
  return {
    store,
    url,
    openAgain: async () => {
      const again = await open()
      stores.push(again)
      return again
    },
    remove: async () => {
      await Promise.all(stores.map((each) => each.close()))
      await end()
    },
  }
}
