/** One clause or expression of the grammar, with a statement of it. */
export interface Clause {
  /** Row of the table. */
  readonly name: string
  readonly sql: string
  /** The statement fixes the order of its rows. */
  readonly isOrdered: boolean
}

/** A statement whose rows come in any order, or in that of its ORDER BY. */
export function clause(name: string, sql: string): Clause {
  return {
    name,
    sql,
    isOrdered: /\border by [^()]*(?: limit .*| offset .*| fetch .*)?$/i.test(sql),
  }
}
