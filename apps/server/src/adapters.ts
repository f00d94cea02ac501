import { connect as connectCsv } from '@engine/adapters-csv'
import {
  connect as connectLibsql,
  serviceDatabase as libsqlServiceDatabase,
} from '@engine/adapters-libsql'
import {
  connect as connectMysql,
  serviceDatabase as mysqlServiceDatabase,
} from '@engine/adapters-mysql'
import {
  connect as connectPostgres,
  serviceDatabase as postgresServiceDatabase,
} from '@engine/adapters-postgres'
import {
  connect as connectSqlite,
  serviceDatabase as sqliteServiceDatabase,
} from '@engine/adapters-sqlite'
import type { Adapters } from '@engine/core'
import type { PgWireServerFactory, ServiceDatabaseFactory } from '@engine/core/server'

/** The adapters that the server includes, by package. Others are looked up in the working directory. */
export const adapters: Adapters = {
  '@engine/adapters-csv': connectCsv,
  '@engine/adapters-libsql': connectLibsql,
  '@engine/adapters-mysql': connectMysql,
  '@engine/adapters-postgres': connectPostgres,
  '@engine/adapters-sqlite': connectSqlite,
}

/** Those of them that support a service database. */
export const serviceDatabases: Readonly<Record<string, ServiceDatabaseFactory>> = {
  '@engine/adapters-libsql': libsqlServiceDatabase,
  '@engine/adapters-mysql': mysqlServiceDatabase,
  '@engine/adapters-postgres': postgresServiceDatabase,
  '@engine/adapters-sqlite': sqliteServiceDatabase,
}

/** Loaded only where the wire protocol is served. */
export const createPgWireServer: PgWireServerFactory = async (options) => {
  const pgWire = await import('@engine/pgwire')
  return pgWire.createPgWireServer(options)
}
