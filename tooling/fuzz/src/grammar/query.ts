/** @module A whole query: SELECT, set operations, VALUES, WITH. */
import { group, list, plain, type Tree, table } from '../tree/tree.ts'
import { keyed } from './expression-key.ts'
import {
  emptyScope,
  type GeneratedQuery,
  type Grammar,
  isKeyIn,
  type NamedQuery,
  type QueryOptions,
  type Scope,
} from './grammar.ts'
import { select } from './select.ts'
import { type TypeName, typeWeights } from './types.ts'
import { directions } from './window.ts'

/** A query whose outputs have the wanted types; outer names are in `scope.outer`. */
export function query(grammar: Grammar, scope: Scope, options: QueryOptions): GeneratedQuery {
  const { random } = grammar
  const { depth } = options
  if (depth <= 0 && random.chance(30)) return valuesQuery(grammar, scope, options)
  if (depth > 1 && random.chance(12)) return withQueries(grammar, scope, options)
  return withoutWith(grammar, scope, options)
}

function withoutWith(grammar: Grammar, scope: Scope, options: QueryOptions): GeneratedQuery {
  const { random } = grammar
  const { depth } = options
  return random.weighted<() => GeneratedQuery>([
    [84, () => select(grammar, scope, options)],
    [depth > 0 && options.isScalar !== true ? 12 : 0, () => setOperation(grammar, scope, options)],
    [3, () => valuesQuery(grammar, scope, options)],
  ])()
}

function valuesQuery(grammar: Grammar, scope: Scope, options: QueryOptions): GeneratedQuery {
  const { random } = grammar
  const types = options.types ?? [random.weighted(typeWeights)]
  const count = options.isScalar === true ? 1 : random.integer(1, 3)
  const rows = Array.from(
    { length: count },
    () =>
      plain`(${list(
        types.map((type) => {
          const value = plain`(${grammar.expression(scope, type, 0)})::${type}`
          return options.isKeyed === true ? keyed(value, type) : value
        }),
        ', ',
        Math.max(1, types.length),
      )})`,
  )
  return { tree: group(`q:${types.join()}`)`values ${list(rows)}`, types, isOrdered: false }
}

function setOperation(grammar: Grammar, scope: Scope, options: QueryOptions): GeneratedQuery {
  const { random } = grammar
  const types =
    options.types ??
    Array.from({ length: random.integer(1, 2) }, () => random.weighted(typeWeights))
  const canCompare = types.every((type) => isKeyIn(grammar, type))
  const operator = random.weighted([
    [40, 'union all'],
    [canCompare ? 30 : 0, 'union'],
    [canCompare ? 12 : 0, 'except'],
    [canCompare ? 5 : 0, 'except all'],
    [canCompare ? 12 : 0, 'intersect'],
    [canCompare ? 5 : 0, 'intersect all'],
  ])
  const branch = (): Tree => {
    const { tree } = grammar.query(scope, { types, depth: options.depth - 1, isKeyed: true })
    const name = grammar.name('b')
    const columns = types.map((_, i) => `c${i + 1}`)
    // Every column gets an explicit type: a constant text, or a text with a maximum length, would have another one.
    const outputs = columns.map((column, i) => `${name}.${column}::${types[i]}`).join(', ')
    return random.chance(50)
      ? plain`select ${outputs} from (${tree}) as ${name}(${columns.join(', ')})`
      : plain`(${tree})`
  }
  const isSorted = canCompare && random.chance(35)
  const sort = isSorted
    ? ` order by ${types.map((_, i) => `${i + 1}${random.pick(directions)}`).join(', ')}`
    : ''
  const limit = isSorted && random.chance(40) ? ` limit ${random.integer(0, 5)}` : ''
  const tree = group(`q:${types.join()}`)`${branch()} ${operator} ${branch()}${sort}${limit}`
  return { tree, types, isOrdered: isSorted }
}

/** WITH clause of a query, whose queries it may name. */
function withQueries(grammar: Grammar, scope: Scope, options: QueryOptions): GeneratedQuery {
  const { random } = grammar
  const ctes: Tree[] = []
  let named: readonly NamedQuery[] = scope.named
  let isRecursive = false
  const count = random.integer(1, 2)
  for (let i = 0; i < count; i += 1) {
    const name = grammar.name('w')
    if (random.chance(20)) {
      const counter = recursiveQuery(grammar, name)
      ctes.push(counter.tree)
      named = [...named, counter.named]
      isRecursive = true
      continue
    }
    const { tree, types } = grammar.query(
      { ...emptyScope, outer: scope.outer, named },
      { types: undefined, depth: options.depth - 1 },
    )
    const columns = types.map((type, j) => ({ name: `c${j + 1}`, type }))
    const list = columns.map((column) => column.name).join(', ')
    const words = random.pick(['', '', 'materialized ', 'not materialized '])
    ctes.push(plain`${name}(${list}) as ${words}(${tree})`)
    named = [...named, { name, columns }]
  }
  const body = withoutWith(grammar, { ...scope, named }, { ...options, depth: options.depth - 1 })
  return {
    ...body,
    tree: group(
      `q:${body.types.join()}`,
    )`with ${isRecursive ? 'recursive ' : ''}${list(ctes, ', ', ctes.length)} ${body.tree}`,
  }
}

/** A counter, or a walk along the rows of a table. */
function recursiveQuery(
  grammar: Grammar,
  name: string,
): { readonly tree: Tree; readonly named: NamedQuery } {
  const { random } = grammar
  const last = random.integer(1, 5)
  const visible = random.pick(grammar.tables)
  const all = random.pick(['union all', 'union'])
  const columns: readonly { readonly name: string; readonly type: TypeName }[] = [
    { name: 'n', type: 'int4' },
    { name: 'm', type: 'int4' },
  ]
  const canWalk = visible.readable.includes('id') && visible.readable.includes('k')
  const relation = table(visible.table.name)
  const tree =
    canWalk && random.chance(50)
      ? plain`${name}(n, m) as (select z.id, z.k from ${relation} z where z.id < 3 union select z.id, z.k from ${relation} z join ${name} on z.k = ${name}.n)`
      : plain`${name}(n, m) as (select 1, ${String(last)} ${all} select ${name}.n + 1, ${name}.m from ${name} where ${name}.n < ${name}.m)`
  return { tree, named: { name, columns } }
}
