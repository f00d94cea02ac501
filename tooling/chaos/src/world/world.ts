/** @module The databases of a run: two PostgreSQL servers, a MariaDB, a SQLite file; and the faults of each. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PrivateServer, startMysql, startPostgres } from '@engine/test-databases'
import Database from 'better-sqlite3'
import type { ConnectionName } from '../target.ts'
import { type Direct, directMysql, directPostgres, directSqlite } from './direct.ts'
import { mountSmallDisk, type SmallDisk } from './small-disk.ts'

/** Possible kinds of `service_db` in a run: those that nodes can share. */
export type ServiceKind = 'postgres' | 'mariadb'

export interface World {
  readonly serviceKind: ServiceKind
  /** A directory for the files of a node. */
  readonly directory: string
  readonly service: PrivateServer
  readonly postgres: PrivateServer
  readonly mariadb: PrivateServer
  /** URL or path of each connection. */
  readonly urls: Readonly<Record<ConnectionName | 'service', string>>
  readonly direct: Readonly<Record<ConnectionName | 'service', Direct>>
  /** Undefined where none can be mounted: the SQLite file is then on an ordinary disk. */
  readonly disk: SmallDisk | undefined
  close(): Promise<void>
}

/** Committed data survives a crash of the server, but not one of the machine. */
const durable = { settings: { synchronous_commit: 'on' } }

export async function createWorld(serviceKind: ServiceKind): Promise<World> {
  const directory = mkdtempSync(join(realpathSync(tmpdir()), 'engine-chaos-'))
  const started: PrivateServer[] = []
  const disk = mountSmallDisk(join(directory, 'disk'))
  const removeFiles = (): void => {
    disk?.remove()
    rmSync(directory, { recursive: true, force: true })
  }
  process.once('exit', removeFiles)
  const close = async (): Promise<void> => {
    for (const server of started) await server.stop()
    removeFiles()
    process.off('exit', removeFiles)
  }
  const keep = (server: PrivateServer): PrivateServer => {
    started.push(server)
    return server
  }
  try {
    const isMariaDb = serviceKind === 'mariadb'
    const service = keep(await (isMariaDb ? startMysql('mariadb') : startPostgres(durable)))
    if (isMariaDb) await directMysql(service.url)('create database service')
    const postgres = keep(await startPostgres(durable))
    const mariadb = keep(await startMysql('mariadb'))
    await directMysql(mariadb.url)('create database chaos')
    const urls = {
      service: isMariaDb ? `${service.url}service` : service.url,
      postgres: postgres.url,
      mariadb: `${mariadb.url}chaos`,
      sqlite: join(disk?.path ?? directory, 'chaos.db'),
    }
    createSqliteFile(urls.sqlite)
    const direct = {
      service: isMariaDb ? directMysql(urls.service) : directPostgres(urls.service),
      postgres: directPostgres(urls.postgres),
      mariadb: directMysql(urls.mariadb),
      sqlite: directSqlite(urls.sqlite),
    }
    await makeTables(direct)
    return { serviceKind, directory, service, postgres, mariadb, urls, direct, disk, close }
  } catch (error) {
    await close()
    throw error
  }
}

function createSqliteFile(path: string): void {
  const database = new Database(path)
  database.pragma('journal_mode = WAL')
  database.close()
}

/** `entries.id` is not a key, so that a row that is stored twice appears twice. */
async function makeTables(direct: Readonly<Record<ConnectionName, Direct>>): Promise<void> {
  const numbers = {
    postgres: 'serial primary key',
    mariadb: 'int auto_increment primary key',
    sqlite: 'integer primary key',
  }
  for (const connection of ['postgres', 'mariadb', 'sqlite'] as const) {
    const run = direct[connection]
    await run(
      'create table counters (id varchar(64) primary key, owner varchar(64) not null, n int not null)',
    )
    await run(
      `create table entries (number ${numbers[connection]}, id varchar(64) not null, owner varchar(64) not null, amount int not null)`,
    )
    await run('create index entries_id on entries (id)')
  }
}
