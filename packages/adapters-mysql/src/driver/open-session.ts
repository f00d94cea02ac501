import { connectionLost } from '@engine/core/adapter'
import { type Connection, type ConnectionOptions, createConnection } from 'mysql2'
import type { Flavor } from '../server/flavor.ts'
import { type ServerTraits, traitsOf } from '../server/server-traits.ts'
import { createSession, type MysqlSession } from './session.ts'

function commandsOf(
  { binaryCollation, settings }: ServerTraits,
  isReadOnly: boolean,
): readonly string[] {
  return [
    `set names utf8mb4 collate ${binaryCollation}`,
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
      const traits = traitsOf(flavor)
      for (const command of commandsOf(traits, isReadOnly)) await query(command)
      for (const setting of traits.privilegedSettings) {
        await query(`set session ${setting}`).catch(unlessDenied)
      }
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

/** @throws the error, but for a right that the account lacks (1227). */
function unlessDenied(error: unknown): void {
  if (!(error instanceof Error) || Reflect.get(error, 'errno') !== 1227) throw error
}

/** `10.11.6-MariaDB-0+deb12u1`, `8.4.3` */
export function flavorOf(version: string): Flavor {
  const [, major = '0', minor = '0', patch = '0'] = /(\d+)\.(\d+)\.(\d+)/.exec(version) ?? []
  return {
    kind: /mariadb/i.test(version) ? 'mariadb' : 'mysql',
    version: Number(major) * 10_000 + Number(minor) * 100 + Number(patch),
  }
}
