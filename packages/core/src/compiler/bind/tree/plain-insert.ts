import type { BoundStatement } from './bound-query.ts'
import { isWrite } from './map-query.ts'
import { isOfApplication } from './reads-tables.ts'
import { visitWrite } from './visit-query.ts'
import { isVolatileCall } from './volatility.ts'

/**
 * Is the statement an INSERT of values that reads no table, and runs nothing but code of the database itself? Then it does the
 * same in a transaction that it shares with such statements of other callers. See `Table.hasPlainInserts`.
 */
export function isPlainInsert({ body }: BoundStatement): boolean {
  if (!isWrite(body) || body.kind !== 'insert' || body.ctes.length > 0) return false
  const isUpsert = body.onConflict !== undefined && body.onConflict.action.kind !== 'nothing'
  if (body.target.table.hasPlainInserts !== true || isUpsert) return false
  let isPlain = true
  visitWrite(body, {
    query: () => {
      isPlain = false
    },
    expression: (part) => {
      if (isOfApplication(part) || isVolatileCall(part)) isPlain = false
    },
  })
  return isPlain
}
