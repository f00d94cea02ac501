/**
 * @module Finds operations that depend on the time zone of a session. Timestamps with time zone themselves are the same in every
 * zone: they may be compared and returned.
 */
import { oids } from '../sql-types/oids.ts'
import type { Oid, PgFunction, PgOperator } from '../sql-types/pg-type.ts'
import type { SqlType } from '../sql-types/sql-type.ts'
import type { TypeSystem } from '../sql-types/system/type-system.ts'
import { fieldsOfType } from './coercion/row-type.ts'
import type { Cast, Expression, WindowCall } from './tree/expression.ts'
import { partsOf } from './tree/expression-parts.ts'

/** An operation whose result may differ in another zone, apart from its operands. */
export interface ZonedOperation {
  /** For messages: `date_trunc()`, `a cast from timestamp with time zone to date`. */
  readonly construct: string
  /** Only where clocks change: days and months are added to a timestamp. Computed in UTC, a day has 24 hours. */
  readonly onlyCalendar: boolean
}

/** Undefined when the zone does not matter. */
export function zonedOperation(part: Expression, types: TypeSystem): ZonedOperation | undefined {
  const construct = zonedConstruct(part, types)
  if (construct !== undefined) return { construct, onlyCalendar: false }
  const moving = calendarConstruct(part, types)
  return moving === undefined ? undefined : { construct: moving, onlyCalendar: true }
}

function zonedConstruct(part: Expression, types: TypeSystem): string | undefined {
  switch (part.kind) {
    case 'cast':
      return isZonedCast(part, types) ? castName(part, types) : undefined
    case 'requestTime':
      return part.type.oid === oids.timestamptz || part.zone !== undefined
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

/** Casts from and to timestamps with time zone, except those between them; a time without a zone gets that of the session. */
function isZonedCast({ operand, type, method }: Cast, types: TypeSystem): boolean {
  const [source, target] = [operand.type.oid, type.oid].map((oid) => elementOf(oid, types))
  if (source === target || method === 'binary') return false
  return isZonedType(operand.type, types) || isZonedType(type, types) || target === oids.timetz
}

const calendarSeries = 'generate_series(timestamptz,timestamptz,interval)'

/** Functions that name the zone, or that count days from a timestamp. */
const zoneless: ReadonlySet<string> = new Set([
  'date_trunc(text,timestamptz,text)',
  'make_timestamptz(int4,int4,int4,int4,int4,float8,text)',
  calendarSeries,
])

/**
 * PostgreSQL declares a function stable if it depends on a setting; `age` also counts days and months of the zone, and
 * `jsonb_path_query_tz` and similar functions read timestamps out of JSON.
 */
function isZonedCall(called: PgFunction, part: Expression, types: TypeSystem): boolean {
  if (called.volatility !== 'stable' && called.name !== 'age') return false
  if (zoneless.has(called.signature) || isEpoch(called, part)) return false
  const isNamed = called.name.endsWith('_tz')
  return isNamed || readsZone(part.type, types) || hasZonedParts(part, types)
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
    sides.some((oid) => oid !== undefined && isZonedOid(oid, types)) || hasZonedParts(part, types)
  )
}

/** Timestamps that are shifted by intervals. */
function calendarConstruct(part: Expression, types: TypeSystem): string | undefined {
  switch (part.kind) {
    case 'call':
      return part.function.signature === calendarSeries ? `${part.function.name}()` : undefined
    case 'window':
      return isCalendarFrame(part, types) ? 'RANGE' : undefined
    default: {
      const found = operatorsOf(part).find(
        ({ volatility, leftOid, rightOid }) =>
          volatility === 'stable' &&
          [leftOid, rightOid].includes(oids.interval) &&
          [leftOid, rightOid].some((oid) => oid !== undefined && isZonedOid(oid, types)),
      )
      return found && `the operator ${found.name}`
    }
  }
}

/** `order by placed_at range between interval '1 month' preceding and current row` */
function isCalendarFrame({ frame, orderBy }: WindowCall, types: TypeSystem): boolean {
  return (
    frame?.mode === 'range' &&
    [frame.start, frame.end].some((bound) => 'offset' in bound) &&
    orderBy.some(({ expression }) => isZonedType(expression.type, types))
  )
}

function hasZonedParts(part: Expression, types: TypeSystem): boolean {
  return partsOf(part).expressions.some((operand) => isZonedType(operand.type, types))
}

/** The fields of rows count: they become JSON, or text. */
function isZonedType(type: SqlType, types: TypeSystem): boolean {
  return hasPart(type, types, (oid) => oid === oids.timestamptz)
}

/** A text without a zone becomes one of that type. */
function readsZone(type: SqlType, types: TypeSystem): boolean {
  return hasPart(type, types, (oid) => oid === oids.timestamptz || oid === oids.timetz)
}

function hasPart(type: SqlType, types: TypeSystem, isMeant: (oid: Oid) => boolean): boolean {
  const oid = elementOf(type.oid, types)
  const fields = type.fields ?? fieldsOfType({ oid, typmod: -1 }, types)
  return fields?.some((field) => hasPart(field.type, types, isMeant)) ?? isMeant(oid)
}

function isZonedOid(oid: Oid, types: TypeSystem): boolean {
  return elementOf(oid, types) === oids.timestamptz
}

/** For an array the type of its elements, for a range that of its bounds, for a domain its base type. */
function elementOf(oid: Oid, types: TypeSystem): Oid {
  const base = types.baseTypeOid(oid)
  const part =
    types.typeByOid(base)?.elementOid ?? types.subtypeOid(base) ?? types.rangeTypeOid(base)
  return part === undefined ? base : elementOf(part, types)
}
