/** The names of the statements that one server session has prepared, least recently used first. */
export interface StatementCache {
  /** Is the statement prepared? If not, room is made for it. */
  use(name: string): boolean
  /** The server has prepared it. */
  add(name: string): void
  /** It is of no use any more. */
  drop(name: string): void
  /** Names the server shall close, each given out once. */
  takeDropped(): readonly string[]
  /** Drops everything that was prepared in an older epoch. */
  renew(epoch: number): void
}

export function createStatementCache(most = 500): StatementCache {
  const prepared = new Set<string>()
  const dropped = new Set<string>()
  let preparedIn = 0
  const drop = (name: string) => {
    prepared.delete(name)
    dropped.add(name)
  }
  return {
    use: (name) => {
      if (prepared.delete(name)) {
        prepared.add(name)
        return true
      }
      const [oldest] = prepared
      if (oldest !== undefined && prepared.size >= most) drop(oldest)
      return false
    },
    add: (name) => void prepared.add(name),
    drop,
    takeDropped: () => {
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
