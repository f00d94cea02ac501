/** @module Reads fields of request bodies strictly: other types are never converted to texts. */
import { GatewayError } from '@engine/core'

/** A body that is a JSON object. Unknown keys are ignored. */
export type BodyObject = Readonly<Record<string, unknown>>

/**
 * @throws {GatewayError} `invalidInput` unless the body is a plain JSON object.
 */
export function readBodyObject(body: unknown): BodyObject {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidInput('The body must be a JSON object.')
  }
  return body as BodyObject
}

/**
 * A required text. U+0000 and halves of surrogate pairs are refused.
 *
 * @throws {GatewayError} `invalidInput` naming the field.
 */
export function readText(body: BodyObject, field: string): string {
  const text = readWellFormed(body, field)
  if (text.includes('\0')) throw invalidInput(`${field} must not contain U+0000.`)
  return text
}

/** Like `readText`, but undefined where the field is missing. Null is not missing. */
export function readOptionalText(body: BodyObject, field: string): string | undefined {
  return Object.hasOwn(body, field) ? readText(body, field) : undefined
}

/** A text in which U+0000 is an ordinary character: passwords. */
export function readWellFormed(body: BodyObject, field: string): string {
  const value = Object.hasOwn(body, field) ? body[field] : undefined
  if (value === undefined) throw invalidInput(`${field} is required.`)
  if (typeof value !== 'string') throw invalidInput(`${field} must be a string.`)
  if (!value.isWellFormed()) throw invalidInput(`${field} must be well-formed Unicode.`)
  return value
}

export function invalidInput(message: string): GatewayError {
  return new GatewayError('invalidInput', message)
}
