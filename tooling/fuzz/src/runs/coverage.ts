/** @module Which kinds of node of PostgreSQL's grammar the statements had, against those that the engine accepts. */
import { acceptedNodes } from '@engine/core'
import { loadModule, parseSync } from 'libpg-query'

export interface CoverageCounter {
  /** Parses a statement and counts its nodes. */
  readonly add: (sql: string) => void
  readonly counts: ReadonlyMap<string, number>
  /** Accepted kinds of node that no statement had. */
  readonly missing: () => readonly string[]
  readonly summary: () => string
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
  const missing = () => [...acceptedNodes.keys()].filter((kind) => !counts.has(kind))
  return {
    counts,
    missing,
    add: (sql) => visit(parseSync(sql)),
    summary: () => {
      const lacking = missing()
      const all = acceptedNodes.size
      return `node kinds: ${all - lacking.length} of ${all} accepted ones${lacking.length > 0 ? `, without ${lacking.join(', ')}` : ''}`
    },
  }
}

/** Fields whose node has no wrapper that names its kind. */
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
