import type { Column } from '../../catalog/catalog.ts'
import type { SqlType } from '../../sql-types/sql-type.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import { selectOver } from '../scope/select-over.ts'
import type { Query, SelectQuery } from '../tree/bound-query.ts'
import type { Expression } from '../tree/expression.ts'
import { typeUnknownOutputs } from '../tree/unknown-outputs.ts'
import { assigned } from './assign-value.ts'

/**
 * A query whose columns are values of the written columns. Conversions go into its own outputs where nothing else depends on
 * them, else into a SELECT around it.
 *
 * @param columns as many as the query has.
 */
export function assignQuery(
  query: Query,
  columns: readonly Column[],
  environment: ExpressionEnvironment,
): Query {
  const assign = (output: Expression, i: number) => {
    const column = columns[i]
    return column === undefined ? output : assigned(output, column, environment)
  }
  const known = typeUnknownOutputs(query, assign)
  if (known.columns.every(({ type }, i) => isSameType(type, columns[i]?.type))) return known
  const project = (outputs: readonly Expression[]) => {
    const values = outputs.map(assign)
    const named = known.columns.map(({ name, type }, i) => ({
      name,
      type: values[i]?.type ?? type,
    }))
    return { outputs: values, columns: named }
  }
  return known.kind === 'select' && isPlain(known)
    ? { ...known, ...project(known.outputs) }
    : selectOver(known, environment.context, project)
}

function isSameType(left: SqlType, right: SqlType | undefined): boolean {
  return left.oid === right?.oid && left.typmod === right.typmod
}

/** Does the query's result alone depend on its outputs? */
function isPlain({ distinct, orderBy }: SelectQuery): boolean {
  return distinct === 'none' && orderBy.every(({ expression }) => expression.kind !== 'output')
}
