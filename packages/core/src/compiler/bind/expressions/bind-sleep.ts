/** @module pg_sleep() within a statement: the database waits, within the statement's time. */
import type { FuncCall } from '@pgsql/types'
import { positioned } from '../../sql/bind-error.ts'
import {
  requireSleepArgument,
  type SleepFunction,
  sleepsElsewhere,
  sleepsOutsideOfItems,
} from '../../sql/sleep-call.ts'
import { type Oid, oids } from '../../sql-types/oids.ts'
import type { PgFunction } from '../../sql-types/pg-type.ts'
import { coerceTo } from '../coercion/coerce.ts'
import type { Clause, ExpressionEnvironment } from '../scope/context.ts'
import { hasOuterItems } from '../scope/create-scope.ts'
import type { BindNode } from '../scope/syntax-node.ts'
import type { FunctionCall } from '../tree/expression.ts'

/** Only this module makes their calls: resolution never finds them. */
const sleeps: Readonly<Record<SleepFunction, PgFunction>> = {
  pg_sleep: sleepOf(2626, 'pg_sleep', oids.float8, 'double precision'),
  pg_sleep_for: sleepOf(3935, 'pg_sleep_for', oids.interval, 'interval'),
  pg_sleep_until: sleepOf(3936, 'pg_sleep_until', oids.timestamptz, 'timestamp with time zone'),
}

/**
 * It is called for rows that have passed WHERE and the row filters, or once. Elsewhere the database may call it for rows that the caller
 * may not see, and its time would tell how many they are.
 */
const places: ReadonlySet<Clause> = new Set<Clause>(['SELECT', 'VALUES', 'FROM'])

/**
 * Its time is a constant or a parameter: a time that is computed would tell of what it is computed from.
 *
 * @throws {GatewayError} `unsupported` (0A000) for any other argument or place, and on a connection whose database does not wait
 */
export function bindSleepCall(
  name: SleepFunction,
  node: FuncCall,
  environment: ExpressionEnvironment,
  bind: BindNode,
): FunctionCall {
  const { location: position } = node
  const [argument] = node.args ?? []
  const { context, clause, scope } = environment
  if (argument === undefined || !context.connection.traits.sleeps) {
    throw sleepsElsewhere(name, position)
  }
  if (!places.has(clause) || hasOuterItems(scope)) throw sleepsOutsideOfItems(name, position)
  requireSleepArgument(name, argument, position)
  const called = sleeps[name]
  const type = { oid: called.argumentOids[0] ?? oids.float8, typmod: -1 }
  return {
    kind: 'call',
    function: called,
    args: [coerceTo(bind(argument, environment), type, 'implicit', environment)],
    type: { oid: oids.void, typmod: -1 },
    ...positioned(position),
  }
}

function sleepOf(oid: Oid, name: SleepFunction, argumentOid: Oid, argument: string): PgFunction {
  return {
    oid,
    name,
    kind: 'function',
    argumentOids: [argumentOid],
    defaultCount: 0,
    resultOid: oids.void,
    returnsSet: false,
    isStrict: true,
    volatility: 'volatile',
    isLeakproof: false,
    canRaise: true,
    isAllowed: true,
    signature: `${name}(${argument})`,
  }
}
