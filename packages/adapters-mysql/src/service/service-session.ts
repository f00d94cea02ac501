/** @module One connection of the service database: the service's own statements, values as JavaScript values. */
import type { Duplex } from 'node:stream'
import { connectionLost, noAnswer } from '@engine/core/adapter'
import {
  type ServiceConnection,
  type ServiceResult,
  type StoreValue,
  serviceStatementTimeoutMs,
} from '@engine/core/driver'
import mysql, { type Connection, type ConnectionOptions, type ResultSetHeader } from 'mysql2'
import { flavorOf } from '../driver/open-session.ts'
import type { PooledSession } from '../driver/session-pool.ts'
import { driverError, isServerError } from '../errors/driver-error.ts'
import { traitsOf } from '../server/server-traits.ts'

/** A connection that can be pooled. */
export type ServiceSession = Omit<ServiceConnection, 'release'> & PooledSession

/** How long after a timeout the server may still answer, in milliseconds. */
const graceMs = 5_000

/** Standard SQL literals; nothing is cut or rounded silently. */
const sqlModes = [
  'ANSI_QUOTES',
  'PIPES_AS_CONCAT',
  'NO_BACKSLASH_ESCAPES',
  'STRICT_ALL_TABLES',
  'ERROR_FOR_DIVISION_BY_ZERO',
  'NO_ZERO_DATE',
  'NO_ZERO_IN_DATE',
  'NO_ENGINE_SUBSTITUTION',
] as const

const settings = [
  // Triggers leave counting the changes to this connection.
  '@engine_counts = 1',
  `sql_mode = '${sqlModes.join(',')}'`,
  "time_zone = '+00:00'",
  "lc_messages = 'en_US'",
  'autocommit = 1',
  'foreign_key_checks = 1',
  'unique_checks = 1',
  'sql_safe_updates = 0',
  // After COMMIT no other transaction is open.
  "completion_type = 'NO_CHAIN'",
  'innodb_lock_wait_timeout = 10',
] as const

/**
 * Connects and sets the connection up.
 *
 * @throws the driver's error.
 */
export async function openServiceSession(options: ConnectionOptions): Promise<ServiceSession> {
  const connection = mysql.createConnection(options)
  const session = createSession(connection)
  try {
    const { rows } = await session.execute('select version() as version', [])
    const traits = traitsOf(flavorOf(String(Reflect.get(rows[0] ?? {}, 'version'))))
    const limit = traits.limitsWrites
      ? `max_statement_time = ${serviceStatementTimeoutMs / 1000}`
      : `max_execution_time = ${serviceStatementTimeoutMs}`
    await session.execute(`set names utf8mb4 collate ${traits.binaryCollation}`, [])
    await session.execute(`set ${[...settings, limit].join(', ')}`, [])
    await session.execute('set session transaction isolation level read committed', [])
    return traits.limitsWrites ? { ...session, execute: withoutLimit(session.execute) } : session
  } catch (error) {
    session.close()
    throw error
  }
}

/** MariaDB's time limit also applies to changes of tables, which take long for a large table. */
function withoutLimit(execute: ServiceConnection['execute']): ServiceConnection['execute'] {
  return (sql, parameters) =>
    execute(
      isTableChange(sql) ? `set statement max_statement_time = 0 for ${sql}` : sql,
      parameters,
    )
}

function isTableChange(sql: string): boolean {
  return /^\s*(set statement max_statement_time = 0 for )?(create|alter|drop)\s/i.test(sql)
}

function createSession(connection: Connection): ServiceSession {
  let isInTransaction = false
  let isLost = false
  let fail: ((error: unknown) => void) | undefined
  const breakDown = (error: unknown) => {
    isLost = true
    fail?.(error)
  }
  connection.on('error', (error) => breakDown(connectionLost(error)))
  connection.on('end', () => breakDown(connectionLost(undefined)))

  /** The driver's own `destroy` waits for the server. */
  const hangUp = () => {
    isLost = true
    const { stream } = connection as unknown as { readonly stream: Duplex }
    stream.destroy()
  }
  const send = (sql: string, parameters: readonly StoreValue[]): Promise<ServiceResult> =>
    new Promise((resolve, reject) => {
      fail = reject
      const timer = isTableChange(sql)
        ? undefined
        : setTimeout(() => {
            breakDown(noAnswer())
            hangUp()
          }, serviceStatementTimeoutMs + graceMs)
      const done = (error: unknown, result: unknown) => {
        clearTimeout(timer)
        fail = undefined
        if (error === null) return resolve(resultOf(result))
        // Only here does a connection reset become visible: an error that is not a report of the server ends the connection.
        if (!isServerError(error)) isLost = true
        reject(error)
      }
      // Without values, the text protocol is used: it supports every statement.
      if (parameters.length === 0) connection.query(sql, done)
      else connection.execute(sql, parameters.map(driverValue), done)
    })
  const execute = async (
    sql: string,
    parameters: readonly StoreValue[],
  ): Promise<ServiceResult> => {
    try {
      return await send(sql, parameters)
    } catch (error) {
      throw driverError(error, true)
    }
  }
  return {
    execute,
    begin: async () => {
      isInTransaction = true
      await execute('start transaction', [])
    },
    commit: async () => {
      await execute('commit', [])
      isInTransaction = false
    },
    rollBack: async () => {
      await execute('rollback', [])
      isInTransaction = false
    },
    isIdle: () => !isLost && !isInTransaction && fail === undefined,
    isAlive: () => !isLost,
    close: () => {
      if (isLost) hangUp()
      else connection.end(hangUp)
    },
  }
}

/** Integers are sent as integers: the server refuses a DOUBLE in LIMIT. */
function driverValue(value: StoreValue) {
  if (value instanceof Uint8Array) return Buffer.from(value)
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) {
    return mysql.TypedParameter.BIGINT(String(value))
  }
  return value
}

function resultOf(result: unknown): ServiceResult {
  if (Array.isArray(result)) return { rows: result as object[], affectedRows: undefined }
  const { affectedRows, insertId } = result as ResultSetHeader
  return { rows: [], affectedRows, insertId: Number(insertId) }
}
