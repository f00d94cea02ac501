/** @module Stored values as the bare driver reads them, as text: the server or SQLite converts, the driver does not. */
import type { StoredType } from './stored-type.ts'

/** The text of a stored value, in MySQL's SQL. */
export function mysqlText(name: string, { type, columns }: StoredType): string {
  const bits = /^bit\((\d+)\)/.exec(columns.mysql ?? '')?.[1]
  if (bits !== undefined && type === 'boolean') return `cast(${name} + 0 as char)`
  if (bits !== undefined) {
    return `concat('0x', lpad(lower(hex(${name})), ${Math.ceil(Number(bits) / 8) * 2}, '0'))`
  }
  switch (type) {
    case 'bytea':
      return `concat('0x', lower(hex(${name})))`
    case 'smallint':
      // A YEAR has four digits.
      return `cast(${name} + 0 as char)`
    case 'real':
    case 'double precision':
      return `cast(${name} as double)`
    default:
      return `cast(${name} as char)`
  }
}

/** What SQLite stores, by its storage class. */
export function sqliteText(value: bigint | number | string | Buffer | null): string | null {
  if (value === null) return null
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value)
  return Buffer.isBuffer(value) ? `0x${value.toString('hex')}` : String(value)
}

/** One spelling for all databases of what a type stores. */
export function canonical({ type }: Pick<StoredType, 'type'>, text: string | null): string | null {
  if (text === null) return null
  switch (type.replace(/\(.*/, '')) {
    case 'boolean':
      return /^(t|true|1)$/.test(text) ? 'true' : /^(f|false|0)$/.test(text) ? 'false' : text
    case 'bytea':
      return text.replace(/^\\x/, '0x')
    case 'real':
      return numberText(Math.fround(Number(text)))
    case 'double precision':
      return numberText(Number(text))
    case 'numeric':
      return decimalText(text)
    case 'time':
    case 'timestamp':
      return text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '')
    case 'timestamptz':
      return text
        .replace(/\+00$/, '')
        .replace(/(\.\d*?)0+$/, '$1')
        .replace(/\.$/, '')
    case 'uuid':
      return text.toLowerCase()
    case 'char':
      return text.replace(/ +$/, '')
    case 'json':
    case 'jsonb':
      return jsonText(text)
    default:
      return text
  }
}

function numberText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value)
}

/** A decimal number without zeros that its value does not need: `-12.50` and `-1.25e1` are `-125e-1`. */
export function decimalText(text: string): string {
  const [, sign = '', whole, fraction = '', exponent = '0'] =
    /^([-+]?)(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d+))?$/.exec(text) ?? []
  if (whole === undefined) return text
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const kept = digits.replace(/0+$/, '')
  if (kept === '') return '0'
  const power = Number(exponent) - fraction.length + digits.length - kept.length
  return `${sign === '-' ? '-' : ''}${kept}e${power}`
}

/** A document with sorted keys and canonical numbers. */
export function jsonText(text: string): string {
  const read = JSON.parse as (text: string, revive: Revive) => unknown
  const value = read(text, (_, each, context) =>
    typeof each === 'number' ? { number: decimalText(context.source ?? '') } : each,
  )
  return JSON.stringify(sorted(value))
}

type Revive = (key: string, value: unknown, context: { readonly source?: string }) => unknown

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return entries.map(([key, each]) => [key, sorted(each)])
}
