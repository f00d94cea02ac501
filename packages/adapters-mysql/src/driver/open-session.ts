import { connectionLost } from '@engine/core/adapter'
import { type Connection, type ConnectionOptions, createConnection } from 'mysql2'
import type { Flavor } from '../flavor.ts'
import { createSession, type MysqlSession } from './session.ts'

/**
 * Modes that change the meaning of SQL. Backslashes stay escapes and grouping is checked elsewhere: NO_BACKSLASH_ESCAPES,
 * HIGH_NOT_PRECEDENCE and ONLY_FULL_GROUP_BY must be absent.
 */
const sqlModes = [
  'ANSI_QUOTES',
  'PIPES_AS_CONCAT',
  'STRICT_ALL_TABLES',
  'ERROR_FOR_DIVISION_BY_ZERO',
  'NO_ZERO_DATE',
  'NO_ZERO_IN_DATE',
  'NO_ENGINE_SUBSTITUTION',
  'NO_UNSIGNED_SUBTRACTION',
  // 0 is an ordinary number, and does not request the next one.
  'NO_AUTO_VALUE_ON_ZERO',
] as const

/** Settings of both servers. */
const commonSettings = [
  "time_zone = '+00:00'",
  // Some errors are distinguished by their texts.
  "lc_messages = 'en_US'",
  'autocommit = 1',
  'foreign_key_checks = 1',
  'unique_checks = 1',
  'sql_auto_is_null = 0',
  'sql_safe_updates = 0',
  'sql_big_selects = 1',
  'sql_select_limit = 18446744073709551615',
  'group_concat_max_len = 1073741824',
  // The bytes of a text that are compared when rows are sorted; the sort buffer must have room for 15 rows with keys of this
  // length.
  'max_sort_length = 32768',
  'sort_buffer_size = 33554432',
] as const

function commandsOf({ kind, version }: Flavor, isReadOnly: boolean): readonly string[] {
  const isMariaDb = kind === 'mariadb'
  const collation = isMariaDb ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin'
  // With it, UPDATE computes all values before it changes one; MySQL has no such mode.
  const modes = isMariaDb ? [...sqlModes, 'SIMULTANEOUS_ASSIGNMENT'] : sqlModes
  const own = isMariaDb
    ? [
        'max_recursive_iterations = 4294967295',
        // The cache treats 'a' of an outer row and 'A' of another as equal if the column's collation does.
        "optimizer_switch = 'subquery_cache=off'",
        // A long list of constants would become a table, whose columns could change the constants.
        ...(version >= 100_318 ? ['in_predicate_conversion_threshold = 0'] : []),
      ]
    : ['cte_max_recursion_depth = 4294967295']
  const settings = [`sql_mode = '${modes.join(',')}'`, ...commonSettings, ...own]
  return [
    `set names utf8mb4 collate ${collation}`,
    `set session ${settings.join(', ')}`,
    'set session transaction isolation level read committed',
    ...(isReadOnly ? ['set session transaction read only'] : []),
  ]
}

export interface SessionOptions {
  readonly isReadOnly: boolean
  /** Connections of the pool, which share the server's room for prepared statements. */
  readonly mostSessions: number
}

/** Statements that one connection keeps prepared. */
const mostStatements = 250

/** A pool uses at most this share of the server's room, which counts the statements of all clients. */
const shareOfRoom = 0.5

/** For the whole set-up, in milliseconds. */
const timeoutMs = 10_000

/**
 * Connects, and sets up the session like all others.
 *
 * @throws the driver's error.
 */
export async function openSession(
  options: ConnectionOptions,
  { isReadOnly, mostSessions }: SessionOptions,
): Promise<MysqlSession> {
  const connection = createConnection(options)
  try {
    return await setUp(connection, { isReadOnly, mostSessions })
  } catch (error) {
    connection.destroy()
    throw error
  }
}

function setUp(
  connection: Connection,
  { isReadOnly, mostSessions }: SessionOptions,
): Promise<MysqlSession> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(connectionLost(undefined)), timeoutMs)
    connection.on('error', reject)
    const query = (text: string): Promise<readonly (readonly unknown[])[]> =>
      new Promise((answer, refuse) => {
        connection.query(text, (error, rows) => {
          if (error === null) answer(Array.isArray(rows) ? (rows as readonly unknown[][]) : [])
          else refuse(error)
        })
      })
    const work = async (): Promise<MysqlSession> => {
      const [row] = await query(
        'select version(), connection_id(), @@global.max_prepared_stmt_count',
      )
      const flavor = flavorOf(String(row?.[0]))
      const share = Math.floor((Number(row?.[2]) * shareOfRoom) / mostSessions)
      for (const command of commandsOf(flavor, isReadOnly)) await query(command)
      return createSession(connection, {
        threadId: Number(row?.[1]),
        flavor,
        mostPrepared: Math.max(1, Math.min(mostStatements, share)),
      })
    }
    work()
      .then(resolve, reject)
      .finally(() => {
        clearTimeout(timer)
        connection.off('error', reject)
      })
  })
}

/** `10.11.6-MariaDB-0+deb12u1`, `8.4.3` */
export function flavorOf(version: string): Flavor {
  const [, major = '0', minor = '0', patch = '0'] = /(\d+)\.(\d+)\.(\d+)/.exec(version) ?? []
  return {
    kind: /mariadb/i.test(version) ? 'mariadb' : 'mysql',
    version: Number(major) * 10_000 + Number(minor) * 100 + Number(patch),
  }
}
