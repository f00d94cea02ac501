/** @module A MariaDB or MySQL database for the tests that every adapter of a server shares. */
import type { ServerDialect, ServerSubject } from '@engine/adapter-conformance'
import { oids } from '@engine/core/catalog'
import type { MysqlOfRun } from '@engine/test-databases/vitest'
import { mysqlAdapter } from '../../src/index.ts'
import { openClient } from './client.ts'
import { statementOf } from './statements.ts'

export const mysqlDialect: ServerDialect = {
  schema: '',
  sleep: (seconds) => `sleep(${seconds})`,
  read: (sql) => statementOf(sql, { columns: [oids.int4] }),
  write: (sql) => statementOf(sql, { isWrite: true }),
  broken: { expression: '-1', sqlState: '22003' },
  deadlock: '40001',
}

/** @param statements that create its tables. */
export async function openMysqlServer(
  server: MysqlOfRun,
  name: string,
  ...statements: readonly string[]
): Promise<ServerSubject> {
  const url = await server.createDatabase(name)
  const client = await openClient(url)
  await client.run(...statements)
  const count = async (sql: string) => (await client.rows(sql)).length
  return {
    openAdapter: (options) => mysqlAdapter({ url, ...options }),
    run: client.run,
    rows: client.rows,
    running: (text) =>
      count(
        `select id from information_schema.processlist
         where db = database() and info like '%${text}%' and id <> connection_id()`,
      ),
    inTransaction: () =>
      count(
        `select t.trx_id from information_schema.innodb_trx t
         join information_schema.processlist p on p.id = t.trx_mysql_thread_id
         where p.db = database()`,
      ),
    close: client.close,
  }
}
