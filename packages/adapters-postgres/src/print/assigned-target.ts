import { oids, type Table } from '@engine/core/catalog'
import { identifier, integer, joinSql, type Sql, sql } from '@engine/core/print'
import { type Assignment, type Expression, unsupportedConstruct } from '@engine/core/tree'
import type { PrintContext } from './print-context.ts'
import { tableColumnName } from './relation-columns.ts'

/** A subscript far from the others fills the gap with NULLs. */
const largestSubscript = 1_000_000

/** `"tags"`, `"tags"[$1]`, `"tags"[$1:$2]`, `"home"."street"`: the target of an assignment, or of an INSERT. */
export function assignedTarget(
  table: Table,
  { column, part = [] }: Pick<Assignment, 'column' | 'part'>,
  context: PrintContext,
): Sql {
  const name = tableColumnName(table, column)
  if (part.length === 0) return name
  const { serverVersion, types } = context
  const isDocument = types.baseTypeOid(table.columns[column]?.type.oid ?? 0) === oids.jsonb
  if (isDocument && serverVersion !== undefined && serverVersion < 140_000) {
    throw unsupportedConstruct('a subscript of jsonb as target', 'PostgreSQL before 14', undefined)
  }
  const bound = (each: Expression | undefined) =>
    each === undefined ? sql`` : printSubscript(each, context)
  const steps = part.map((step) => {
    if (step.kind === 'field') return sql`.${identifier(step.name)}`
    return step.kind === 'index'
      ? sql`[${bound(step.index)}]`
      : sql`[${bound(step.lower)}:${bound(step.upper)}]`
  })
  return joinSql([name, ...steps], '')
}

/** PostgreSQL refuses a larger one, with SQLSTATE 54000: the error of `repeat` for a result beyond all bounds. */
function printSubscript(subscript: Expression, context: PrintContext): Sql {
  const printed = context.printExpression(subscript, context)
  const most = integer(largestSubscript)
  if (subscript.type.oid === oids.int4) {
    if (subscript.kind === 'constant' && Math.abs(Number(subscript.value)) <= largestSubscript) {
      return printed
    }
    return sql`(${printed} + ${refusedWhen(sql`${printed} not between -${most} and ${most}`)})`
  }
  // A text is a number, too, where the document has an array.
  const isLarge = sql`${printed} ~ '^[[:space:]]*[-+]?0*[1-9][0-9]{6,9}$'`
  return sql`(${printed} || pg_catalog.left('', ${refusedWhen(isLarge)}))`
}

/** 0, or an error. */
function refusedWhen(condition: Sql): Sql {
  return sql`pg_catalog.length(pg_catalog.repeat('x', case when ${condition} then 2147483647 else 0 end))`
}
