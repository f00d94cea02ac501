import type { Alias } from '@pgsql/types'
import type { Table } from '../../catalog/catalog.ts'
import { bindError } from '../../sql/bind-error.ts'
import type { OutputColumn, RelationId } from '../tree/bound-query.ts'
import type { Expression } from '../tree/expression.ts'
import type { NamedExpression } from './scope.ts'
import { nameParts } from './syntax-node.ts'

/** An entry of the range table: a FROM item or the target of a write, with the names that refer to it. */
export interface RangeTableEntry {
  /** Alias or table name; undefined where there is none (a join, a subquery without alias). */
  readonly name: string | undefined
  /** Those of a table without an alias, each as a path: `"main"."orders"."id"`. */
  readonly qualifiers: ReadonlySet<string> | undefined
  /** The columns of `*`; names may repeat, which makes them ambiguous. */
  readonly columns: readonly NamedExpression[]
  /** Its relation; undefined for a join, which has several. */
  readonly relation: RelationId | undefined
  /** True for a function that returns values instead of rows: its name means the value. */
  readonly isScalar: boolean
  /** Its base table, for the error about a missing column. */
  readonly table: Table | undefined
  /** Returns `tableoid` of its row; absent where a row has none. @throws {GatewayError} `unsupported` on other databases. */
  readonly tableOid?: ((position: number | undefined) => Expression) | undefined
  /** Can it be named: `t.x`? */
  readonly isNamed: boolean
  /** Can its columns be named alone: `x`? */
  readonly isOpen: boolean
  /** `blocked`: the name exists here and is refused (the left side of a RIGHT JOIN inside LATERAL). */
  readonly isBlocked: boolean
}

/** The columns of relation `id` by position. */
export function columnsOf(
  id: RelationId,
  columns: readonly OutputColumn[],
): readonly NamedExpression[] {
  return columns.map(({ name, type }, column) => ({
    name,
    expression: { kind: 'column', relation: id, column, type },
  }))
}

/**
 * The columns under the names of an alias list, which may be shorter: `as t(a, b)`.
 *
 * @param the item's description for the error: `table "t"`.
 */
export function renameColumns(
  columns: readonly NamedExpression[],
  alias: Alias | undefined,
  what: string,
  position: number | undefined,
): readonly NamedExpression[] {
  if (alias?.colnames === undefined) return columns
  const names = nameParts(alias.colnames, 'this column alias', position)
  if (names.length > columns.length) {
    const message = `${what} has ${columns.length} columns available but ${names.length} columns specified`
    throw bindError(message, { sqlState: '42P10', position })
  }
  return columns.map((column, i) => ({ ...column, name: names[i] ?? column.name }))
}

/** Refuses two sources of the same name in a list or join. */
export function requireDistinctNames(
  left: readonly RangeTableEntry[],
  right: readonly RangeTableEntry[],
  position: number | undefined,
): void {
  const names = new Set(left.flatMap(({ isNamed, name }) => (isNamed && name ? [name] : [])))
  const repeated = right.find(({ isNamed, name }) => isNamed && name && names.has(name))
  if (repeated === undefined) return
  throw bindError(`table name "${repeated.name}" specified more than once`, {
    sqlState: '42712',
    position,
  })
}

/** An entry that is referred to by its name, if it has one, and by the names of its columns. */
export function plainEntry(
  name: string | undefined,
  columns: readonly NamedExpression[],
  relation: RelationId | undefined,
): RangeTableEntry {
  return {
    name,
    qualifiers: undefined,
    columns,
    relation,
    isScalar: false,
    table: undefined,
    isNamed: name !== undefined,
    isOpen: true,
    isBlocked: false,
  }
}
