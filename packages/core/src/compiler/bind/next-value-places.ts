import { unsupported } from '../sql/bind-error.ts'
import type { BoundStatement, DefaultCell, Query } from './tree/bound-query.ts'
import type { Expression, FunctionCall } from './tree/expression.ts'
import { isSetting, nextValuesIn, nextValuesOf } from './tree/next-value.ts'

/**
 * Refuses nextval() where the database decides how often it is called: how far the sequence moves could tell of rows that the
 * caller may not see. It is called once for each row that the statement itself returns or writes, and nowhere else.
 *
 * @throws {GatewayError} `unsupported` (0A000)
 */
export function requireNextValuePlaces(statement: BoundStatement): void {
  const all = nextValuesOf(statement)
  const inPlace = rowsOf(statement)
    .filter((cell) => cell.kind !== 'default')
    .map(nextValuesIn)
    .reduce((sum, { calls, hasQuery }) => sum + (hasQuery ? 0 : calls), 0)
  if (all.length === inPlace || setsOnce(statement, all)) return
  throw unsupported(
    'nextval() outside of the select list, VALUES and SET of the statement itself, or where rows are combined',
    all[0]?.position,
  )
}

/** Expressions that are evaluated once for each returned or written row. */
function rowsOf({ body }: BoundStatement): readonly (Expression | DefaultCell)[] {
  switch (body.kind) {
    case 'select':
    case 'values':
    case 'setOperation':
      return outputsOf(body)
    case 'insert': {
      const { source } = body
      if (source.kind === 'query') return outputsOf(source.query)
      if (source.kind === 'values') return source.rows.flat()
      return source.kind === 'repeated' ? source.shapes.flat() : []
    }
    case 'update':
      return body.assignments.map(({ value }) => value)
    case 'delete':
      return []
  }
}

/** Where rows are combined, more of them are read than returned. */
function outputsOf(query: Query): readonly Expression[] {
  if (query.kind === 'values') return query.rows.flat()
  const isPlain = query.kind === 'select' && !query.isAggregated && query.distinct === 'none'
  return isPlain ? query.outputs : []
}

/**
 * `select setval('orders_id_seq', max(id)) from orders`: callers without any restriction learn nothing from it. The select list is evaluated
 * once for each returned row, after grouping.
 */
function setsOnce({ body }: BoundStatement, all: readonly FunctionCall[]): boolean {
  if (body.kind !== 'select' || body.distinct !== 'none' || !all.every(isSetting)) return false
  const listed = body.outputs.flatMap((output) => (isSettingCall(output) ? [output] : []))
  return listed.length === all.length
}

function isSettingCall(expression: Expression): boolean {
  return expression.kind === 'call' && isSetting(expression)
}
