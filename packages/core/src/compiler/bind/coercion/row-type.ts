/** @module Rows as values: their fields, and where they are supported. */
import { unsupported } from '../../sql/bind-error.ts'
import { type Oid, oids } from '../../sql-types/oids.ts'
import { recordOf } from '../../sql-types/record-type.ts'
import type { RowField, SqlType } from '../../sql-types/sql-type.ts'
import type { TypeSystem } from '../../sql-types/system/type-system.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import type { Expression } from '../tree/expression.ts'

/**
 * Refuses a row as a value of its own where the database has none.
 *
 * @throws {GatewayError} `unsupported`
 */
export function requireRowValues(
  { context }: ExpressionEnvironment,
  construct: string,
  position: number | undefined,
): void {
  if (!context.connection.traits.rowValues) throw unsupported(construct, position)
}

/** `record` or an array of records. */
export function isRecord(oid: Oid): boolean {
  return oid === oids.record || oid === oids.recordArray
}

/** The type of `row(a, b)`: PostgreSQL calls its fields `f1`, `f2` ... */
export function typeOfRow(fields: readonly Expression[]): SqlType {
  return recordOf(fields.map(({ type }, i) => ({ name: `f${i + 1}`, type })))
}

/** The fields of a row of that type; undefined for anything but a row. */
export function fieldsOfType(type: SqlType, types: TypeSystem): readonly RowField[] | undefined {
  if (type.oid === oids.record) return type.fields
  return types.typeByOid(types.baseTypeOid(type.oid))?.attributes?.map(({ name, oid, typmod }) => ({
    name,
    type: { oid, typmod },
  }))
}

/** The types that are compared where values of the type are: those of the fields of a row. */
export function comparedTypes(type: SqlType, types: TypeSystem): readonly SqlType[] {
  const fields = fieldsOfType(type, types)
  return fields?.flatMap((field) => comparedTypes(field.type, types)) ?? [type]
}

/**
 * The type of a result made of rows among `operands`: `array_agg(t)`, `coalesce(t, u)`.
 *
 * @param construct for the error: `CASE`.
 * @throws {GatewayError} `unsupported` for rows whose fields differ in names or types: the result would have different ones by row.
 */
export function typeOfRows(
  oid: Oid,
  operands: readonly Expression[],
  construct: string,
  position: number | undefined,
): SqlType {
  const type: SqlType = { oid, typmod: -1 }
  if (!isRecord(oid)) return type
  const [fields, ...others] = operands.flatMap((operand) =>
    operand.type.fields === undefined ? [] : [operand.type.fields],
  )
  if (fields === undefined) return type
  if (others.some((other) => !areSameFields(fields, other))) {
    throw unsupported(`${construct} of rows whose fields differ`, position)
  }
  return { ...type, fields }
}

/** Have two types of rows fields with the same names and types, in the same order? */
export function haveSameFields(left: SqlType, right: SqlType): boolean {
  return areSameFields(left.fields ?? [], right.fields ?? [])
}

function areSameFields(left: readonly RowField[], right: readonly RowField[]): boolean {
  return (
    left.length === right.length &&
    left.every(({ name, type }, i) => {
      const other = right[i]
      return (
        other?.name === name &&
        other.type.oid === type.oid &&
        (type.fields === undefined || areSameFields(type.fields, other.type.fields ?? []))
      )
    })
  )
}

/**
 * Does the database itself know the names of all fields in a value of the type? It calls those of a record `f1`, `f2` ..., whatever
 * the columns of the FROM item are called; a composite type has names of its own.
 */
export function hasOwnNames(type: SqlType): boolean {
  if (!isRecord(type.oid)) return true
  return (
    type.fields?.every((field, i) => field.name === `f${i + 1}` && hasOwnNames(field.type)) === true
  )
}
