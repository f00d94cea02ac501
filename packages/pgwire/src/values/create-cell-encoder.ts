/** @module Encodes values of the engine for a DataRow. */
import { GatewayError } from '@engine/core'
import type { TypeSystem } from '@engine/core/catalog'
import { typeContains } from '@engine/core/session'
import { type Oid, oids, type SqlType } from '@engine/core/values'
import type { CellEncoder, CreateCellEncoder, ValueSettings } from './cell-format.ts'
import { formOfType } from './form-of-type.ts'
import { sameText } from './text-form.ts'
import type { ValueForm } from './value-form.ts'

interface Column {
  readonly name: string
  readonly typeOid: Oid
  readonly fields?: SqlType['fields'] | undefined
}

export const createCellEncoder: CreateCellEncoder = (column, format, types, settings) => {
  const form = formOfType(types, column.typeOid, settings, column.fields)
  const isWritten = settings.isWritten === true && isStyledType(column, types, settings)
  if (format === 1) {
    if (isWritten) throw noStyledBinary()
    return binaryEncoder(column, form, types)
  }
  const { isCanonical } = isWritten ? {} : form
  const respell = form.toSession?.(settings)
  if (isCanonical === undefined) return respell ?? sameText
  const canonical = (text: string): string =>
    isCanonical(text) ? text : canonicalText(column, types, text)
  return respell === undefined ? canonical : (text) => respell(canonical(text))
}

function binaryEncoder(column: Column, { toBinary }: ValueForm, types: TypeSystem): CellEncoder {
  if (toBinary === undefined) throw noBinaryForm(types, column.typeOid)
  return (text) =>
    toBinary(text) ??
    toBinary(canonicalText(column, types, text)) ??
    refuse(column, '22P02', `no value of type ${types.formatType(column.typeOid)}`)
}

/** Do the settings of the session change the text of the values? */
function isStyledType(
  { typeOid, fields }: Column,
  types: TypeSystem,
  { dateOutput = 'ISO', intervalStyle = 'postgres' }: ValueSettings,
): boolean {
  const styled = new Set([
    ...(dateOutput === 'ISO' ? [] : [oids.date, oids.timestamp, oids.timestamptz]),
    ...(intervalStyle === 'postgres' ? [] : [oids.interval]),
  ])
  return typeContains({ oid: typeOid, typmod: -1, ...(fields && { fields }) }, types, styled)
}

/** The database has written the values as text. */
function noStyledBinary(): GatewayError {
  const message =
    'no binary form is available for dates and intervals beside others that the statement itself turns into text, in this DateStyle or IntervalStyle'
  return new GatewayError('unsupported', message, { sqlState: '0A000' })
}

/** The error for a type that can be sent as text only. */
export function noBinaryForm(types: TypeSystem, typeOid: Oid): GatewayError {
  const message = `no binary form is available for type ${types.formatType(typeOid)}`
  return new GatewayError('unsupported', message, { sqlState: '0A000' })
}

/** Databases without the type may spell its values differently, or hold texts that are not values of it. */
function canonicalText(column: Column, types: TypeSystem, text: string): string {
  const read = types.parseInput(column.typeOid, -1, text, 'explicit')
  if (!read.ok) return refuse(column, read.sqlState === '22003' ? '22003' : '22P02', read.message)
  if (read.value === null) return text
  if (typeof read.value === 'boolean') return read.value ? 't' : 'f'
  return types.inputText(column.typeOid, read.value)
}

function refuse({ name }: Column, sqlState: '22003' | '22P02', reason: string): never {
  throw new GatewayError('dataError', `column "${name}": ${reason}`, { sqlState })
}
