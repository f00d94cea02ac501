/** @module Converts PostgreSQL's canonical text to the values that a statement sends. */
import { GatewayError, type SqlValue } from '@engine/core/adapter'
import { bindParameter, type ParameterForms, type ParameterKind } from '@engine/core/values'
import { isHeldJson } from './held-json.ts'

/**
 * A number is sent as DOUBLE, a bigint as BIGINT, a Buffer as bytes without a character set, a string in the session's
 * character set and collation: any other value whose digits matter is a string.
 */
export type BoundValue = string | number | bigint | Buffer | null

/**
 * The value of a parameter as the driver takes it.
 *
 * @param kept rows of earlier steps as JSON text, by step index.
 * @throws {GatewayError} `unsupported` for a value that the server cannot store: it would return another one.
 */
export function bindValue(
  parameter: ParameterKind,
  value: SqlValue,
  kept: ReadonlyMap<number, string>,
): BoundValue {
  return bindParameter(parameter, value, kept, forms)
}

const forms: ParameterForms<BoundValue> = {
  value: (kind, text) => {
    switch (kind) {
      case 'boolean':
        return text === 'true' ? '1' : '0'
      case 'real':
        return Math.fround(finite(text))
      case 'float':
        return finite(text)
      case 'bytes':
        return Buffer.from(text.slice(2), 'hex')
      case 'decimal':
        return digits(text)
      case 'moment':
        return moment(text)
      case 'integer':
        return BigInt(text)
      case 'document':
        return document(text)
      case 'text':
        return text
    }
  },
  // Numbers and truth values unchanged, bytes as hexadecimal text, all other values as text.
  json: (kind, text) => {
    switch (kind) {
      case 'integer':
      case 'boolean':
        return text
      case 'real':
        return String(Math.fround(finite(text)))
      case 'float':
        return String(finite(text))
      case 'bytes':
        return `"${text.slice(2).toUpperCase()}"`
      case 'decimal':
        return `"${digits(text)}"`
      case 'moment':
        return `"${moment(text)}"`
      case 'document':
        return JSON.stringify(document(text))
      case 'text':
        return JSON.stringify(text)
    }
  },
}

function finite(text: string): number {
  const value = Number(text)
  if (!Number.isFinite(value)) throw cannotHold('NaN and the infinities')
  return value
}

/** A DECIMAL with 30 digits after the point, the most there are, has room for 35 before it. */
function digits(text: string): string {
  const [, whole, fraction = ''] = /^-?(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  if (whole === undefined) throw cannotHold('NaN and the infinities')
  if (whole.length > 35 || fraction.length > 30) {
    throw cannotHold('numbers of so many digits')
  }
  return text
}

/** JSON whose numbers the server keeps. */
function document(text: string): string {
  if (!isHeldJson(text))
    throw cannotHold('JSON with a number that is no double or bigint of its own')
  return text
}

/** In the years 1 to 9999; the session uses UTC. */
function moment(text: string): string {
  if (!/^\d{4}-/.test(text) || text.endsWith('BC')) throw cannotHold('times so far away')
  return text.endsWith('+00') ? text.slice(0, -3) : text
}

function cannotHold(what: string): GatewayError {
  return new GatewayError('unsupported', `A MySQL connection does not know ${what}.`, {
    sqlState: '0A000',
  })
}
