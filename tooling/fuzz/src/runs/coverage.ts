/**
 * @module Which kinds of node of PostgreSQL's grammar the statements had, compared with those that the engine accepts.
 */
import { acceptedNodes } from '@engine/core/session'
import { loadModule, parseSync } from 'libpg-query'

export interface CoverageCounter {
  /** Parses a statement and counts its nodes. */
  readonly add: (sql: string) => void
  readonly counts: ReadonlyMap<string, number>
}

export async function createCoverage(): Promise<CoverageCounter> {
  await loadModule()
  const counts = new Map<string, number>()
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const item of value) visit(item)
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        const kind = fieldKinds[key] ?? key
        if (acceptedNodes.has(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1)
        visit(inner)
      }
    }
  }
  return { counts, add: (sql) => visit(parseSync(sql)) }
}

/** Number of the accepted kinds of node that occurred, and those that did not. */
export function coverageText(counts: ReadonlyMap<string, number>): string {
  const lacking = [...acceptedNodes.keys()].filter((kind) => !counts.has(kind))
  const all = acceptedNodes.size
  const without = lacking.length > 0 ? `, without ${lacking.join(', ')}` : ''
  return `node kinds: ${all - lacking.length} of ${all} accepted ones${without}`
}

/** Fields whose node has no wrapper with its kind. */
const fieldKinds: Readonly<Record<string, string>> = {
  withClause: 'WithClause',
  onConflictClause: 'OnConflictClause',
  infer: 'InferClause',
  returningClause: 'ReturningClause',
  relation: 'RangeVar',
  alias: 'Alias',
  join_using_alias: 'Alias',
  typeName: 'TypeName',
  over: 'WindowDef',
  ival: 'Integer',
  fval: 'Float',
  boolval: 'Boolean',
  sval: 'String',
  bsval: 'BitString',
  larg: 'SelectStmt',
}
