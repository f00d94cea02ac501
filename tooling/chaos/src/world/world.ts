/** @module The databases of a run: two PostgreSQL servers, a MariaDB, a MySQL, a SQLite file; and the faults of each. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type MysqlVendor,
  type PrivateServer,
  startMysql,
  startPostgres,
} from '@engine/test-databases'
import Database from 'better-sqlite3'
import { type ConnectionName, connectionNames } from '../target.ts'
import { type Direct, directMysql, directPostgres, directSqlite } from './direct.ts'
import { mountSmallDisk, type SmallDisk } from './small-disk.ts'

/** Possible kinds of `service_db` in a run: those that nodes can share. */
export type ServiceKind = 'postgres' | MysqlVendor

export interface World {
  readonly serviceKind: ServiceKind
  /** A directory for the files of a node. */
  readonly directory: string
  readonly service: PrivateServer
  readonly postgres: PrivateServer
  readonly mariadb: PrivateServer
  readonly mysql: PrivateServer
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
    const isMysql = serviceKind !== 'postgres'
    const service = keep(await (isMysql ? startMysql(serviceKind) : startPostgres(durable)))
    if (isMysql) await directMysql(service.url)('create database service')
    const postgres = keep(await startPostgres(durable))
    const mariadb = keep(await startMysql('mariadb'))
    const mysql = keep(await startMysql('mysql'))
    for (const { url } of [mariadb, mysql]) await directMysql(url)('create database chaos')
    const urls = {
      service: isMysql ? `${service.url}service` : service.url,
      postgres: postgres.url,
      mariadb: `${mariadb.url}chaos`,
      mysql: `${mysql.url}chaos`,
      sqlite: join(disk?.path ?? directory, 'chaos.db'),
    }
    createSqliteFile(urls.sqlite)
    const direct = {
      service: isMysql ? directMysql(urls.service) : directPostgres(urls.service),
      postgres: directPostgres(urls.postgres),
      mariadb: directMysql(urls.mariadb),
      mysql: directMysql(urls.mysql),
      sqlite: directSqlite(urls.sqlite),
    }
    await makeTables(direct)
    return { serviceKind, directory, service, postgres, mariadb, mysql, urls, direct, disk, close }
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
    mysql: 'int auto_increment primary key',
    sqlite: 'integer primary key',
  }
  for (const connection of connectionNames) {
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
