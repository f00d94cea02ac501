/** @module A libSQL server as the service database. Writing transactions wait for each other on the server. */
import { GatewayError, noAnswer } from '@engine/core/adapter'
import {
  type ServiceConnection,
  type ServiceDatabaseFactory,
  type ServiceResult,
  type StoreValue,
  serviceStatementTimeoutMs,
} from '@engine/core/driver'
import {
  createServiceClient,
  type LibsqlClient,
  type LibsqlResult,
  type Transaction,
} from '../driver/libsql-client.ts'
import { driverError } from '../errors/driver-error.ts'

/** Opens a database on a libSQL server (Turso, sqld) as the service database. */
export const serviceDatabase: ServiceDatabaseFactory = (url) => {
  const client = createServiceClient(url)
  return {
    kind: 'libsql',
    isShared: true,
    acquire: async () => connectionOn(client),
    close: async () => client.close(),
  }
}

/** Without a transaction, statements need only the client: each is one request. */
function connectionOn(client: LibsqlClient): ServiceConnection {
  let transaction: Transaction | undefined
  const bounded = async <T>(work: () => Promise<T>): Promise<T> => {
    const limit = AbortSignal.timeout(serviceStatementTimeoutMs)
    try {
      return await client.within(limit, work)
    } catch (error) {
      throw limit.aborted ? noAnswer() : driverError(error, true)
    }
  }
  return {
    execute: (sql, parameters) =>
      bounded(async () => {
        const args = parameters.map(driverValue)
        return resultOf(sql, await (transaction ?? client).execute({ sql, args }))
      }),
    begin: async () => {
      transaction = await bounded(() => client.transaction('write'))
    },
    commit: async () => {
      const open = transaction
      if (open === undefined) throw new GatewayError('internal', 'no transaction is open')
      await bounded(() => open.commit())
      transaction = undefined
    },
    rollBack: async () => {
      // A closed transaction is rolled back, even when the server cannot be reached.
      transaction?.close()
      transaction = undefined
    },
    release: () => transaction?.close(),
  }
}

function driverValue(value: StoreValue): string | number | bigint | ArrayBuffer | null {
  if (!(value instanceof Uint8Array)) return value
  return new Uint8Array(value).buffer
}

function resultOf(sql: string, { columns, rows, rowsAffected }: LibsqlResult): ServiceResult {
  const isWrite = columns.length === 0 || /^\s*(insert|update|delete|replace)\b/i.test(sql)
  return {
    rows: rows.map((row) =>
      Object.fromEntries(columns.map((column, i) => [column, fromDriver(row[i])])),
    ),
    affectedRows: isWrite ? rowsAffected : undefined,
  }
}

function fromDriver(value: unknown): unknown {
  return value instanceof ArrayBuffer ? Buffer.from(value) : value
}
