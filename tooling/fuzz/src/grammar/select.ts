/** @module One SELECT: its clauses, and their requirements for its outputs. */
import { group, groupOf, list, maybe, plain, type Tree } from '../tree/tree.ts'
import { keyed } from './expression-key.ts'
import {
  emptyScope,
  type GeneratedQuery,
  type Grammar,
  isColumn,
  isKeyIn,
  type Leaf,
  type QueryOptions,
  type Scope,
} from './grammar.ts'
import { source } from './source.ts'
import { type TypeName, typeWeights } from './types.ts'
import { directions } from './window.ts'

/** A SELECT with FROM, in `scope`: outer names are in `scope.outer`. */
export function select(grammar: Grammar, scope: Scope, options: QueryOptions): GeneratedQuery {
  const { random } = grammar
  const { depth } = options
  const from = random.chance(94) ? source(grammar, scope, depth) : undefined
  const rows: Scope = {
    ...emptyScope,
    named: scope.named,
    outer: scope.outer,
    leaves: from?.leaves ?? [],
  }
  const types = options.types ?? randomTypes(grammar, rows)
  const canSort = types.length > 0 && types.every((type) => isKeyIn(grammar, type))
  const shape = random.weighted<Shape>([
    [68, 'rows'],
    [from === undefined ? 0 : 16, 'grouped'],
    [from === undefined ? 0 : 8, 'single'],
    [canSort ? 6 : 0, 'distinct'],
    [canSort && from !== undefined ? 3 : 0, 'distinctOn'],
  ])
  const limits =
    canSort && (options.isScalar === true || random.chance(options.types === undefined ? 22 : 10))
  const isKeyed =
    options.isKeyed === true || shape === 'distinct' || shape === 'distinctOn' || limits
  const grouping =
    shape === 'grouped' || shape === 'single'
      ? groupedScope(grammar, rows, depth, shape === 'single')
      : undefined
  const outputs = outputTrees(grammar, grouping?.scope ?? { ...rows, mayWindow: true }, types, {
    depth,
    isKeyed,
  })
  const isSorted = limits || shape === 'distinctOn' || (canSort && isKeyed && random.chance(30))
  const where =
    from !== undefined && random.chance(60) ? condition(grammar, rows, depth) : undefined
  const having =
    grouping !== undefined && random.chance(35)
      ? grammar.expression({ ...grouping.scope, mayWindow: false }, 'bool', Math.min(depth, 2))
      : undefined
  const words =
    shape === 'distinct' ? 'distinct ' : shape === 'distinctOn' ? 'distinct on (1) ' : ''
  const tree = group(`q:${types.join()}`)`select ${words}${list(
    outputs.map((output, i) => plain`${output}${random.chance(30) ? ` as o${i + 1}` : ''}`),
    ', ',
    Math.max(types.length, 1),
  )}${maybe(from && plain` from ${from.tree}`)}${maybe(where && plain` where ${where}`)}${grouping?.clause ?? ''}${maybe(
    having && plain` having ${having}`,
  )}${isSorted ? ordinals(grammar, types.length, shape === 'distinctOn') : ''}${maybe(
    limits ? limitClause(grammar, options.isScalar === true) : undefined,
  )}`
  return { tree, types, isOrdered: isSorted }
}

type Shape = 'rows' | 'grouped' | 'single' | 'distinct' | 'distinctOn'

function randomTypes({ random }: Grammar, rows: Scope): readonly TypeName[] {
  const count = random.weighted([
    [40, 1],
    [35, 2],
    [20, 3],
    [5, 4],
  ])
  return Array.from({ length: count }, () =>
    rows.leaves.length > 0 && random.chance(50)
      ? random.pick(rows.leaves).type
      : random.weighted(typeWeights),
  )
}

function outputTrees(
  grammar: Grammar,
  scope: Scope,
  types: readonly TypeName[],
  { depth, isKeyed }: { readonly depth: number; readonly isKeyed: boolean },
): readonly Tree[] {
  return types.map((type) => {
    const output = grammar.expression(scope, type, depth)
    if (isKeyed) return typedKey(keyed(output, type), type)
    return output
  })
}

/** A sorted output needs an explicit type: a bare text would not have one yet. */
function typedKey(tree: Tree, type: TypeName): Tree {
  return type === 'text' ? groupOf('e:text', [tree, '::text']) : tree
}

/** WHERE: often a comparison of a column with a constant, a form that can use an index. */
function condition(grammar: Grammar, rows: Scope, depth: number): Tree {
  const { random } = grammar
  const one = () => grammar.expression(rows, 'bool', Math.max(1, depth - 1))
  if (random.chance(30))
    return list([one(), one(), ...(random.chance(30) ? [one()] : [])], ' and ', 1)
  return one()
}

interface Grouping {
  readonly scope: Scope
  readonly clause: Tree
}

/** GROUP BY; after it only keys and aggregates are available. */
function groupedScope(grammar: Grammar, rows: Scope, depth: number, isSingle: boolean): Grouping {
  const { random } = grammar
  const aggregated: Scope = { ...rows, mayWindow: false }
  const base: Scope = {
    ...emptyScope,
    named: rows.named,
    outer: rows.outer,
    aggregated,
    mayWindow: random.chance(30),
  }
  if (isSingle) return { scope: base, clause: '' }
  const keys = Array.from({ length: random.integer(1, 3) }, () => key(grammar, rows, depth)).filter(
    (each): each is Leaf => each !== undefined,
  )
  if (keys.length === 0) return { scope: base, clause: '' }
  const items = keys.map(({ tree }) => tree)
  const clause = random.weighted<() => Tree>([
    [70, () => list(items, ', ', items.length)],
    [6, () => plain`rollup (${list(items, ', ', items.length)})`],
    [
      6,
      () => plain`cube (${list(items.slice(0, 2), ', ', 1)}), ${list(items, ', ', items.length)}`,
    ],
    [6, () => plain`grouping sets ((${list(items, ', ', items.length)}), (${items[0] ?? ''}), ())`],
    [4, () => plain`distinct ${list(items, ', ', items.length)}, rollup (${items[0] ?? ''})`],
  ])()
  const mark: Leaf = { tree: plain`grouping(${items[0] ?? ''})`, type: 'int4' }
  const leaves = random.chance(15) ? [...keys, mark] : keys
  return { scope: { ...base, leaves }, clause: plain` group by ${clause}` }
}

/** A key: a column, or an expression that is not a constant (a bare number would be an ordinal). */
function key(grammar: Grammar, rows: Scope, depth: number): Leaf | undefined {
  const { random } = grammar
  const columns = rows.leaves.filter(({ type }) => isKeyIn(grammar, type))
  if (columns.length === 0) return undefined
  const column = random.pick(columns)
  const isPlain = !['numeric', 'float8', 'interval'].includes(column.type)
  if (isPlain && random.chance(75)) return column
  const type = random.pick<TypeName>(['int4', 'text', 'bool', 'numeric'])
  const tree = grammar.expression(rows, type, Math.min(depth, 1))
  if (!hasColumn(tree)) return isPlain ? column : undefined
  if (isColumn(tree) && type !== 'numeric') return { tree, type }
  return { tree: plain`coalesce(${keyed(tree, type)}, null)`, type }
}

/** Keys are not constants: PostgreSQL's result for one in a grouping set depends on whether it was computed before. */
function hasColumn(tree: Tree): boolean {
  if (isColumn(tree)) return true
  if (typeof tree === 'string') return false
  if (tree.kind === 'group') return tree.parts.some(hasColumn)
  if (tree.kind === 'list') return tree.items.some(hasColumn)
  return tree.kind === 'maybe' && tree.part !== undefined && hasColumn(tree.part)
}

function ordinals({ random }: Grammar, count: number, isFixed: boolean): Tree {
  const places = Array.from({ length: count }, (_, i) => i + 1)
  const order = isFixed ? places : random.shuffled(places)
  return ` order by ${order.map((place) => `${place}${random.pick(directions)}`).join(', ')}`
}

function limitClause({ random }: Grammar, isScalar: boolean): Tree {
  const count = isScalar ? 1 : random.integer(0, 6)
  const value = (text: string): Tree =>
    random.chance(30) ? { kind: 'value', value: Number(text), type: undefined } : text
  if (!isScalar && random.chance(12)) return ` fetch first ${count + 1} rows with ties`
  if (random.chance(10)) return ` fetch first ${count} rows only`
  const offset = random.chance(25) ? plain` offset ${value(String(random.integer(0, 3)))}` : ''
  return plain` limit ${value(String(count))}${offset}`
}
