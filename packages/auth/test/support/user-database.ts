/** @module Databases with a table of users, accessed without the engine. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase, type MysqlOfRun } from '@engine/test-databases/vitest'
import Database from 'better-sqlite3'
import { createConnection, type RowDataPacket } from 'mysql2/promise'
import pg from 'pg'

/** Its table `users` has one row, of `Old@Example.com`. */
export interface UserDatabase {
  readonly url: string
  rows(sql: string): Promise<readonly object[]>
  run(sql: string): Promise<void>
  remove(): Promise<void>
}

/** Of the password `U*U`. */
export const bcrypt = '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'
const oldUser = `insert into users (email, name, secret_hash) values ('Old@Example.com', 'Old', '${bcrypt}')`
const table = (id: string) =>
  `create table users (${id}, email varchar(254) not null, name varchar(100), secret_hash varchar(200), plan varchar(20) not null default 'free')`

export async function openSqliteUsers(): Promise<UserDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'engine-users-'))
  const database = new Database(join(folder, 'shop.db'))
  database.exec(`${table('id integer primary key')}; ${oldUser}`)
  return {
    url: join(folder, 'shop.db'),
    rows: async (sql) => database.prepare<[], object>(sql).all(),
    run: async (sql) => void database.exec(sql),
    remove: async () => {
      database.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export async function openPostgresUsers(): Promise<UserDatabase> {
  const url = await createDatabase('users')
  const connection = new pg.Client({ connectionString: url })
  await connection.connect()
  await connection.query(table('id uuid primary key default gen_random_uuid()'))
  // Without a unique index, rows with the same address can exist; a look-up finds them.
  await connection.query('alter table users add unique (email)')
  await connection.query(oldUser)
  return {
    url,
    rows: async (sql) => (await connection.query<object>(sql)).rows,
    run: async (sql) => void (await connection.query(sql)),
    remove: () => connection.end(),
  }
}

export async function openMysqlUsers(server: MysqlOfRun): Promise<UserDatabase> {
  const url = await server.createDatabase('users')
  const connection = await createConnection({ uri: url })
  await connection.query(table('id bigint primary key auto_increment'))
  await connection.query(oldUser)
  return {
    url,
    rows: async (sql) => (await connection.query<RowDataPacket[]>(sql))[0],
    run: async (sql) => void (await connection.query(sql)),
    remove: () => connection.end(),
  }
}
