import { list, maybe, plain, type Tree } from '../tree/tree.ts'
import type { WorldColumn, WorldTable } from '../world/world.ts'
import { emptyScope, type Grammar, type Scope } from './grammar.ts'
import { columnLeaf } from './source.ts'
import { columnsNamed, valueFor } from './value-for.ts'

/** The parts of ON CONFLICT. */
export interface ConflictFacts {
  /** The conflict column; undefined: every key. */
  readonly target: string | undefined
  /** Assignments of DO UPDATE; none: DO NOTHING. */
  readonly columns: readonly string[]
  /** By column. */
  readonly values: readonly Tree[]
  readonly where: Tree | undefined
  /** Alias of the existing row. */
  readonly alias: string
}

export interface ConflictOptions {
  readonly hasFreshKeys: boolean
  readonly writable: (table: string, operation: 'update') => readonly string[]
}

/** ON CONFLICT over a key that the caller can read, or over all of them. */
export function conflictClause(
  grammar: Grammar,
  target: WorldTable,
  readable: readonly string[],
  alias: string,
  options: ConflictOptions,
): { readonly tree: Tree; readonly facts: ConflictFacts } {
  const { random } = grammar
  const keys = ['id', ...(target.unique === undefined ? [] : [target.unique])].filter((name) =>
    readable.includes(name),
  )
  const isFresh = options.hasFreshKeys
  const nothing = (column: string | undefined) => ({
    tree: ` on conflict${column === undefined ? '' : ` (${column})`} do nothing`,
    facts: { target: column, columns: [], values: [], where: undefined, alias },
  })
  if (keys.length === 0 || random.chance(35)) {
    return nothing(keys.length > 0 && random.chance(60) ? random.pick(keys) : undefined)
  }
  const names = options.writable(target.name, 'update').filter((name) => name !== 'id')
  const columns = random.some(columnsNamed(target, names), 1).slice(0, 2)
  if (columns.length === 0) return nothing(undefined)
  const leavesOf = (relation: string, from: readonly WorldColumn[]) =>
    from.map(({ name, type }) => columnLeaf(relation, name, type))
  const own = columnsNamed(target, readable)
  const sent = columns.filter((column) => own.includes(column))
  const scope: Scope = {
    ...emptyScope,
    leaves: [...leavesOf(alias, own), ...leavesOf('excluded', sent)],
  }
  const values = columns.map((column) =>
    sent.includes(column) && random.chance(35)
      ? `excluded.${column.name}`
      : valueFor(grammar, target, column, scope, 1, isFresh),
  )
  const where = random.chance(30) ? grammar.expression(scope, 'bool', 1) : undefined
  const sets = columns.map((column, i) => plain`${column.name} = ${values[i] ?? ''}`)
  const key = random.pick(keys)
  return {
    tree: plain` on conflict (${key}) do update set ${list(sets, ', ', sets.length)}${maybe(where && plain` where ${where}`)}`,
    facts: { target: key, columns: columns.map(({ name }) => name), values, where, alias },
  }
}
