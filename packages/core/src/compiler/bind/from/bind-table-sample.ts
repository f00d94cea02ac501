/** @module `t TABLESAMPLE bernoulli (10) REPEATABLE (1)`: a table in FROM with a part of its rows. */
import type { Node, RangeTableSample, RangeVar } from '@pgsql/types'
import { bindError, positioned, unsupported } from '../../sql/bind-error.ts'
import { oids } from '../../sql-types/oids.ts'
import { coerceTo } from '../coercion/coerce.ts'
import { boolType } from '../coercion/null-test.ts'
import { bindExpression } from '../expressions/bind-expression.ts'
import { createScope } from '../scope/create-scope.ts'
import { clauseEnvironment } from '../scope/environment.ts'
import type { BoundItem, FromPlace } from '../scope/from-item.ts'
import { positionOf } from '../scope/syntax-node.ts'
import type { Expression } from '../tree/expression.ts'
import { type SampleMethod, sampleFunction, type TableSample } from '../tree/table-sample.ts'

/**
 * @param bindRelation binds the table.
 * @throws {GatewayError} 42704 and 2202H as in PostgreSQL, 0A000 for anything but a table and for other databases.
 */
export function bindTableSample(
  node: RangeTableSample,
  place: FromPlace,
  bindRelation: (relation: RangeVar, place: FromPlace) => BoundItem,
): BoundItem {
  const { relation, location: position } = node
  if (relation === undefined || !('RangeVar' in relation)) {
    throw unsupported('TABLESAMPLE of this FROM item', position)
  }
  if (!place.context.connection.traits.tableSamples) throw unsupported('TABLESAMPLE', position)
  const bound = bindRelation(relation.RangeVar, place)
  const { item } = bound
  if (item.kind !== 'table' || item.table.kind !== 'table') {
    throw bindError('TABLESAMPLE clause can only be applied to tables', {
      sqlState: '0A000',
      position: relation.RangeVar.location,
    })
  }
  return { ...bound, item: { ...item, sample: bindSample(node, place) } }
}

function bindSample(node: RangeTableSample, place: FromPlace): TableSample {
  const { location: position, args = [], repeatable } = node
  const method = methodNamed(node.method, position)
  const [percentage, ...others] = args
  if (percentage === undefined || others.length > 0) {
    const message = `tablesample method ${method} requires 1 argument, not ${args.length}`
    throw bindError(message, { sqlState: '2202H', position })
  }
  const seed = repeatable && bindArgument(repeatable, 'REPEATABLE', oids.float8, place)
  return {
    kind: 'call',
    function: sampleFunction(method, seed !== undefined),
    args: [
      bindArgument(percentage, 'TABLESAMPLE', oids.float4, place),
      ...(seed === undefined ? [] : [seed]),
    ],
    type: boolType,
    ...positioned(position),
  }
}

function methodNamed(name: readonly Node[] = [], position: number | undefined): SampleMethod {
  const parts = name.map((node) => ('String' in node ? (node.String.sval ?? '') : ''))
  const method = parts.at(-1)
  const isQualified = parts.length > 1 && !(parts.length === 2 && parts[0] === 'pg_catalog')
  if (!isQualified && (method === 'system' || method === 'bernoulli')) return method
  const message = `tablesample method ${parts.join('.')} does not exist`
  throw bindError(message, { sqlState: '42704', position })
}

/** It sees outer queries, and no item of the same FROM. */
function bindArgument(
  node: Node,
  clause: string,
  oid: number,
  { context, outer }: FromPlace,
): Expression {
  const scope = createScope({ outer, view: context.view })
  const environment = clauseEnvironment(context, scope, 'FROM')
  const bound = bindExpression(node, environment)
  if ((environment.found.sets ?? 0) > 0) {
    throw unsupported(`a set-returning function in ${clause}`, positionOf(node))
  }
  const type = { oid, typmod: -1 }
  return coerceTo(bound, type, 'assignment', environment, `argument of ${clause}`)
}
