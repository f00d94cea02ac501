/** @module Items of FROM: tables, joins, subqueries, functions, WITH queries, VALUES. */
import { groupOf, list, maybe, plain, type Tree, table } from '../tree/tree.ts'
import { type Grammar, innerScope, type Leaf, type Scope } from './grammar.ts'
import { isKeyType, type TypeName, typeWeights } from './types.ts'

/** An item of FROM and its columns. */
export interface Source {
  readonly tree: Tree
  readonly leaves: readonly Leaf[]
}

/** A column as a leaf: a group with one text, so that it differs from other expressions. */
export function columnLeaf(relation: string, name: string, type: TypeName): Leaf {
  return { tree: groupOf(`e:${type}`, [`${relation}.${name}`]), type }
}

/** One item, or several joined. `scope`: the outer names; only LATERAL sees previous items. */
export function source(grammar: Grammar, scope: Scope, depth: number): Source {
  const { random } = grammar
  let current = item(grammar, scope, depth)
  const joins = random.weighted([
    [55, 0],
    [33, 1],
    [12, 2],
  ])
  const count = depth > 0 ? joins : 0
  for (let i = 1; i <= count; i += 1) current = joined(grammar, scope, current, depth, i === count)
  return current
}

function item(grammar: Grammar, scope: Scope, depth: number): Source {
  const { random } = grammar
  return random.weighted<() => Source>([
    [60, () => tableItem(grammar)],
    [depth > 1 ? 12 : 0, () => subqueryItem(grammar, scope, depth, false)],
    [scope.named.length > 0 ? 25 : 0, () => namedItem(grammar, scope)],
    [4, () => valuesItem(grammar)],
    [4, () => functionItem(grammar, scope, depth)],
  ])()
}

/** A table of the world, sometimes with an alias list, sometimes in parentheses. */
export function tableItem(grammar: Grammar): Source {
  const { random } = grammar
  const visible = random.pick(grammar.tables)
  const alias = grammar.name('a')
  const columns = visible.table.columns.filter(({ name }) => visible.readable.includes(name))
  const name = table(visible.table.name)
  // The list also counts the folded columns, which are readable and never named.
  const isNamed = visible.table.columns.every(({ foldedOn }) => foldedOn !== 'postgres')
  if (random.chance(6) && columns.length > 0 && isNamed) {
    const names = columns.map((_, i) => `x${i + 1}`)
    return {
      tree: plain`${name} as ${alias}(${names.join(', ')})`,
      leaves: columns.map((column, i) => columnLeaf(alias, names[i] ?? '', column.type)),
    }
  }
  return {
    tree: plain`${name}${random.pick([' ', ' as '])}${alias}`,
    leaves: columns.map((column) => columnLeaf(alias, column.name, column.type)),
  }
}

function subqueryItem(
  grammar: Grammar,
  scope: Scope,
  depth: number,
  isLateral: boolean,
  siblings: readonly Leaf[] = [],
): Source {
  const inner = innerScope({ ...scope, leaves: isLateral ? siblings : [] })
  const { tree, types } = grammar.query(inner, { types: undefined, depth: depth - 1 })
  const alias = grammar.name('d')
  const names = types.map((_, i) => `c${i + 1}`)
  return {
    tree: plain`${isLateral ? 'lateral ' : ''}(${tree}) as ${alias}(${names.join(', ')})`,
    leaves: types.map((type, i) => columnLeaf(alias, names[i] ?? '', type)),
  }
}

function namedItem(grammar: Grammar, scope: Scope): Source {
  const named = grammar.random.pick(scope.named)
  const alias = grammar.name('n')
  return {
    tree: plain`${named.name} as ${alias}`,
    leaves: named.columns.map(({ name, type }) => columnLeaf(alias, name, type)),
  }
}

function valuesItem(grammar: Grammar): Source {
  const { random } = grammar
  const types = Array.from({ length: random.integer(1, 3) }, () => random.weighted(typeWeights))
  const alias = grammar.name('v')
  const constant = { leaves: [], outer: [], named: [], aggregated: undefined, mayWindow: false }
  const rows = Array.from(
    { length: random.integer(1, 4) },
    () =>
      plain`(${list(
        types.map((type) => plain`${grammar.expression(constant, type, 0)}::${type}`),
        ', ',
        types.length,
      )})`,
  )
  const names = types.map((_, i) => `c${i + 1}`)
  return {
    tree: plain`(values ${list(rows)}) as ${alias}(${names.join(', ')})`,
    leaves: types.map((type, i) => columnLeaf(alias, names[i] ?? '', type)),
  }
}

/** Functions that return rows in an order of their own; they see only the outer names in `scope`. */
function functionItem(
  grammar: Grammar,
  scope: Scope,
  depth: number,
  siblings: readonly Leaf[] = [],
): Source {
  const { random } = grammar
  const around = innerScope({ ...scope, leaves: siblings })
  const e = (type: TypeName) => grammar.expression(around, type, Math.min(depth - 1, 1))
  const alias = grammar.name('f')
  const one = (tree: Tree, type: TypeName): Source => {
    const ordinality = random.chance(20)
    return {
      tree: plain`${tree}${ordinality ? ' with ordinality' : ''} as ${alias}(v${ordinality ? ', n' : ''})`,
      leaves: [
        columnLeaf(alias, 'v', type),
        ...(ordinality ? [columnLeaf(alias, 'n', 'int8')] : []),
      ],
    }
  }
  return random.weighted<() => Source>([
    [5, () => one(plain`generate_series(1, ${String(random.integer(0, 5))})`, 'int4')],
    [1, () => one(plain`generate_series(${e('int4')} % 5, 5, 2)`, 'int4')],
    [2, () => one(plain`unnest(${e('int4[]')})`, 'int4')],
    [1, () => one(plain`unnest(${e('text[]')})`, 'text')],
    [1, () => one(plain`regexp_split_to_table(${e('text')}, 'b')`, 'text')],
    [1, () => one(plain`jsonb_array_elements('[1, "a", null]'::jsonb)`, 'jsonb')],
    [1, () => one(plain`jsonb_array_elements_text('["a", "b"]'::jsonb)`, 'text')],
    [1, () => jsonPairs(alias, plain`jsonb_each_text('{"a": 1, "b": "x"}'::jsonb)`)],
    [1, () => rowsFrom(alias)],
  ])()
}

function jsonPairs(alias: string, tree: Tree): Source {
  return {
    tree: plain`${tree} as ${alias}(a, b)`,
    leaves: [columnLeaf(alias, 'a', 'text'), columnLeaf(alias, 'b', 'text')],
  }
}

function rowsFrom(alias: string): Source {
  return {
    tree: plain`rows from (generate_series(1, 3), unnest(array['a', 'b'])) as ${alias}(a, b)`,
    leaves: [columnLeaf(alias, 'a', 'int4'), columnLeaf(alias, 'b', 'text')],
  }
}

/** @param isLast a comma may follow: it has a lower precedence than the joins before it. */
function joined(
  grammar: Grammar,
  scope: Scope,
  left: Source,
  depth: number,
  isLast: boolean,
): Source {
  const { random } = grammar
  const isLateral = depth > 1 && random.chance(12)
  const right = isLateral
    ? random.chance(70)
      ? subqueryItem(grammar, scope, depth, true, left.leaves)
      : functionItem(grammar, scope, depth, left.leaves)
    : item(grammar, scope, Math.min(depth, 2))
  const both = [...left.leaves, ...right.leaves]
  const kind = random.weighted([
    [8, 'join'],
    [6, 'left join'],
    [isLateral ? 0 : 2, 'right join'],
    [isLateral ? 0 : 2, 'full join'],
    [2, 'cross join'],
    [isLast ? 2 : 0, ','],
  ])
  if (kind === ',') return { tree: plain`${left.tree}, ${right.tree}`, leaves: both }
  if (kind === 'cross join')
    return { tree: plain`${left.tree} cross join ${right.tree}`, leaves: both }
  const shared = sharedName(left, right)
  if (shared !== undefined && random.chance(30)) {
    return using(grammar, left, right, kind, shared)
  }
  const condition =
    kind === 'full join'
      ? (equality(grammar, left, right) ?? plain`true`)
      : random.chance(70)
        ? (equality(grammar, left, right) ?? plain`true`)
        : grammar.expression({ ...innerScope(scope), leaves: both }, 'bool', Math.min(depth - 1, 2))
  return { tree: plain`${left.tree} ${kind} ${right.tree} on ${condition}`, leaves: both }
}

function equality({ random }: Grammar, left: Source, right: Source): Tree | undefined {
  const pairs = left.leaves.flatMap((one) =>
    right.leaves
      .filter(({ type }) => type === one.type && isKeyType(type))
      .map((other) => [one, other] as const),
  )
  if (pairs.length === 0) return undefined
  const [one, other] = random.pick(pairs)
  return plain`(${one.tree} = ${other.tree})`
}

/** Columns that both sides have with the same name and type, each once. */
function sharedName(left: Source, right: Source): string | undefined {
  const names = (source: Source) => source.leaves.map(nameOf)
  const [ours, theirs] = [names(left), names(right)]
  return ours.find(
    (name) =>
      isKeyType(left.leaves[ours.indexOf(name)]?.type ?? 'json') &&
      ours.filter((each) => each === name).length === 1 &&
      theirs.filter((each) => each === name).length === 1 &&
      left.leaves[ours.indexOf(name)]?.type === right.leaves[theirs.indexOf(name)]?.type,
  )
}

function nameOf({ tree }: Leaf): string {
  const text = typeof tree === 'object' && tree.kind === 'group' ? tree.parts[0] : ''
  return typeof text === 'string' ? (text.split('.')[1] ?? '') : ''
}

function using(
  grammar: Grammar,
  left: Source,
  right: Source,
  kind: string,
  shared: string,
): Source {
  const { random } = grammar
  const both = [...left.leaves, ...right.leaves]
  const merged = both.find((each) => nameOf(each) === shared)
  const names = (source: Source) => source.leaves.map(nameOf)
  const common = names(left).filter((name) => names(right).includes(name))
  if (common.length === 1 && random.chance(30)) {
    return { tree: plain`${left.tree} natural ${kind} ${right.tree}`, leaves: both }
  }
  const alias = random.chance(30) ? grammar.name('u') : undefined
  const own =
    alias === undefined || merged === undefined ? [] : [columnLeaf(alias, shared, merged.type)]
  return {
    tree: plain`${left.tree} ${kind} ${right.tree} using (${shared})${maybe(alias && ` as ${alias}`)}`,
    leaves: [...both, ...own],
  }
}
