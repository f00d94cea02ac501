/** @module The columns of a view's query, in the text of its rule: `({QUERY … :targetList ({TARGETENTRY … :resno 1 …}) …})`. */
// cspell:ignore resno resorigtbl resorigcol fromexpr fromlist jointree quals

/** A column of a view that shows a column of a relation. */
export interface ViewTarget {
  readonly number: number
  /** The oid of the relation. */
  readonly origin: string
  readonly originNumber: number
}

const fields = /:resno (\d+) .*:resorigtbl (\d+) :resorigcol (\d+) /

/** The targets of the outermost query; those of its subqueries are deeper. Columns that are expressions have no origin. */
export function viewTargets(rule: string): readonly ViewTarget[] {
  return nodesBelow(rule).flatMap((node): readonly ViewTarget[] => {
    const found = node.startsWith('TARGETENTRY ') ? fields.exec(node) : null
    const [, number, origin = '0', originNumber] = found ?? []
    return origin === '0'
      ? []
      : [{ number: Number(number), origin, originNumber: Number(originNumber) }]
  })
}

/** Does the outermost query have no WHERE: `:jointree {FROMEXPR :fromlist (…) :quals <>}`? */
export function hasNoCondition(rule: string): boolean {
  const from = nodesBelow(rule).filter((node) => node.startsWith('FROMEXPR '))
  return from.length === 1 && from.every((node) => node.endsWith(':quals <>'))
}

/** The texts of the nodes of the outermost node, without those inside them. In names a backslash stands before a brace. */
function nodesBelow(tree: string): readonly string[] {
  const nodes: string[] = []
  let depth = 0
  let start = 0
  let text = ''
  for (const { 0: mark, index } of tree.matchAll(/\\.|[{}]/gs)) {
    if (mark !== '{' && mark !== '}') continue
    if (depth === 2) text += tree.slice(start, index)
    depth += mark === '{' ? 1 : -1
    start = index + 1
    if (depth === 1) {
      nodes.push(text)
      text = ''
    }
  }
  return nodes
}
