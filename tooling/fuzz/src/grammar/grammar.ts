/** @module What the parts of the grammar share: where an expression stands and what it may refer to. */
import type { Random } from '../random.ts'
import type { Tree } from '../tree/tree.ts'
import type { WorldTable } from '../world/world.ts'
import type { TypeName } from './types.ts'
import type { Volatility } from './volatility.ts'

/** Something an expression can be without any depth: a column, say. */
export interface Leaf {
  readonly tree: Tree
  readonly type: TypeName
}

/** A WITH query that may be named in FROM. */
export interface NamedQuery {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly type: TypeName }[]
}

/** What an expression may refer to. */
export interface Scope {
  /** Of its own query: columns; after GROUP BY the keys. */
  readonly leaves: readonly Leaf[]
  /** Columns of the queries around, for subqueries of it. */
  readonly outer: readonly Leaf[]
  readonly named: readonly NamedQuery[]
  /** After GROUP BY: what arguments of aggregates may refer to. */
  readonly aggregated: Scope | undefined
  /** Window functions may stand here. */
  readonly mayWindow: boolean
}

export const emptyScope: Scope = {
  leaves: [],
  outer: [],
  named: [],
  aggregated: undefined,
  mayWindow: false,
}

/** A table as a caller sees it. */
export interface VisibleTable {
  readonly table: WorldTable
  /** Names of columns that statements may read. */
  readonly readable: readonly string[]
}

export interface QueryOptions {
  /** Output types; undefined: any. */
  readonly types: readonly TypeName[] | undefined
  readonly depth: number
  /** Equal outputs must look equal: they are sorted by, say. */
  readonly isKeyed?: boolean
  /** One row at most, most of the time. */
  readonly isScalar?: boolean
}

export interface GeneratedQuery {
  readonly tree: Tree
  readonly types: readonly TypeName[]
  /** The order of its rows is fixed. */
  readonly isOrdered: boolean
}

/** Can it be sorted, grouped and compared by? */
export function isKeyIn({ keyTypes }: Pick<Grammar, 'keyTypes'>, type: TypeName): boolean {
  return keyTypes.includes(type) || type === 'mood'
}

/** The grammar in one world; parts call each other through it. */
export interface Grammar {
  readonly random: Random
  readonly tables: readonly VisibleTable[]
  /** In percent, for templates that can fail. */
  readonly risk: number
  /** Undefined: nothing is volatile. */
  readonly volatility: Volatility | undefined
  /** Values of a column that keys have, also those of rows that the caller does not see; empty: any will do. */
  readonly taken: (table: string, column: string) => readonly string[]
  /** Types of what is sorted, grouped and compared by. */
  readonly keyTypes: readonly TypeName[]
  /** A name that nothing else in the statement has. */
  readonly name: (prefix: string) => string
  readonly expression: (scope: Scope, type: TypeName, depth: number) => Tree
  readonly query: (scope: Scope, options: QueryOptions) => GeneratedQuery
}

/** The scope of a subquery: what was own becomes outer. */
export function innerScope(scope: Scope): Scope {
  return { ...emptyScope, named: scope.named, outer: [...columnsOf(scope), ...scope.outer] }
}

/** Leaves that a subquery may refer to: columns, but no aggregates of the query around. */
function columnsOf(scope: Scope): readonly Leaf[] {
  return scope.leaves.filter(({ tree }) => isColumn(tree))
}

export function isColumn(tree: Tree): boolean {
  return (
    typeof tree === 'object' &&
    tree.kind === 'group' &&
    tree.parts.length === 1 &&
    typeof tree.parts[0] === 'string' &&
    /^[a-z]\w*\.\w+$/.test(tree.parts[0])
  )
}
