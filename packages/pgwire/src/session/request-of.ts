/** @module A client's text as the engine is asked for it: one object for one text, in every session. */
import type { SessionStatement } from '@engine/core'
import type { ClientStatement } from './client-statement.ts'
import type { SettingFacts } from './session-parts.ts'

/** Plans are found by the object: nobody compares texts. */
const requests = new WeakMap<ClientStatement, readonly SessionStatement[]>()

/** Search paths, time zones and types in which clients may differ. */
const mostVariants = 8

const none: readonly number[] = []

/** @param parameterOids as the engine numbers types */
export function requestOf(
  { searchPath, timeZone }: Pick<SettingFacts, 'searchPath' | 'timeZone'>,
  statement: ClientStatement,
  parameterOids: readonly number[] = none,
): SessionStatement {
  const known = requests.get(statement) ?? []
  const found = known.find(
    (request) =>
      request.timeZone?.name === timeZone?.name &&
      isSame(request.searchPath, searchPath) &&
      isSame(request.parameterOids, parameterOids),
  )
  if (found !== undefined) return found
  const request: SessionStatement = { sql: statement.sql, parameterOids, searchPath, timeZone }
  requests.set(statement, [request, ...known.slice(0, mostVariants - 1)])
  return request
}

function isSame<Item>(a: readonly Item[], b: readonly Item[]): boolean {
  return a === b || (a.length === b.length && a.every((item, i) => item === b[i]))
}
