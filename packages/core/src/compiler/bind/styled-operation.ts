/**
 * @module Finds operations that turn dates and intervals into text, or texts into dates and intervals: their results depend on the
 * settings DateStyle and IntervalStyle. Comparing, computing and returning dates does not.
 */
import { oids } from '../sql-types/oids.ts'
import type { Oid, PgFunction } from '../sql-types/pg-type.ts'
import type { SqlType } from '../sql-types/sql-type.ts'
import type { TypeSystem } from '../sql-types/system/type-system.ts'
import { fieldsOfType } from './coercion/row-type.ts'
import type { Cast, Expression } from './tree/expression.ts'
import { partsOf } from './tree/expression-parts.ts'
import type { StatementSettings } from './tree/statement-settings.ts'

/** For messages: `format()`, `a cast from date to text`. Undefined when the settings do not matter. */
export function styledOperation(
  part: Expression,
  types: TypeSystem,
  settings: StatementSettings,
): string | undefined {
  const matters = matteringTypes(settings)
  switch (part.kind) {
    case 'cast':
      return isStyledCast(part, types, matters) ? castName(part, types) : undefined
    case 'call':
    case 'aggregate':
    case 'window':
      return isStyledCall(part.function, part, types, matters)
        ? `${part.function.name}()`
        : undefined
    case 'operator':
      return part.operator.volatility === 'stable' &&
        isText(part.type.oid, types) &&
        partsOf(part).expressions.some(({ type }) => typeContains(type, types, matters.written))
        ? `the operator ${part.operator.name}`
        : undefined
    default:
      return undefined
  }
}

/** The types whose values the settings write, or read, in another way than the usual settings. */
interface MatteringTypes {
  readonly written: ReadonlySet<Oid>
  readonly read: ReadonlySet<Oid>
}

const dates: readonly Oid[] = [oids.date, oids.timestamp, oids.timestamptz]

function matteringTypes({ dateStyle, intervalStyle }: StatementSettings): MatteringTypes {
  const writtenIntervals = intervalStyle === 'postgres' ? [] : [oids.interval]
  const readIntervals = intervalStyle === 'sql_standard' ? [oids.interval] : []
  return {
    written: new Set([...(dateStyle.startsWith('ISO') ? [] : dates), ...writtenIntervals]),
    read: new Set([...(dateStyle.endsWith('MDY') ? [] : dates), ...readIntervals]),
  }
}

function castName({ operand, type }: Cast, types: TypeSystem): string {
  const [source, target] = [operand.type, type].map(({ oid }) => types.formatType(oid, -1))
  return `a cast from ${source} to ${target}`
}

function isStyledCast(
  { operand, type, method }: Cast,
  types: TypeSystem,
  { written, read }: MatteringTypes,
): boolean {
  if (method !== 'inout' && method !== 'array') return false
  const [isWritten, isRead] = [written, read].map((mattering) =>
    [operand.type, type].map((each) => typeContains(each, types, mattering)),
  )
  return (isWritten?.[0] === true && !isWritten[1]) || (isRead?.[1] === true && !isRead[0])
}

/** Its result has a form of its own, whatever the settings are. */
const formats: ReadonlySet<string> = new Set(['to_char'])

/** PostgreSQL declares a function stable if it depends on a setting. */
function isStyledCall(
  called: PgFunction,
  part: Expression,
  types: TypeSystem,
  { written, read }: MatteringTypes,
): boolean {
  if (called.volatility !== 'stable' || formats.has(called.name)) return false
  const operands = partsOf(part).expressions
  const { oid } = part.type
  if (isJson(oid)) {
    return operands.some((operand) => isStyledInJson(operand.type, types, written))
  }
  if (isText(oid, types)) return operands.some(({ type }) => typeContains(type, types, written))
  const isFromJson = operands.some(({ type }) => isJson(type.oid))
  return isFromJson && typeContains(part.type, types, read)
}

function isJson(oid: Oid): boolean {
  return oid === oids.json || oid === oids.jsonb
}

function isText(oid: Oid, types: TypeSystem): boolean {
  const type = types.typeByOid(types.baseTypeOid(oid))
  return type?.category === 'S' || oid === oids.xml || type?.elementOid === oids.text
}

/** JSON has dates in the style ISO always, but not those in ranges. */
function isStyledInJson(type: SqlType, types: TypeSystem, mattering: ReadonlySet<Oid>): boolean {
  const inJson = new Set([...mattering].filter((oid) => !dates.includes(oid)))
  const isRange = (oid: Oid): boolean =>
    types.subtypeOid(oid) !== undefined || types.rangeTypeOid(oid) !== undefined
  return (
    typeContains(type, types, inJson) ||
    containsWhere(
      type,
      types,
      (oid) => isRange(oid) && typeContains({ oid, typmod: -1 }, types, mattering),
    )
  )
}

/** The type itself, its elements, bounds, or fields. */
export function typeContains(type: SqlType, types: TypeSystem, wanted: ReadonlySet<Oid>): boolean {
  return wanted.size > 0 && containsWhere(type, types, (oid) => wanted.has(oid))
}

function containsWhere(
  { oid, fields }: SqlType,
  types: TypeSystem,
  isWanted: (oid: Oid) => boolean,
): boolean {
  const base = types.baseTypeOid(oid)
  if (isWanted(base)) return true
  const part =
    types.typeByOid(base)?.elementOid ?? types.subtypeOid(base) ?? types.rangeTypeOid(base)
  if (part !== undefined)
    return containsWhere({ oid: part, typmod: -1, ...(fields && { fields }) }, types, isWanted)
  const attributes = fields ?? fieldsOfType({ oid: base, typmod: -1 }, types)
  return attributes?.some((field) => containsWhere(field.type, types, isWanted)) === true
}
