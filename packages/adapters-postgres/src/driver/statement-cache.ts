/** The names of the statements that one server session has prepared, least recently used first. */
export interface StatementCache {
  /** Returns whether the statement is prepared. If not, makes room for it. */
  use(name: string): boolean
  /** The server has prepared it. */
  add(name: string): void
  /** The statement is not usable any more. */
  drop(name: string): void
  /** Names of statements that the server should close, each returned once. */
  takeDropped(): readonly string[]
  /** Drops every statement that was prepared in an older epoch. */
  renew(epoch: number): void
}

const none: readonly string[] = []

export function createStatementCache(most = 500): StatementCache {
  const prepared = new Set<string>()
  const dropped = new Set<string>()
  /** The last of `prepared`: most often it is used again, and keeps its position. */
  let newest: string | undefined
  let preparedIn = 0
  const drop = (name: string) => {
    prepared.delete(name)
    dropped.add(name)
    if (name === newest) newest = undefined
  }
  const add = (name: string) => {
    prepared.add(name)
    newest = name
  }
  return {
    use: (name) => {
      if (name === newest) return true
      if (prepared.delete(name)) {
        add(name)
        return true
      }
      const [oldest] = prepared
      if (oldest !== undefined && prepared.size >= most) drop(oldest)
      return false
    },
    add,
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
      for (const name of [...prepared]) drop(name)
    },
  }
}
