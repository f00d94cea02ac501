/** @module All printers over the same tables, without a database. */
import { compile as compileForMysql } from '@engine/adapters-mysql/dialect'
import { postgresAdapter } from '@engine/adapters-postgres'
import { compile as compileForSqlite, sqliteTraits } from '@engine/adapters-sqlite/dialect'
import type { Config, DatabaseKind } from '@engine/core'
import type { Adapter, DatabaseTraits } from '@engine/core/adapter'
import Database from 'better-sqlite3'
import { tablesFor } from './tables.ts'

export interface Printer {
  readonly name: string
  readonly connection: Config['connections'][string]
  /** The package that the engine loads for it. */
  readonly adapterPackage: string
  readonly adapter: Adapter
}

const postgres = postgresAdapter({ url: 'postgres://127.0.0.1:1/none' })

/** The functions of a libSQL server: none of ours. */
const builtIn: ReadonlySet<string> = new Set(
  new Database(':memory:')
    .prepare<[], string>('select lower(name) from pragma_function_list')
    .pluck()
    .all(),
)

const libsql = { name: 'libSQL', functions: builtIn }

export const printers: readonly Printer[] = [
  printer(
    'PostgreSQL',
    'postgres',
    'postgres',
    { url: 'postgres://127.0.0.1:1/none' },
    (each) => postgres.compile(each),
    postgres.traits,
  ),
  printer('MariaDB', 'mysql', 'mysql', { url: 'mysql://127.0.0.1:1/none' }, (each) =>
    compileForMysql(each, { kind: 'mariadb', version: 101_106 }),
  ),
  printer('MySQL', 'mysql', 'mysql', { url: 'mysql://127.0.0.1:1/none' }, (each) =>
    compileForMysql(each, { kind: 'mysql', version: 80_403 }),
  ),
  printer(
    'SQLite',
    'sqlite',
    'sqlite',
    { url: 'none.db' },
    (each) => compileForSqlite(each),
    sqliteTraits,
  ),
  printer(
    'libSQL',
    'sqlite',
    'libsql',
    { url: 'libsql://127.0.0.1:1' },
    (each) => compileForSqlite(each, libsql),
    sqliteTraits,
  ),
  // Files use the SQLite printer, with a catalog of another kind.
  printer(
    'CSV',
    'csv',
    'csv',
    { directory: 'none' },
    (each) => compileForSqlite(each),
    sqliteTraits,
  ),
]

function printer(
  name: string,
  kind: DatabaseKind,
  suffix: string,
  connection: Config['connections'][string],
  compile: Adapter['compile'],
  traits?: DatabaseTraits,
): Printer {
  const execute: Adapter['execute'] = async () => ({ rows: '', rowCount: 0, truncated: false })
  const adapter: Adapter = {
    kind,
    ...(traits === undefined ? {} : { traits }),
    introspect: async () => ({ types: [], tables: tablesFor(kind, suffix === 'libsql') }),
    compile,
    execute,
    transaction: (_options, body) => body({ execute }),
    ping: async () => undefined,
    close: async () => undefined,
  }
  return { name, connection, adapterPackage: `@engine/adapters-${suffix}`, adapter }
}
