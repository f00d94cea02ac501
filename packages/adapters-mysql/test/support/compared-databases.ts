/** @module The same tables on PostgreSQL and, behind the engine, on MariaDB or MySQL: what both answer to a statement. */
import { admin, createEngine } from '@engine/core'
import { GatewayError } from '@engine/core/adapter'
import { compareRows, openDirect, queryDirect, sqlstateOf } from '@engine/corpus'
import { createDatabase, type MysqlOfRun } from '@engine/test-databases/vitest'
import pg from 'pg'
import { expect } from 'vitest'
import { connect } from '../../src/index.ts'
import { openClient } from './client.ts'

export type Answer =
  | { readonly kind: 'rows'; readonly rows: unknown }
  | { readonly kind: 'error'; readonly sqlState: string | undefined }
  /** The engine does not support it. */
  | { readonly kind: 'refused' }

export interface ComparedDatabases {
  ofPostgres(sql: string, params?: readonly unknown[]): Promise<Answer>
  /** @throws what the engine throws with status 500 or more. */
  ofEngine(sql: string, params?: readonly unknown[]): Promise<Answer>
  close(): Promise<void>
}

interface Tables {
  readonly postgres: readonly string[]
  readonly mysql: readonly string[]
}

/** @param tables statements that make them, on PostgreSQL in the schema `main`. */
export async function openCompared(
  name: string,
  server: MysqlOfRun,
  tables: Tables,
): Promise<ComparedDatabases> {
  const client = new pg.Client({ connectionString: await createDatabase(name) })
  await client.connect()
  await client.query('create schema main; set search_path = main')
  for (const sql of tables.postgres) await client.query(sql)
  const url = await server.createDatabase(name)
  const mysql = await openClient(url)
  await mysql.run(...tables.mysql)
  await mysql.close()
  const direct = await openDirect(client)
  const engine = await createEngine(
    { connections: { main: { url } } },
    { adapters: { '@engine/adapters-mysql': connect } },
  )
  return {
    ofPostgres: async (sql, params = []) => {
      try {
        return { kind: 'rows', rows: (await queryDirect(direct, sql, params as number[])).rows }
      } catch (error) {
        return { kind: 'error', sqlState: sqlstateOf(error) }
      }
    },
    ofEngine: async (sql, params = []) => {
      try {
        const request = { sql, params, method: 'all', meta: true, signal: undefined } as const
        const { body } = await engine.query(request, admin)
        return { kind: 'rows', rows: JSON.parse(Buffer.from(body).toString()).rows }
      } catch (error) {
        if (!(error instanceof GatewayError) || error.status >= 500) throw error
        if (error.problem === 'unsupported') return { kind: 'refused' }
        return { kind: 'error', sqlState: error.sqlState }
      }
    },
    close: async () => {
      await engine.close()
      await client.end()
    },
  }
}

/** Fails where two answers differ, unless the engine refused. @returns what the engine did. */
export function expectEqual(sql: string, expected: Answer, received: Answer): Answer['kind'] {
  if (received.kind === 'rows' && expected.kind === 'rows') {
    const wanted = expected.rows as Parameters<typeof compareRows>[0]
    expect(compareRows(wanted, received.rows, true), sql).toBeUndefined()
  } else if (received.kind !== 'refused') {
    expect(received, sql).toEqual(expected)
  }
  return received.kind
}

const items = [
  `(1, 3, 12.50, 'abc', 'Abc', true, '{"a": {"b": [1, 2]}, "k": [true]}')`,
  `(2, null, null, 'a,b', null, null, null)`,
  `(3, 0, 0.00, '', 'x', false, '[{"k": 1}, "a"]')`,
  `(4, 7, -3.75, '12', '12', true, '"text"')`,
  `(5, -2, 99999.99, '2024-02-29', 'b', false, '{"a": null}')`,
].join(', ')

const filled = [
  `insert into item values ${items}`,
  'insert into part values (1, 1, 5), (2, 1, 7), (3, 3, null)',
]
const part = 'create table part (id int primary key, item_id int, n int)'

/** Five items and their parts. */
export function openItems(name: string, server: MysqlOfRun): Promise<ComparedDatabases> {
  return openCompared(name, server, {
    postgres: [
      'create table item (id int primary key, a int, price numeric(10, 2), name text not null, nick text, open boolean, data jsonb)',
      part,
      ...filled,
    ],
    mysql: [
      server.ddl(`create table item (id int primary key, a int, price decimal(10, 2), name varchar(100) collate utf8mb4_nopad_bin not null,
        nick varchar(100) collate utf8mb4_general_ci, open boolean, data json)`),
      part,
      ...filled,
    ],
  })
}
