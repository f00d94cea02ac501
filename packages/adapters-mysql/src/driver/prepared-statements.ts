/** @module The statements that one connection has prepared. */
import type { WireColumn } from './protocol/column-definition.ts'
import { closeCommand } from './protocol/commands.ts'

export interface PreparedStatement {
  /** The server's number for it on this connection. */
  readonly id: number
  /** Its result columns as they were last sent; undefined before its first result. */
  columns: readonly WireColumn[] | undefined
}

export interface PreparedStatements {
  get(sql: string): PreparedStatement | undefined
  /** As `get`, without using it. */
  has(sql: string): boolean
  /** Adds a new statement; the one that was not used for the longest time makes room for it. */
  add(sql: string, id: number): PreparedStatement
  drop(sql: string): void
  /**
   * The server has no room for another statement of any client: drops all, and keeps fewer from now on.
   *
   * @returns whether there was one.
   */
  yieldRoom(): boolean
  /** The commands that close dropped statements, to be sent before the next command; each is returned once. */
  takeClosed(): readonly Buffer[]
}

interface Entry extends PreparedStatement {
  usedAt: number
}

const none: readonly Buffer[] = []

/** @param most statements that are kept. */
export function createPreparedStatements(most: number): PreparedStatements {
  const entries = new Map<string, Entry>()
  let closed: Buffer[] = []
  let room = most
  /** Counts uses: a clock. */
  let now = 0

  const drop = (sql: string): void => {
    const entry = entries.get(sql)
    if (entry === undefined) return
    entries.delete(sql)
    closed.push(closeCommand(entry.id))
  }
  const dropOldest = (): void => {
    let oldest: string | undefined
    let usedAt = Number.POSITIVE_INFINITY
    for (const [sql, entry] of entries) {
      if (entry.usedAt >= usedAt) continue
      oldest = sql
      usedAt = entry.usedAt
    }
    if (oldest !== undefined) drop(oldest)
  }
  return {
    get: (sql) => {
      const entry = entries.get(sql)
      if (entry !== undefined) entry.usedAt = ++now
      return entry
    },
    has: (sql) => entries.has(sql),
    add: (sql, id) => {
      drop(sql)
      while (entries.size >= room) dropOldest()
      const entry: Entry = { id, columns: undefined, usedAt: ++now }
      entries.set(sql, entry)
      return entry
    },
    drop,
    yieldRoom: () => {
      if (entries.size === 0) return false
      room = Math.max(1, entries.size >> 1)
      for (const sql of [...entries.keys()]) drop(sql)
      return true
    },
    takeClosed: () => {
      if (closed.length === 0) return none
      const commands = closed
      closed = []
      return commands
    },
  }
}
