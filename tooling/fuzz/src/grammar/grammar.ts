/** @module The types that the parts of the grammar share: the position of an expression, and the names in its scope. */
import type { Random } from '../random.ts'
import type { Tree } from '../tree/tree.ts'
import type { WorldTable } from '../world/world.ts'
import type { TypeName } from './types.ts'
import type { Volatility } from './volatility.ts'

/** An expression without depth: a column, for example. */
export interface Leaf {
  readonly tree: Tree
  readonly type: TypeName
}

/** A WITH query that FROM may name. */
export interface NamedQuery {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly type: TypeName }[]
}

/** The names that an expression may refer to. */
export interface Scope {
  /** Leaves of its own query: columns; after GROUP BY the keys. */
  readonly leaves: readonly Leaf[]
  /** Columns of the outer queries, for its subqueries. */
  readonly outer: readonly Leaf[]
  readonly named: readonly NamedQuery[]
  /** After GROUP BY: names that arguments of aggregates may refer to. */
  readonly aggregated: Scope | undefined
  /** Window functions are allowed here. */
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
  /** Equal outputs must have the same text: for example because they are sorted. */
  readonly isKeyed?: boolean
  /** Usually at most one row. */
  readonly isScalar?: boolean
}

export interface GeneratedQuery {
  readonly tree: Tree
  readonly types: readonly TypeName[]
  /** The order of its rows is fixed. */
  readonly isOrdered: boolean
}

/** Returns whether it can be sorted, grouped and compared. */
export function isKeyIn({ keyTypes }: Pick<Grammar, 'keyTypes'>, type: TypeName): boolean {
  return keyTypes.includes(type) || type === 'mood'
}

/** The grammar for one world; parts call each other through it. */
export interface Grammar {
  readonly random: Random
  readonly tables: readonly VisibleTable[]
  /** In percent, for templates that can fail. */
  readonly risk: number
  /** Undefined: nothing is volatile. */
  readonly volatility: Volatility | undefined
  /** Values of a key column, including those of rows that the caller does not see; empty: any value is fine. */
  readonly taken: (table: string, column: string) => readonly string[]
  /** Types for sorting, grouping and comparing. */
  readonly keyTypes: readonly TypeName[]
  /** A name that is unique in the statement. */
  readonly name: (prefix: string) => string
  readonly expression: (scope: Scope, type: TypeName, depth: number) => Tree
  readonly query: (scope: Scope, options: QueryOptions) => GeneratedQuery
}

/** The scope of a subquery: own names become outer names. */
export function innerScope(scope: Scope): Scope {
  return { ...emptyScope, named: scope.named, outer: [...columnsOf(scope), ...scope.outer] }
}

/** Leaves that a subquery may refer to: columns, but no aggregates of the outer query. */
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
