/** @module PostgreSQL as the service database. */
import { GatewayError, noAnswer, unreachableDatabase } from '@engine/core/adapter'
import {
  type ServiceConnection,
  type ServiceDatabaseFactory,
  serviceStatementTimeoutMs,
  serviceWaitMs,
} from '@engine/core/driver'
import { type CustomTypesConfig, Pool, type PoolClient, type QueryResult, types } from 'pg'
import { driverError } from '../errors/driver-error.ts'

/** Maximum connections. */
const most = 10

/** Time for the server to answer after a timeout, in milliseconds. */
const graceMs = 5_000

/** Opens PostgreSQL 13 or later as the service database. The URL's `sslmode` sets TLS. */
export const serviceDatabase: ServiceDatabaseFactory = (url, { log }) => {
  if (!URL.canParse(url)) {
    throw new GatewayError('invalidConfiguration', 'service_db: the URL is malformed.')
  }
  const pool = new Pool({
    connectionString: url,
    max: most,
    connectionTimeoutMillis: serviceWaitMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    fallback_application_name: 'engine-service',
    types: numbersAsNumbers,
  })
  pool.on('error', (err) =>
    log.warn({ err }, 'an idle connection of the service database was lost'),
  )
  // While a connection is in use the pool has no listener; its queries report the error.
  pool.on('connect', (client) => {
    client.on('error', (err) => log.debug({ err }, 'a connection of the service database was lost'))
  })
  let closing: Promise<void> | undefined
  const limited = new WeakSet<PoolClient>()
  const connect = async (): Promise<PoolClient> => {
    const client = await pool.connect()
    if (limited.has(client)) return client
    const timer = setTimeout(() => client.connection.stream.destroy(), serviceWaitMs)
    try {
      await client.query(limits)
    } catch (error) {
      client.release(true)
      throw error
    } finally {
      clearTimeout(timer)
    }
    limited.add(client)
    return client
  }
  return {
    kind: 'postgres',
    isShared: true,
    acquire: async () => {
      try {
        return connectionOf(await connect())
      } catch (error) {
        throw unreachableDatabase(error)
      }
    },
    close: () => {
      closing ??= pool.end()
      return closing
    },
  }
}

/** Set after connecting: poolers such as PgBouncer refuse it in a startup message. */
const limits = `select set_config('statement_timeout', '${serviceStatementTimeoutMs}', false),
  set_config('idle_in_transaction_session_timeout', '60000', false)`

/** Times and counts (`bigint`), sums of them (`numeric`). */
const numbersAsNumbers: CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === types.builtins.INT8 || oid === types.builtins.NUMERIC
      ? Number
      : types.getTypeParser(oid, format),
}

function connectionOf(client: PoolClient): ServiceConnection {
  let isInTransaction = false
  let isBroken = false
  const query = async (text: string, values: unknown[] = []): Promise<QueryResult<object>> => {
    const timer = isTableChange(text) ? undefined : setTimeout(hangUp, graceMs + timeLimitMs)
    try {
      return await client.query<object>(text, values)
    } catch (error) {
      const reported = isBroken ? noAnswer() : driverError(error, true)
      if (reported.problem === 'unavailable') isBroken = true
      throw reported
    } finally {
      clearTimeout(timer)
    }
  }
  const hangUp = () => {
    isBroken = true
    client.connection.stream.destroy()
  }
  return {
    execute: async (sql, parameters) => {
      const { rows, rowCount, command } = await query(sql, [...parameters])
      return { rows, affectedRows: isWrite(command) ? (rowCount ?? 0) : undefined }
    },
    begin: async () => {
      isInTransaction = true
      await query('begin')
    },
    commit: async () => {
      const { command } = await query('commit')
      isInTransaction = false
      // The server returns this when the transaction has failed before.
      if (command !== 'COMMIT') throw new GatewayError('internal', 'a transaction was rolled back')
    },
    rollBack: async () => {
      await query('rollback')
      isInTransaction = false
    },
    release: () => client.release(isBroken || isInTransaction),
  }
}

const timeLimitMs = serviceStatementTimeoutMs

/** The time depends on the size of the table; migrations also remove the server's time limit. */
function isTableChange(text: string): boolean {
  return /^\s*(create|alter|drop)\s/i.test(text)
}

function isWrite(command: string): boolean {
  return ['INSERT', 'UPDATE', 'DELETE', 'MERGE'].includes(command)
}
