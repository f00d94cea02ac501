/** @module Type modifiers: the `(20)` of `varchar(20)`, encoded as in PostgreSQL. */
import { type Oid, oids } from './oids.ts'

/** A typmod without any modifier. */
export const noTypmod = -1

export type TypmodResult =
  | { readonly ok: true; readonly typmod: number }
  | { readonly ok: false; readonly sqlState: '22023' | '42601'; readonly message: string }

/** Bytes that PostgreSQL counts before the payload of a varlena. */
const headerSize = 4
const maxLength = 10_485_760
const maxFractionDigits = 6

/** `interval` without a field restriction, in the upper half of its typmod. */
const allIntervalFields = 0x7fff
const anyPrecision = 0xffff

const characterTypes: ReadonlySet<Oid> = new Set([oids.varchar, oids.bpchar])
const bitTypes: ReadonlySet<Oid> = new Set([oids.bit, oids.varbit])
const fractionTypes: ReadonlySet<Oid> = new Set([
  oids.time,
  oids.timetz,
  oids.timestamp,
  oids.timestamptz,
])

/** Does a typmod of this scalar type change values? True for all types with modifiers. */
export function hasTypmod(oid: Oid): boolean {
  return (
    characterTypes.has(oid) ||
    bitTypes.has(oid) ||
    fractionTypes.has(oid) ||
    oid === oids.numeric ||
    oid === oids.interval
  )
}

/**
 * Encodes the modifiers of a scalar type name. A fraction of more than 6 digits is lowered to 6, as PostgreSQL does with a
 * warning.
 */
export function encodeTypmod(
  oid: Oid,
  modifiers: readonly number[],
  typeText: string,
): TypmodResult {
  if (modifiers.length === 0) return { ok: true, typmod: noTypmod }
  if (characterTypes.has(oid)) return lengthTypmod(modifiers, typeText, headerSize)
  if (bitTypes.has(oid)) return lengthTypmod(modifiers, typeText, 0)
  if (fractionTypes.has(oid)) return fractionTypmod(modifiers, typeText)
  if (oid === oids.numeric) return numericTypmod(modifiers)
  if (oid === oids.interval) return intervalTypmod(modifiers)
  return refuse('42601', `type modifier is not allowed for type "${typeText}"`)
}

function lengthTypmod(
  modifiers: readonly number[],
  typeText: string,
  header: number,
): TypmodResult {
  const [length] = modifiers
  if (modifiers.length !== 1 || length === undefined) return invalidModifier
  if (length < 1) return refuse('22023', `length for type ${typeText} must be at least 1`)
  const most = header === 0 ? maxLength * 8 : maxLength
  if (length > most) return refuse('22023', `length for type ${typeText} cannot exceed ${most}`)
  return { ok: true, typmod: length + header }
}

function fractionTypmod(modifiers: readonly number[], typeText: string): TypmodResult {
  const [digits] = modifiers
  if (modifiers.length !== 1 || digits === undefined) return invalidModifier
  if (digits < 0) return refuse('22023', `${typeText}(${digits}) precision must not be negative`)
  return { ok: true, typmod: Math.min(digits, maxFractionDigits) }
}

function numericTypmod(modifiers: readonly number[]): TypmodResult {
  const [precision, scale = 0] = modifiers
  if (modifiers.length > 2 || precision === undefined) {
    return refuse('22023', 'invalid NUMERIC type modifier')
  }
  if (precision < 1 || precision > 1000) {
    return refuse('22023', `NUMERIC precision ${precision} must be between 1 and 1000`)
  }
  if (scale < -1000 || scale > 1000) {
    return refuse('22023', `NUMERIC scale ${scale} must be between -1000 and 1000`)
  }
  return { ok: true, typmod: ((precision << 16) | (scale & 0x7ff)) + headerSize }
}

function intervalTypmod(modifiers: readonly number[]): TypmodResult {
  const [fields, precision] = modifiers
  if (modifiers.length > 2 || fields === undefined) {
    return refuse('22023', 'invalid INTERVAL type modifier')
  }
  if (precision === undefined) {
    return {
      ok: true,
      typmod: fields === allIntervalFields ? noTypmod : (fields << 16) | anyPrecision,
    }
  }
  if (precision < 0) {
    return refuse('22023', `INTERVAL(${precision}) precision must not be negative`)
  }
  return { ok: true, typmod: (fields << 16) | Math.min(precision, maxFractionDigits) }
}

const invalidModifier = refuse('22023', 'invalid type modifier')

function refuse(sqlState: '22023' | '42601', message: string): TypmodResult {
  return { ok: false, sqlState, message }
}

/** Characters of varchar and bpchar, bits of bit and varbit; undefined without a limit. */
export function lengthOfTypmod(oid: Oid, typmod: number): number | undefined {
  if (typmod < 0) return undefined
  if (characterTypes.has(oid)) return typmod > headerSize ? typmod - headerSize : undefined
  return bitTypes.has(oid) ? typmod : undefined
}

/** The total number of digits and the number after the point; the scale may be negative or greater than the precision. */
export function numericOfTypmod(
  typmod: number,
): { readonly precision: number; readonly scale: number } | undefined {
  if (typmod < headerSize) return undefined
  const packed = typmod - headerSize
  return { precision: packed >> 16, scale: ((packed & 0x7ff) ^ 1024) - 1024 }
}

/** Digits of the second's fraction that are kept, 0 to 6. */
export function fractionDigitsOfTypmod(oid: Oid, typmod: number): number {
  if (typmod < 0) return maxFractionDigits
  if (oid !== oids.interval) return Math.min(typmod, maxFractionDigits)
  const precision = typmod & anyPrecision
  return precision === anyPrecision ? maxFractionDigits : precision
}

/** The bit mask of `interval year to month` and similar types; undefined without a restriction. */
export function intervalFieldsOfTypmod(typmod: number): number | undefined {
  if (typmod < 0) return undefined
  const fields = (typmod >> 16) & allIntervalFields
  return fields === allIntervalFields ? undefined : fields
}
