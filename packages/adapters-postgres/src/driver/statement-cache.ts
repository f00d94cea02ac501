import type { Oid } from '@engine/core/catalog'

/** The statements that one server session has prepared, by name, least recently used first. */
export interface StatementCache {
  /** Returns whether the statement is prepared. If not, makes room for it. */
  use(name: string): boolean
  /** The server has prepared it. */
  add(name: string): void
  /** The server has reported the types of the columns of a prepared statement. */
  describe(name: string, columns: readonly Oid[]): void
  /** What `describe` was given; undefined before. */
  columnsOf(name: string): readonly Oid[] | undefined
  /** The statement is not usable any more. */
  drop(name: string): void
  /** Names of statements that the server should close, each returned once. */
  takeDropped(): readonly string[]
  /** Drops every statement that was prepared in an older epoch. */
  renew(epoch: number): void
}

const none: readonly string[] = []

export function createStatementCache(most = 500): StatementCache {
  const prepared = new Map<string, readonly Oid[] | undefined>()
  const dropped = new Set<string>()
  /** The last of `prepared`: most often it is used again, and keeps its position. */
  let newest: string | undefined
  let preparedIn = 0
  const drop = (name: string) => {
    prepared.delete(name)
    dropped.add(name)
    if (name === newest) newest = undefined
  }
  const add = (name: string, columns?: readonly Oid[]) => {
    prepared.set(name, columns)
    newest = name
  }
  return {
    use: (name) => {
      if (name === newest) return true
      if (prepared.has(name)) {
        const columns = prepared.get(name)
        prepared.delete(name)
        add(name, columns)
        return true
      }
      const [oldest] = prepared.keys()
      if (oldest !== undefined && prepared.size >= most) drop(oldest)
      return false
    },
    add: (name) => add(name),
    describe: (name, columns) => {
      if (prepared.has(name)) prepared.set(name, columns)
    },
    columnsOf: (name) => prepared.get(name),
    drop,
    takeDropped: () => {
      if (dropped.size === 0) return none
      const names = [...dropped]
      dropped.clear()
      return names
    },
    renew: (epoch) => {
      if (epoch === preparedIn) return
      preparedIn = epoch
      for (const name of [...prepared.keys()]) drop(name)
    },
  }
}
