import { clauses, commaList, integer, keyword, type Sql, sql } from '@engine/core/print'
import type { Expression, SortKey } from '@engine/core/tree'
import type { PrintContext } from './print-context.ts'
import { typeName } from './type-name.ts'

/** `order by ...`; undefined without keys. */
export function printSortKeys(keys: readonly SortKey[], context: PrintContext): Sql | undefined {
  if (keys.length === 0) return undefined
  return sql`order by ${commaList(keys.map((key) => printSortKey(key, context)))}`
}

function printSortKey(key: SortKey, context: PrintContext): Sql {
  return clauses(
    key.expression.kind === 'output'
      ? integer(key.expression.index + 1)
      : printKey(key.expression, context),
    key.descending ? keyword('desc') : undefined,
    key.nullsFirst === key.descending
      ? undefined
      : keyword(key.nullsFirst ? 'nulls first' : 'nulls last'),
  )
}

/** An expression that sorts or groups: PostgreSQL refuses a bare constant there. */
export function printKey(expression: Expression, context: PrintContext): Sql {
  const printed = context.printExpression(expression, context)
  return expression.kind === 'constant'
    ? sql`${printed}::${typeName(context.types, expression.type)}`
    : printed
}
