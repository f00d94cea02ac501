import {
  type Assignment,
  type Expression,
  joinSql,
  oids,
  type Sql,
  type SubscriptStep,
  sql,
  type Table,
  unsupportedConstruct,
} from '@engine/core/adapter'
import type { PrintContext } from './print-context.ts'
import { tableColumnName } from './relation-columns.ts'

/** `"tags"`, `"tags"[$1]`, `"tags"[$1:$2]`: the target of an assignment. */
export function assignedTarget(
  table: Table,
  { column, part = [] }: Assignment,
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
    each === undefined ? sql`` : context.printExpression(each, context)
  const steps = part.map((step: SubscriptStep) =>
    step.kind === 'index'
      ? sql`[${bound(step.index)}]`
      : sql`[${bound(step.lower)}:${bound(step.upper)}]`,
  )
  return joinSql([name, ...steps], '')
}
