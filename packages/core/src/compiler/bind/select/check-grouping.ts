import type { Table } from '../../catalog/catalog.ts'
import { bindError } from '../../sql/bind-error.ts'
import type { TypeSystem } from '../../sql-types/system/type-system.ts'
import type { RangeTableEntry } from '../scope/range-table-entry.ts'
import type { GroupBy, RelationId } from '../tree/bound-query.ts'
import type { ColumnReference, Expression } from '../tree/expression.ts'
import { partsOf } from '../tree/expression-parts.ts'
import { sameValue } from '../tree/same-value.ts'
import { visitQuery } from '../tree/visit-query.ts'

/** The level whose expressions are checked. */
export interface GroupedLevel {
  readonly groupBy: GroupBy | undefined
  readonly relations: ReadonlySet<RelationId>
  /** The base tables among them, whose primary key determines their other columns. */
  readonly tables: ReadonlyMap<RelationId, Table>
  /** For the names in errors. */
  readonly sources: readonly RangeTableEntry[]
  readonly types: TypeSystem
}

/**
 * Outside of aggregates only expressions with one value per group are allowed: the grouped expressions, and the other columns of
 * a table whose primary key is grouped.
 *
 * @returns the GROUP BY with the columns added that depend on such a key, because other databases do not infer it; the added
 *   columns split no group.
 * @throws {GatewayError} `badRequest` (42803) for any other column.
 */
export function checkGrouping(
  expressions: readonly Expression[],
  level: GroupedLevel,
): GroupBy | undefined {
  const groups = level.groupBy?.expressions ?? []
  const dependent: ColumnReference[] = []
  const isGrouped = (expression: Expression) => groups.some((group) => sameValue(group, expression))

  const checkColumn = (column: ColumnReference, isInSubquery: boolean) => {
    if (!level.relations.has(column.relation) || isGrouped(column)) return
    if (!isDetermined(column, level)) throw ungrouped(column, isInSubquery, level)
    if (!dependent.some((other) => sameValue(other, column))) dependent.push(column)
  }
  const check = (expression: Expression) => {
    if (isGrouped(expression)) return
    if (expression.kind === 'column') return checkColumn(expression, false)
    const { expressions: parts, query } = partsOf(expression)
    // In an ordered-set aggregate, the arguments before WITHIN GROUP belong to the group, not to its rows.
    if (expression.kind !== 'aggregate') parts.forEach(check)
    else if (expression.withinGroup) expression.args.forEach(check)
    if (query === undefined) return
    visitQuery(query, {
      expression: (inner) => {
        if (inner.kind === 'column') checkColumn(inner, true)
      },
    })
  }
  expressions.forEach(check)
  return withDependent(level, dependent)
}

/** Is the primary key of the column's table part of every grouping set? */
function isDetermined(column: ColumnReference, { groupBy, tables }: GroupedLevel): boolean {
  const key = tables.get(column.relation)?.primaryKey ?? []
  if (groupBy === undefined || key.length === 0) return false
  return key.every((ordinal) =>
    groupBy.sets.every((set) =>
      set.some((index) => {
        const group = groupBy.expressions[index]
        return (
          group?.kind === 'column' && group.relation === column.relation && group.column === ordinal
        )
      }),
    ),
  )
}

/** Columns of a type that cannot be grouped are left out: only PostgreSQL itself then infers that they depend on the key. */
function withDependent(
  { groupBy, types }: GroupedLevel,
  dependent: readonly ColumnReference[],
): GroupBy | undefined {
  const added = dependent.filter(({ type }) => types.comparison(type.oid) !== undefined)
  if (groupBy === undefined || added.length === 0) return groupBy
  const { expressions, sets } = groupBy
  const indexes = added.map((_, i) => expressions.length + i)
  return {
    expressions: [...expressions, ...added],
    sets: sets.map((set) => [...set, ...indexes]),
  }
}

function ungrouped(column: ColumnReference, isInSubquery: boolean, level: GroupedLevel): Error {
  const name = `column "${nameOf(column, level.sources)}"`
  const message = isInSubquery
    ? `subquery uses ungrouped ${name} from outer query`
    : `${name} must appear in the GROUP BY clause or be used in an aggregate function`
  return bindError(message, { sqlState: '42803', position: column.position })
}

/** The column as the client could write it: `o.status`. */
function nameOf(column: ColumnReference, sources: readonly RangeTableEntry[]): string {
  for (const { name, columns } of sources) {
    const found = columns.find(({ expression }) => sameValue(expression, column))
    if (found !== undefined) return name === undefined ? found.name : `${name}.${found.name}`
  }
  return '?'
}
