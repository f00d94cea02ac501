import { connect as connectCsv } from '@engine/adapters-csv'
import { connect as connectLibsql } from '@engine/adapters-libsql'
import { connect as connectMysql } from '@engine/adapters-mysql'
import { connect as connectPostgres } from '@engine/adapters-postgres'
import { connect as connectSqlite } from '@engine/adapters-sqlite'
import type { AdapterFactory } from '@engine/core'

/** The adapters that the server brings along, by package. Others are looked for in the working directory. */
export const adapters: Readonly<Record<string, AdapterFactory>> = {
  '@engine/adapters-csv': connectCsv,
  '@engine/adapters-libsql': connectLibsql,
  '@engine/adapters-mysql': connectMysql,
  '@engine/adapters-postgres': connectPostgres,
  '@engine/adapters-sqlite': connectSqlite,
}
