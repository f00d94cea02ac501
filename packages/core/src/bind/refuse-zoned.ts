/**
 * @module What depends on the time zone of a session, and would be answered as of UTC: databases compute in UTC whatever
 * zone a client of the wire protocol has set.
 */
import { GatewayError } from '../errors.ts'
import { oids } from '../sql-types/oids.ts'
import type { Oid, PgFunction, PgOperator } from '../sql-types/pg-type.ts'
import type { TypeSystem } from '../sql-types/type-system.ts'
import { located, positioned } from './bind-error.ts'
import type { BoundStatement } from './bound-query.ts'
import type { Cast, Expression } from './expression.ts'
import { partsOf } from './expression-parts.ts'
import { visitStatement } from './visit-query.ts'

/**
 * Refuses a statement of a session in another zone than UTC: silently it would get the days and texts of UTC. Moments
 * themselves are the same in every zone: they may be compared, moved by intervals (a day is 24 hours) and given back.
 *
 * @throws {GatewayError} `unsupported`, naming the first part that depends on the zone.
 */
export function refuseZoned(statement: BoundStatement): void {
  const { types } = statement.connection
  visitStatement(statement, {
    expression: (part) => {
      const construct = zonedConstruct(part, types)
      if (construct !== undefined) throw zoneMatters(construct, part.position)
    },
  })
}

function zoneMatters(construct: string, position: number | undefined): GatewayError {
  const message = `${construct} depends on the time zone of the session, which must be UTC for it`
  return new GatewayError('unsupported', located(message, position), {
    sqlState: '0A000',
    details: { hint: "SET TIME ZONE 'UTC', or use AT TIME ZONE." },
    ...positioned(position),
  })
}

/** What is to be named in the error; undefined when the zone does not matter. */
function zonedConstruct(part: Expression, types: TypeSystem): string | undefined {
  switch (part.kind) {
    case 'cast':
      return isZonedCast(part, types) ? castName(part, types) : undefined
    case 'requestTime':
      return part.type.oid === oids.timestamptz
        ? undefined
        : `the current ${types.formatType(part.type.oid, -1)}`
    case 'call':
    case 'aggregate':
    case 'window':
      return isZonedCall(part.function, part, types) ? `${part.function.name}()` : undefined
    default: {
      const found = operatorsOf(part).find((operator) => isZonedOperator(operator, part, types))
      return found && `the operator ${found.name}`
    }
  }
}

function castName({ operand, type }: Cast, types: TypeSystem): string {
  const [source, target] = [operand.type, type].map(({ oid }) => types.formatType(oid, -1))
  return `a cast from ${source} to ${target}`
}

/** From and to moments, but for those between moments; a time gets the zone that it lacks from the session. */
function isZonedCast({ operand, type }: Cast, types: TypeSystem): boolean {
  const [source, target] = [operand.type.oid, type.oid].map((oid) => elementOf(oid, types))
  if (source === target) return false
  return source === oids.timestamptz || target === oids.timestamptz || target === oids.timetz
}

/** Functions that name the zone, or that count in hours. */
const zoneless: ReadonlySet<string> = new Set([
  'date_trunc(text,timestamptz,text)',
  'make_timestamptz(int4,int4,int4,int4,int4,float8,text)',
  'generate_series(timestamptz,timestamptz,interval)',
])

/** PostgreSQL calls stable what depends on a setting; `age` counts days and months of the zone all the same. */
function isZonedCall(called: PgFunction, part: Expression, types: TypeSystem): boolean {
  if (called.volatility !== 'stable' && called.name !== 'age') return false
  if (zoneless.has(called.signature) || isEpoch(called, part)) return false
  return isZonedType(part.type.oid, types) || hasZonedParts(part, types)
}

/** Seconds since 1970 are the same everywhere. */
function isEpoch({ name }: PgFunction, part: Expression): boolean {
  if (name !== 'extract' && name !== 'date_part') return false
  const [field] = partsOf(part).expressions
  return (
    field?.kind === 'constant' &&
    typeof field.value === 'string' &&
    field.value.toLowerCase() === 'epoch'
  )
}

function operatorsOf(part: Expression): readonly PgOperator[] {
  if ('operators' in part) return part.operators
  return 'operator' in part && typeof part.operator !== 'string' ? [part.operator] : []
}

function isZonedOperator(operator: PgOperator, part: Expression, types: TypeSystem): boolean {
  if (operator.volatility !== 'stable') return false
  const sides = [operator.leftOid, operator.rightOid]
  if (sides.includes(oids.interval)) return false
  return (
    sides.some((oid) => oid !== undefined && isZonedType(oid, types)) || hasZonedParts(part, types)
  )
}

/** Rows are looked into: they become JSON. */
function hasZonedParts(part: Expression, types: TypeSystem): boolean {
  return partsOf(part).expressions.some(
    (operand) =>
      isZonedType(operand.type.oid, types) ||
      ((operand.kind === 'row' || operand.kind === 'wholeRow') && hasZonedParts(operand, types)),
  )
}

function isZonedType(oid: Oid, types: TypeSystem): boolean {
  return elementOf(oid, types) === oids.timestamptz
}

/** Of an array the type of its elements; of a domain that below. */
function elementOf(oid: Oid, types: TypeSystem): Oid {
  const base = types.baseTypeOid(oid)
  const element = types.typeByOid(base)?.elementOid
  if (element !== undefined) return types.baseTypeOid(element)
  return base === tstzrange ? oids.timestamptz : base
}

const tstzrange = 3910
