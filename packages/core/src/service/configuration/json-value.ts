import { GatewayError } from '../../foundation/errors.ts'
import { isPlainObject } from '../../foundation/plain-object.ts'

/**
 * A value of a configuration in code as JSON: large integers become texts, absent values are left out.
 *
 * @param path of the value, for the error.
 * @throws {GatewayError} `invalidConfiguration` for functions and instances of classes.
 */
export function jsonValue(value: unknown, path: string): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'bigint':
      return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
    case 'number':
      if (Number.isFinite(value)) return value
      throw notJson(path)
    case 'object':
      if (value === null) return null
      if (Array.isArray(value)) return value.map((item, i) => jsonValue(item, `${path}.${i}`))
      if (!isPlainObject(value)) throw notJson(path)
      return Object.fromEntries(
        Object.entries(value).flatMap(([key, item]) =>
          item === undefined ? [] : [[key, jsonValue(item, `${path}.${key}`)]],
        ),
      )
    default:
      throw notJson(path)
  }
}

function notJson(path: string): GatewayError {
  const fault = { path, message: 'cannot be stored: expects a value of JSON' }
  return new GatewayError(
    'invalidConfiguration',
    `Invalid configuration\n  ${fault.path}: ${fault.message}`,
    { publicMessage: 'The server is not configured correctly.', details: { faults: [fault] } },
  )
}
