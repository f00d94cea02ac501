/** @module `pnpm fuzz planning`: opens a database of a kind, and measures what its planner takes for the largest statements. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectMysql } from '@engine/adapters-mysql'
import { connect as connectPostgres } from '@engine/adapters-postgres'
import { connect as connectSqlite } from '@engine/adapters-sqlite'
import { type MysqlVendor, startMysql, startPostgres } from '@engine/test-databases'
import Database from 'better-sqlite3'
import { createConnection } from 'mysql2/promise'
import { Client } from 'pg'
import { measurePlanning } from './measure-planning.ts'

export const planners = ['postgres', 'sqlite', 'mariadb', 'mysql'] as const
export type Planner = (typeof planners)[number]

const adapters = {
  '@engine/adapters-mysql': connectMysql,
  '@engine/adapters-postgres': connectPostgres,
  '@engine/adapters-sqlite': connectSqlite,
}

/** Both columns have an index: it is considered for each key. */
const setUp = [
  'create table t (id integer primary key, n integer, x varchar(20))',
  "insert into t values (1, 1, '1'), (2, 2, '2'), (3, 3, '3'), (4, 4, '4'), (5, 5, '5')",
  'create index t_n on t (n)',
  'create index t_x on t (x)',
]

interface Subject {
  readonly url: string
  readonly table: string
  close(): Promise<void>
}

const openers: Readonly<Record<Planner, () => Promise<Subject>>> = {
  postgres: async () => {
    const server = await startPostgres()
    const client = new Client({ connectionString: server.url })
    await client.connect()
    for (const sql of setUp) await client.query(sql)
    await client.end()
    return { url: server.url, table: 'public.t', close: () => server.stop() }
  },
  sqlite: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'engine-planning-'))
    const url = join(folder, 'main.db')
    const database = new Database(url)
    for (const sql of setUp) database.exec(sql)
    database.close()
    return {
      url,
      table: 'main.t',
      close: async () => rmSync(folder, { recursive: true, force: true }),
    }
  },
  mariadb: () => openMysql('mariadb'),
  mysql: () => openMysql('mysql'),
}

async function openMysql(vendor: MysqlVendor): Promise<Subject> {
  const server = await startMysql(vendor)
  const connection = await createConnection({ uri: server.url })
  for (const sql of ['create database planning', 'use planning', ...setUp]) {
    await connection.query(sql)
  }
  await connection.end()
  return { url: `${server.url}planning`, table: 'main.t', close: () => server.stop() }
}

/** @returns what took longer than `mostMs`. */
export async function runPlanning(
  planner: Planner,
  mostMs: number,
  only: string,
): Promise<readonly string[]> {
  const subject = await openers[planner]()
  try {
    return await measurePlanning({
      ...subject,
      adapters,
      mostMs,
      only,
      onProgress: (text) => console.log(text),
    })
  } finally {
    await subject.close()
  }
}
