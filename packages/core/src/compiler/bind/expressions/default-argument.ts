import { oids } from '../../sql-types/oids.ts'
import type { PgFunction } from '../../sql-types/pg-type.ts'
import type { Constant } from '../tree/expression.ts'

const jsonbPathFunctions: ReadonlySet<string> = new Set([
  'jsonb_path_exists',
  'jsonb_path_match',
  'jsonb_path_query',
  'jsonb_path_query_array',
  'jsonb_path_query_first',
])

/**
 * The default argument of a parameter before one given by name: `make_interval(days => 1)` omits the
 * years; undefined where the default is unknown.
 */
export function defaultArgument(called: PgFunction, parameter: number): Constant | undefined {
  const oid = called.argumentOids[parameter]
  if (called.schema !== undefined || oid === undefined) return undefined
  const isVariables = jsonbPathFunctions.has(called.name) && oid === oids.jsonb
  if (isVariables) return constantOf(oid, '{}')
  if (called.name === 'make_interval') return constantOf(oid, '0')
  if (called.name === 'jsonb_set_lax' && oid === oids.bool) return constantOf(oid, 'true')
  return undefined
}

function constantOf(oid: number, value: string): Constant {
  return { kind: 'constant', type: { oid, typmod: -1 }, value }
}
