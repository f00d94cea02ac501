/** @module SQL text → statements, each with the part of the session that runs it. */
import { parseScript, type ScriptStatement } from '@engine/core/session'
import { LRUCache } from 'lru-cache'
import type { ClientStatement } from '../statements/client-statement.ts'
import { routeStatement } from './route-statement.ts'

/** Total size of cached texts, in UTF-16 code units; the cached data of a text is a small multiple of it. */
const maxRemembered = 4 * 1024 * 1024

/** Longer texts come from bulk loads: each arrives once. */
const maxRememberedText = 64 * 1024

/** The statements of a text depend only on the text. */
const remembered = new LRUCache<string, readonly ClientStatement[]>({
  max: 4096,
  maxSize: maxRemembered,
  sizeCalculation: (statements, sql) => sql.length + 64 * statements.length + 1,
})

/**
 * Reads the statements of a text; none where it has none. `loadParser` must have resolved once.
 *
 * @throws {GatewayError} `syntaxError` (42601, with `position`), `limitExceeded`: then no statement of the text runs.
 */
export function readStatements(sql: string): readonly ClientStatement[] {
  const known = remembered.get(sql)
  if (known !== undefined) return known
  const statements = parseScript(sql).map(readStatement)
  if (sql.length <= maxRememberedText) remembered.set(sql, statements)
  return statements
}

function readStatement({ tree, ...text }: ScriptStatement): ClientStatement {
  const { sql, offset } = text
  return { sql, offset, ...routeStatement(tree, text) }
}
