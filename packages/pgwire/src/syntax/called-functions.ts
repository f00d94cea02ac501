/** @module Which functions a statement calls, by the last part of their names. */
import { fieldsOf, listOf, stringNodes } from './syntax-node.ts'

/** In no order; those inside of subqueries as well. */
export function calledFunctions(tree: unknown): ReadonlySet<string> {
  const names = new Set<string>()
  collect(tree, names)
  return names
}

function collect(value: unknown, names: Set<string>): void {
  if (Array.isArray(value)) {
    for (const item of listOf(value)) collect(item, names)
    return
  }
  for (const [kind, field] of Object.entries(fieldsOf(value))) {
    if (typeof field !== 'object') continue
    if (kind === 'FuncCall') {
      const name = stringNodes(fieldsOf(field)['funcname']).at(-1)
      if (name !== undefined) names.add(name)
    }
    collect(field, names)
  }
}
