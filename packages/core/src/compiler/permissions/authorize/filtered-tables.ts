import type { SecuredTable } from '../../bind/tree/secured-table.ts'
import { visitStatement } from '../../bind/tree/visit-query.ts'
import type { AuthorizedStatement } from './authorized.ts'

/** Tables of which a statement reads or changes some rows only, as `connection.table`, in alphabetical order. */
export function filteredTables(statement: AuthorizedStatement): readonly string[] {
  const found = new Set<string>()
  const add = ({ filter, table }: SecuredTable) => {
    if (filter !== undefined) found.add(`${table.connection}.${table.name}`)
  }
  visitStatement(statement, {
    fromItem: (item) => {
      if (item.kind === 'securedTable') add(item)
    },
    write: ({ security }) => {
      if (security?.rows !== undefined) add(security.rows)
    },
  })
  return [...found].sort()
}
